"""Versions in the words: each is a release that there is, and stands in every language."""

import re
from collections.abc import Iterator
from pathlib import Path

from fieldguide.content.addresses import FIRST, LANGUAGES, OTHERS
from fieldguide.content.catalog.models import Framework
from fieldguide.content.catalog.store import Owned
from fieldguide.content.document import Section
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem

# As tags are written, `v0.3.0.post1`; inside a path, a branch or an address it is another thing.
_TAG = re.compile(r"(?<![\w./@=-])v\d+(?:\.\d+){1,2}(?:\.post\d+)?(?![\w-]|\.\d|\.py)")


def check_versions(guide: Guide) -> Iterator[Problem]:
    """Compare what is written with `catalog/releases/`; `v0.5` stands for all of 0.5."""
    tags = {release.tag for one in guide.catalog.repository.values() for release in one.releases}
    known = tags | {f"v{tag}" for tag in tags}  # packages are named by their numbers, their repositories' tags may have a v
    if not known:
        return
    lines = {".".join(tag.split(".")[:length]) for tag in known for length in (2, 3)}
    for name, document in guide.documents[FIRST].items():
        for section in document.sections:
            for tag in sorted(written(section)):
                if tag not in known and tag not in lines:
                    yield Problem(document.path, _line(section, tag), f"{tag} is no release of anything that the guide covers")
        for language in OTHERS:
            twin = guide.documents[language].get(name)
            if twin and len(twin.sections) == len(document.sections):
                for one, other in zip(document.sections, twin.sections, strict=True):
                    lacking = written(one) ^ written(other)
                    if lacking:
                        where = f"{document.path.as_posix()}:{one.line}"
                        yield Problem(twin.path, other.line, f"versions differ from {where}: {', '.join(sorted(lacking))}")


def check_pages(guide: Guide) -> Iterator[Problem]:
    """Every framework whose versions are known has a page that shows them."""
    for id_ in dict.fromkeys(one.glossary for one in guide.catalog.framework.values()):
        for language in LANGUAGES:
            if f"versions/{id_}" not in guide.documents[language]:
                yield Problem(
                    Path("docs", language, "versions", f"{id_}.md"), 0, f"file is missing: it shows the versions of {id_}"
                )


def check_blocks(guide: Guide) -> Iterator[Problem]:
    """There is a release that has all settings of a code block."""
    for document in guide.documents[FIRST].values():
        for index, section in enumerate(document.sections):
            framework = guide.catalog.framework.get(guide.framework_at(document, index) or "")
            for fence in section.fences if framework else ():
                keys = [one for one in guide.keys.in_code(fence.text, framework.id if framework else None) if one.key.declared]
                late = max(keys, key=lambda one: _day(framework, one.key.since), default=None)
                gone = min(keys, key=lambda one: _day(framework, one.key.removed, "9"), default=None)
                if late and gone and _day(framework, late.key.since) > _day(framework, gone.key.removed, "9"):
                    yield Problem(document.path, fence.line, _apart(late, gone))


def _apart(late: Owned, gone: Owned) -> str:
    ends = f"{late.key.display} came with {late.key.since}, {gone.key.display} is gone in {gone.key.removed}"
    return f"no release has all of this: {ends}"


def _day(framework: Framework | None, version: str | None, otherwise: str = "") -> str:
    """Day of a release, or of a commit that is written with its day."""
    if version is None or framework is None:
        return otherwise
    return next((one.date for one in framework.releases if one.tag == version), version.rpartition("(")[2].rstrip(")"))


def written(section: Section) -> frozenset[str]:
    """The tags in the words of a section, code blocks left out."""
    return frozenset(_TAG.findall(f"{section.title}\n{section.words}"))


def _line(section: Section, tag: str) -> int:
    """Where a tag stands first, 1-based."""
    lines = section.text.splitlines()
    return section.line + next((number for number, line in enumerate(lines, 1) if tag in line), 0)

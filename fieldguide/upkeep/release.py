"""What a tagged commit must have before it becomes a release, and the words that go with it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from fieldguide.content.addresses import FIRST
from fieldguide.content.checks.published import RECORD, known_ids, recorded_ids
from fieldguide.content.document import parse_document
from fieldguide.content.guide import Guide
from fieldguide.content.problems import ContentError, Problem

CHANGELOG = Path("CHANGELOG.md")
PROJECT = Path("pyproject.toml")
# As Keep a Changelog writes it: [0.1.0] - 2026-11-21
_TITLE = re.compile(r"\[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$")


def release_notes(guide: Guide, tag: str) -> str:
    """The changelog section of a release, as Markdown without its heading.

    Args:
        tag: its git tag, `v` and the version.

    Raises:
        ContentError: the tag is not the version of pyproject.toml, the changelog has no dated section with words for it,
            or an id is not in the record of published ones.
    """
    version = tag.removeprefix("v")
    line, notes = _section((guide.root / CHANGELOG).read_text(encoding="utf-8"), version)
    problems = [*_version(guide.root, tag), *_unrecorded(guide)]
    if not line:
        problems.append(Problem(CHANGELOG, 0, f"has no section ## [{version}] - YYYY-MM-DD for the tag {tag}"))
    elif not notes:
        problems.append(Problem(CHANGELOG, line, f"the section of {version} needs words below it and a date: - YYYY-MM-DD"))
    if problems:
        raise ContentError(problems)
    return notes


def _section(changelog: str, version: str) -> tuple[int, str]:
    """Line of a version's heading (0: none) and what stands below it; nothing when the heading has no date."""
    heads = [head for head in parse_document(CHANGELOG, "", FIRST, changelog).sections if head.level <= 2]
    for number, head in enumerate(heads):
        match = _TITLE.match(head.title)
        if match and match["version"] == version:
            end = heads[number + 1].line - 1 if number + 1 < len(heads) else None
            words = "\n".join(changelog.splitlines()[head.line : end]).strip()
            return head.line, words + "\n" if words and match["date"] else ""
    return 0, ""


def _version(root: Path, tag: str) -> Iterator[Problem]:
    text = (root / PROJECT).read_text(encoding="utf-8")
    version = tomllib.loads(text)["project"]["version"]
    if tag != f"v{version}":
        line = next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith("version"))
        yield Problem(PROJECT, line, f"the version is {version}, the tag is {tag}")


def _unrecorded(guide: Guide) -> Iterator[Problem]:
    if missing := sorted(known_ids(guide.catalog) - set(recorded_ids(guide.root))):
        some = ", ".join(missing[:3])
        yield Problem(RECORD, 0, f"{len(missing)} id(s) are not recorded ({some} …): run `python -m fieldguide record-ids`")

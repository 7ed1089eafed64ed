"""All languages have the same pages, headings, code, keys, links and tables."""

import re
from collections.abc import Iterator, Sequence

from fieldguide.content.addresses import FIRST, LANGUAGES, OTHERS
from fieldguide.content.document import Document, Section
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem

# Of an upstream page: `/zh/`, `/zh_CN/`, `/zh-Hans/`.
_LANGUAGE_FOLDER = re.compile(rf"/(?:{'|'.join(LANGUAGES)})(?:[_-]\w+)?/")


def check_parity(guide: Guide) -> Iterator[Problem]:
    """Compare each page with its twin in the first language."""
    originals = guide.documents[FIRST]
    for language in OTHERS:
        twins = guide.documents[language]
        for name in sorted(originals.keys() - twins.keys()):
            yield Problem(originals[name].path, 1, f"has no twin docs/{language}/{name}.md")
        for name in sorted(twins.keys() - originals.keys()):
            yield Problem(twins[name].path, 1, f"has no twin docs/{FIRST}/{name}.md")
        for name in sorted(originals.keys() & twins.keys()):
            yield from compare_documents(originals[name], twins[name])


def compare_documents(original: Document, twin: Document) -> Iterator[Problem]:
    """Headings first: when they differ, what stands below them cannot be compared."""
    left = [(section.level, section.id, section.framework) for section in original.sections]
    right = [(section.level, section.id, section.framework) for section in twin.sections]
    if left != right:
        yield from _heading_differences(original, twin)
        return
    if original.meta.get("framework") != twin.meta.get("framework"):
        yield Problem(twin.path, 1, f"front matter 'framework' differs from {original.path.as_posix()}")
    for one, other in zip(original.sections, twin.sections, strict=True):
        yield from _compare_sections(original, twin, one, other)


def _heading_differences(original: Document, twin: Document) -> Iterator[Problem]:
    for document, other in ((original, twin), (twin, original)):
        known = {(section.level, section.id, section.framework) for section in other.sections}
        for section in document.sections:
            if (section.level, section.id, section.framework) not in known:
                name = f"{'#' * section.level} #{section.id or section.title}"
                yield Problem(document.path, section.line, f"heading {name} is not in {other.path.as_posix()}")
    ids = [[s.id for s in document.sections] for document in (original, twin)]
    if sorted(ids[0]) == sorted(ids[1]) and ids[0] != ids[1]:
        index = next(i for i, (a, b) in enumerate(zip(*ids, strict=True)) if a != b)
        yield Problem(twin.path, twin.sections[index].line, f"headings stand in another order than in {original.path}")


def _compare_sections(original: Document, twin: Document, one: Section, other: Section) -> Iterator[Problem]:
    def differ(what: str, left: Sequence[object], right: Sequence[object], line: int) -> Iterator[Problem]:
        if list(left) != list(right):
            place = f"{original.path.as_posix()}:{one.line}"
            missing = [str(item) for item in left if item not in right]
            extra = [str(item) for item in right if item not in left]
            detail = "; ".join(
                part
                for part in (
                    f"missing {_short(missing)}" if missing else "",
                    f"only here {_short(extra)}" if extra else "",
                )
                if part
            )
            yield Problem(twin.path, line, f"{what} of #{other.id or 'top'} differ from {place}: {detail or 'other order'}")

    fence_line = next(
        (b.line for a, b in zip(one.fences, other.fences, strict=False) if (a.language, a.text) != (b.language, b.text)),
        other.line,
    )
    yield from differ("code blocks", _code_lines(one), _code_lines(other), fence_line)
    yield from differ("inline code", _codes(one), _codes(other), other.line)
    yield from differ("links", _links(one), _links(other), other.line)
    yield from differ("tables (rows, columns)", one.tables, other.tables, other.line)
    yield from differ("blocks", one.blocks, other.blocks, other.line)


def _short(items: list[str]) -> str:
    text = ", ".join(items[:3]) + (f" and {len(items) - 3} more" if len(items) > 3 else "")
    return text if len(text) <= 240 else text[:239] + "…"


def _code_lines(section: Section) -> list[str]:
    return [line for fence in section.fences for line in (f"```{fence.language}", *fence.text.splitlines())]


def _codes(section: Section) -> list[str]:
    return sorted({code.text for code in section.codes})


def _links(section: Section) -> list[str]:
    """Targets; the language folder of an upstream page may differ."""
    return sorted({_LANGUAGE_FOLDER.sub("/*/", link.href) for link in section.links})

"""Both languages have the same pages, headings, code, keys, links and tables."""

import re
from collections.abc import Iterator, Sequence

from fieldguide.content.document import Document, Section
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem


def check_parity(guide: Guide) -> Iterator[Problem]:
    """Compare each Chinese page with its English twin."""
    english, chinese = guide.documents["en"], guide.documents["zh"]
    for name in sorted(english.keys() - chinese.keys()):
        yield Problem(english[name].path, 1, f"has no twin docs/zh/{name}.md")
    for name in sorted(chinese.keys() - english.keys()):
        yield Problem(chinese[name].path, 1, f"has no twin docs/en/{name}.md")
    for name in sorted(english.keys() & chinese.keys()):
        yield from compare_documents(english[name], chinese[name])


def compare_documents(english: Document, chinese: Document) -> Iterator[Problem]:
    """Headings first: when they differ, what stands below them cannot be compared."""
    left = [(section.level, section.id, section.framework) for section in english.sections]
    right = [(section.level, section.id, section.framework) for section in chinese.sections]
    if left != right:
        yield from _heading_differences(english, chinese)
        return
    if english.meta.get("framework") != chinese.meta.get("framework"):
        yield Problem(chinese.path, 1, "front matter 'framework' differs from the English page")
    for one, other in zip(english.sections, chinese.sections, strict=True):
        yield from _compare_sections(english, chinese, one, other)


def _heading_differences(english: Document, chinese: Document) -> Iterator[Problem]:
    for document, other in ((english, chinese), (chinese, english)):
        known = {(section.level, section.id, section.framework) for section in other.sections}
        for section in document.sections:
            if (section.level, section.id, section.framework) not in known:
                name = f"{'#' * section.level} #{section.id or section.title}"
                yield Problem(document.path, section.line, f"heading {name} is not in {other.path.as_posix()}")
    ids = [[s.id for s in document.sections] for document in (english, chinese)]
    if sorted(ids[0]) == sorted(ids[1]) and ids[0] != ids[1]:
        index = next(i for i, (a, b) in enumerate(zip(*ids, strict=True)) if a != b)
        yield Problem(chinese.path, chinese.sections[index].line, f"headings stand in another order than in {english.path}")


def _compare_sections(english: Document, chinese: Document, one: Section, other: Section) -> Iterator[Problem]:
    def differ(what: str, left: Sequence[object], right: Sequence[object], line: int) -> Iterator[Problem]:
        if list(left) != list(right):
            place = f"{english.path.as_posix()}:{one.line}"
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
            yield Problem(chinese.path, line, f"{what} of #{other.id or 'top'} differ from {place}: {detail or 'other order'}")

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
    return sorted({re.sub(r"/(en|zh|zh_CN|zh-Hans)/", "/*/", link.href) for link in section.links})

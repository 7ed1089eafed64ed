"""Markdown pages as sections: what the checks, the terminal and the search index read.

markdown-it parses; headings carry their id as `{ #id }`, the same in every language.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from fieldguide.content.addresses import FIRST

_HEADING_ATTRIBUTES = re.compile(r"\s*\{:?([^}]*)\}\s*$")
_INLINE_ATTRIBUTES = re.compile(r"^\{:?\s*([^}\n]+?)\s*\}")
_ID = re.compile(r"#([^\s}]+)")
_FRAMEWORK = re.compile(r"data-fw=\"?([a-z-]+)\"?")
# Attributes behind inline code, which are no text: `key`{ .nokey }.
CODE_ATTRIBUTES = re.compile(r"(?<=`)\{:?[^}\n]*\}")
# Blocks that the builder knows and CommonMark does not: their marks are no text.
_OURS = re.compile(r"^///.*$|^!!! \w+|^\?\?\?\+? \w+", re.MULTILINE)
STAMP = re.compile(rf"^<!-- {FIRST}:([0-9a-f]{{8}}) -->$")


@dataclass(frozen=True)
class InlineCode:
    """`text` with the attributes written behind it, on `line` of its file."""

    text: str
    attributes: str
    line: int

    @property
    def framework(self) -> str | None:
        match = _FRAMEWORK.search(self.attributes)
        return match.group(1) if match else None

    @property
    def opted_out(self) -> bool:
        return ".nokey" in self.attributes


@dataclass(frozen=True)
class Fence:
    """A fenced code block."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Link:
    """A Markdown link."""

    href: str
    line: int


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, up to the next heading of any level.

    Attributes:
        id: HTML id; empty when the heading has none.
        framework: from `data-fw` on the heading.
        line, end: first line of the heading and the line after the section, 1-based.
        text: source lines below the heading, stamps left out.
        words: the same without code blocks.
        stamp: hash of the English section this one reflects.
        tables: (rows, columns) of each table.
    """

    id: str
    level: int
    title: str
    framework: str | None
    line: int
    end: int
    text: str
    words: str
    stamp: str | None
    codes: tuple[InlineCode, ...]
    fences: tuple[Fence, ...]
    links: tuple[Link, ...]
    tables: tuple[tuple[int, int], ...]
    blocks: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """Eight hex digits that change when heading or text change, white space at line ends aside."""
        lines = [f"{'#' * self.level} {self.title}", *self.text.splitlines()]
        normal = "\n".join(line.rstrip() for line in lines if line.strip())
        return hashlib.sha256(normal.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Document:
    """One page in one language.

    Attributes:
        path: relative to the root of the checkout.
        name: relative to the language folder, without suffix: the same in every language.
        meta: front matter.
        meta_lines: name in the front matter → its 1-based line.
        fault: why the front matter cannot be read; empty when it can.
    """

    path: Path
    name: str
    language: str
    meta: Mapping[str, Any]
    sections: tuple[Section, ...]
    meta_lines: Mapping[str, int] = field(default_factory=dict)
    fault: str = ""

    @property
    def title(self) -> str:
        return next((section.title for section in self.sections if section.level == 1), self.name)

    @property
    def short(self) -> str:
        """The answer in one line, as Markdown; only entries have one."""
        return str(self.meta.get("short") or "").strip()

    @property
    def description(self) -> str:
        """What a search engine shows: of an entry its answer."""
        return str(self.meta.get("description") or "") or plain_inline(self.short)

    @cached_property
    def by_id(self) -> dict[str, Section]:
        return {section.id: section for section in self.sections if section.id}

    def subtree(self, id_: str) -> tuple[Section, ...]:
        """The section with this id and the deeper ones below it."""
        start = next(i for i, section in enumerate(self.sections) if section.id == id_)
        level = self.sections[start].level
        rest = self.sections[start + 1 :]
        stop = next((i for i, section in enumerate(rest) if section.level <= level), len(rest))
        return self.sections[start : start + 1 + stop]


def parse_document(path: Path, name: str, language: str, source: str) -> Document:
    """Parse one page. `path` is only recorded; nothing is read."""
    lines = source.splitlines()
    head, start = _front_matter(lines)
    fault = ""
    meta: Any = {}
    try:
        meta = yaml.safe_load("\n".join(head)) or {}
    except yaml.YAMLError as error:
        fault = f"front matter is not valid YAML: {getattr(error, 'problem', error)}"
    if not isinstance(meta, dict):
        fault, meta = "front matter is not valid YAML: it must be lines of `name: value`", {}
    places = {line.split(":", 1)[0]: number for number, line in enumerate(head, 2) if ":" in line}
    # Front matter stays as blank lines so that line numbers are those of the file.
    body = "\n".join([""] * start + lines[start:])
    return Document(path, name, language, meta, tuple(_sections(body)), places, fault)


def without_front_matter(source: str) -> str:
    """The text of a page alone."""
    lines = source.splitlines()
    return "\n".join(lines[_front_matter(lines)[1] :])


def inline(markdown: str) -> list[Token]:
    """One line of Markdown as tokens: code is `code_inline`, what else is shown has its text as content."""
    parsed = _parser().parseInline(CODE_ATTRIBUTES.sub("", markdown))
    return [child for token in parsed for child in token.children or []]


@lru_cache(maxsize=1 << 14)
def plain_inline(markdown: str) -> str:
    """One line of Markdown as plain text: code stays, marks and the targets of links go.

    >>> plain_inline("Set `a_b`{ .nokey } as in [this](x.md).")
    'Set a_b as in this.'
    """
    return _shown(inline(markdown))


def plain_text(markdown: str) -> str:
    """Markdown as running text: as `plain_inline`, the rows of tables as phrases.

    >>> plain_text("**Fix:** set `a_b`{ .nokey } to [this](x.md).")
    'Fix: set a_b to this.'
    >>> plain_text("- *Which* one:\\n\\n| Key | Default |\\n|---|---|\\n| `a_b` | |\\n| c | 1 |")
    'Which one: Key · Default; a_b; c · 1;'
    """
    pieces: list[str] = []
    row = 0
    for token in _blocks(markdown):
        if token.type in ("inline", "fence", "html_block"):
            pieces.append(_shown(token.children) if token.children else token.content)
        elif token.type == "list_item_open" and token.info:
            pieces.append(f"{token.info}{token.markup}")
        elif token.type == "tr_open":
            row = len(pieces)
        elif token.type == "tr_close":
            pieces[row:] = [" · ".join(filter(None, pieces[row:])) + ";"]
    return " ".join(" ".join(pieces).split())


def first_paragraph(markdown: str) -> str:
    """The first paragraph as plain text.

    >>> first_paragraph("| a |\\n|---|\\n\\nSets `a_b`, [see](x.md). More.\\n\\nElse.")
    'Sets a_b, see. More.'
    """
    found = (after for before, after in pairwise(_blocks(markdown)) if before.type == "paragraph_open")
    return next((_shown(one.children or []) for one in found), "")


def first_sentence(text: str) -> str:
    """The first sentence of a plain text.

    >>> first_sentence("Sets a.b of it. More."), first_sentence("设置。其余。"), first_sentence("no end")
    ('Sets a.b of it.', '设置。', 'no end')
    """
    match = re.match(r".*?(?:[。！？]|[.!?](?=\s|$))", text)
    return match.group() if match else text


def _blocks(markdown: str) -> list[Token]:
    return _parser().parse(_OURS.sub("", CODE_ATTRIBUTES.sub("", markdown)))


def _shown(tokens: Iterable[Token]) -> str:
    return "".join(" " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens)


def fences(markdown: str) -> tuple[Fence, ...]:
    """The fenced code blocks of a text."""
    return _fences(_parser().parse(markdown))


def _front_matter(lines: list[str]) -> tuple[list[str], int]:
    """Its lines, and where the text begins."""
    end = next((i for i, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    if not end or lines[0].strip() != "---":
        return [], 0
    return lines[1:end], end + 1


@cache
def _parser() -> MarkdownIt:
    # Indented code is off: four spaces are the body of an admonition here.
    return MarkdownIt("commonmark").enable("table").disable("code")


def _sections(source: str) -> Iterator[Section]:
    lines = source.splitlines()
    tokens = _parser().parse(source)
    heads = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    for number, start in enumerate(heads):
        stop = heads[number + 1] if number + 1 < len(heads) else len(tokens)
        end_line = _first_line(tokens[stop]) if stop < len(tokens) else len(lines)
        yield _section(lines, tokens[start:stop], end_line)


def _first_line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _section(lines: list[str], tokens: list[Token], end: int) -> Section:
    head, inline = tokens[0], tokens[1]
    begin, below = head.map or [0, 0]
    match = _HEADING_ATTRIBUTES.search(inline.content)
    attributes = match.group(1) if match else ""
    identifier, framework = _ID.search(attributes), _FRAMEWORK.search(attributes)
    body = lines[below:end]
    stamps = [found.group(1) for line in body if (found := STAMP.match(line.strip()))]
    code = {at for token in tokens if token.type == "fence" for at in range(*(token.map or (0, 0)))}
    return Section(
        id=identifier.group(1) if identifier else "",
        level=int(head.tag[1]),
        title=_HEADING_ATTRIBUTES.sub("", inline.content),
        framework=framework.group(1) if framework else None,
        line=begin + 1,
        end=end + 1,
        text=_unstamped(body),
        words=_unstamped(line for at, line in enumerate(body, below) if at not in code),
        stamp=stamps[0] if stamps else None,
        codes=tuple(code for token in tokens[3:] for code in _codes(token, lines)),
        fences=_fences(tokens),
        links=tuple(link for token in tokens[3:] for link in _links(token)),
        tables=tuple(_tables(tokens)),
        blocks=tuple(line.strip() for line in body if line.startswith("/// ")),
    )


def _unstamped(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if not STAMP.match(line.strip())).strip("\n")


def _fences(tokens: list[Token]) -> tuple[Fence, ...]:
    return tuple(Fence(t.info.split(" ")[0], t.content, _first_line(t) + 1) for t in tokens if t.type == "fence")


def _codes(token: Token, lines: list[str]) -> Iterator[InlineCode]:
    if token.type != "inline":
        return
    children = token.children or []
    line, depth = _first_line(token) + 1, 0
    for i, child in enumerate(children):
        if child.type in ("softbreak", "hardbreak"):
            line += 1
        depth += (child.type == "link_open") - (child.type == "link_close")
        if child.type != "code_inline" or depth:
            continue
        following = children[i + 1].content if i + 1 < len(children) and children[i + 1].type == "text" else ""
        match = _INLINE_ATTRIBUTES.match(following)
        yield InlineCode(child.content, match.group(1) if match else "", line)


def _links(token: Token) -> Iterator[Link]:
    line = _first_line(token) + 1
    for child in token.children or [] if token.type == "inline" else []:
        line += child.type in ("softbreak", "hardbreak")
        if child.type == "link_open":
            yield Link(str(child.attrGet("href")), line)


def _tables(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    rows = columns = 0
    for token in tokens:
        if token.type == "table_open":
            rows = columns = 0
        elif token.type == "tr_open":
            rows += 1
        elif token.type == "th_open":
            columns += 1
        elif token.type == "table_close":
            yield rows, columns

"""Maps pages by rules: what the rules of fieldguide/book/rules.py share, such as labels, links and the list of faults."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from xml.etree.ElementTree import Element

from fieldguide.book.calls import Node, block, inline, nodes_of, plain_text
from fieldguide.book.links import Links, Target, label_of
from fieldguide.content.document import Document
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem
from fieldguide.content.signature import display_signature

Rule = Callable[["Mapper", Element], list[Node]]
_ATTRIBUTES = frozenset({"id", "class", "href", "title", "lang", "start", "open", "style"})


@dataclass
class Mapper:
    """Maps the pages of one book.

    Attributes:
        rules: name of a construct, see `find_rule` → its rule.
        signatures: text as readers see it → catalog text.
        pictures: file name → SVG.
        listed: level and title of the page's headings that the contents name.
        depth, below: how deep the page's chapter is in the book, and whether the page follows another one in it.
        problems: constructs without a rule, headings that skip a level, ids that stand twice.
    """

    guide: Guide
    links: Links
    rules: Mapping[str, Rule]
    pictures: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    listed: list[tuple[int, str]] = field(default_factory=list)
    document: Document = field(init=False)
    depth: int = field(init=False, default=0)
    below: int = field(init=False, default=0)
    _level: int = field(init=False, default=0)
    _led: set[str] = field(init=False, default_factory=set)

    @cached_property
    def signatures(self) -> dict[str, str]:
        texts = (signature.text for found in self.guide.catalog.signatures_of.values() for signature in found)
        return {display_signature(text): text for text in texts}

    def article(self, document: Document, article: Element, depth: int, below: int = 0) -> Element:
        """Map one page of a chapter; its headings move down by `depth`, and by `below` behind the chapter's first page."""
        self.document, self.depth, self.below, self._level, self.listed = document, depth, below, depth + below, []
        self._led = set()
        return block("fg-article", body=self.inside(article))

    def inside(self, parent: Element) -> list[Node]:
        """Text and children of an element, mapped, in order."""
        return [made for node in nodes_of(parent) for made in ([node] if isinstance(node, str) else self.one(node))]

    def one(self, node: Element) -> list[Node]:
        """One element, mapped by its rule; an id that no rule takes becomes a place to link to."""
        rule = find_rule(self.rules, node)
        if rule is None:
            self.fault(f"the book has no rule for {_shown(node)}")
            return []
        strange = [name for name in node.attrib if name not in _ATTRIBUTES and not name.startswith("data-")]
        if strange and rule is not drop:
            self.fault(f"the book has no rule for attribute {strange[0]!r} of {_shown(node)}")
        return rule(self, node)

    def fault(self, message: str) -> None:
        self.problems.append(Problem(self.document.path, 0, message))

    def heading(self, id_: str, text: str, rank: int) -> tuple[int, int, str, bool]:
        """Place of a heading in the book: its level, its rank on its page or behind the chapter's first page, its label, and
        whether the contents name it; those below the titles of entries and of groups of keys are bookmarks alone."""
        rank += self.below
        level = rank + self.depth
        if level > self._level + 1:
            self.fault(f"heading {text!r} skips a level")
        self._level = level
        if listed := rank <= 2:
            self.listed.append((level, text))
        return level, rank, self.define(id_), listed

    def define(self, id_: str) -> str:
        """Label for an id of this page."""
        label = label_of(self.document.name, id_)
        if label in self.links.defined:
            self.fault(f"id {id_!r} stands twice")
        self.links.defined.add(label)
        return label

    def anchor(self, id_: str) -> Element:
        """Something that links lead to, and that is no heading."""
        label = self.define(id_)
        self.links.marks.add(label)
        return inline("fg-anchor", label)

    def is_first(self, address: str) -> bool:
        """Whether the page has not led there yet."""
        fresh = address not in self._led
        self._led.add(address)
        return fresh

    def target(self, node: Element) -> Target | None:
        """Where a link leads; a dead one is a problem."""
        target = self.links.resolve(self.document, node.get("href", ""))
        if isinstance(target, Problem):
            self.problems.append(target)
            return None
        return target

    def linked(self, node: Element, function: str, body: list[Node]) -> list[Node]:
        """`body` with the link of `node`: `function` takes a label, what the book does not hold is an address."""
        target = self.target(node)
        if target is None:
            return body
        return [inline(function, target.label, body=body) if target.label else inline("fg-link", target.url, body=body)]


def find_rule(rules: Mapping[str, Rule], node: Element) -> Rule | None:
    """The most specific rule for an element: of `div.a.b`, `div.a`, `div.*`; of `div` where it has no class."""
    return next((rules[key] for key in _keys(node) if key in rules), None)


def drop(_mapper: Mapper, _node: Element) -> list[Node]:
    """Rule for what is there for the browser: nothing."""
    return []


def _keys(node: Element) -> Iterator[str]:
    classes = node.get("class", "").split()
    if not classes:
        yield node.tag
        return
    yield node.tag + "".join(f".{one}" for one in classes)
    yield f"{node.tag}.{classes[0]}"
    yield f"{node.tag}.*"


def _shown(node: Element) -> str:
    classes = node.get("class")
    text = re.sub(r"\s+", " ", plain_text(node)).strip()[:40]
    return f"<{node.tag}{f' class={classes!r}' if classes else ''}>" + (f" ({text!r})" if text else "")

"""Article HTML to what pandoc and the template know: one rule per construct; a construct without a rule is an error."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Any
from xml.etree.ElementTree import Element

from fieldguide.book.calls import Node, block, element, inline, nodes_of, plain_text
from fieldguide.book.columns import column_widths
from fieldguide.book.entry import on_paper
from fieldguide.book.links import Links, Target, label_of
from fieldguide.content.diagram import picture
from fieldguide.content.document import Document
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem
from fieldguide.content.signature import display_signature, parse_signature
from fieldguide.site.markdown.sections import heading_level

Rule = Callable[["Mapper", Element], list[Node]]
_ATTRIBUTES = frozenset({"id", "class", "href", "title", "lang", "start", "open", "style"})
_ROW_PARTS = {"a": "name", "small": "note", "strong": "strong", "q": "quote", "span": "note"}
_NOT_CODE = frozenset({"mermaid", "math"})


@dataclass
class Mapper:
    """Maps the pages of one book.

    Attributes:
        signatures: text as readers see it → catalog text.
        tables: name → rows of keys, for the template.
        pictures: file name → SVG.
        listed: level and title of the page's headings that the contents name.
        depth, below: how deep the page's chapter is in the book, and whether the page follows another one in it.
        problems: constructs without a rule, headings that skip a level, ids that stand twice.
    """

    guide: Guide
    links: Links
    pictures: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    listed: list[tuple[int, str]] = field(default_factory=list)
    document: Document = field(init=False)
    depth: int = field(init=False, default=0)
    below: int = field(init=False, default=0)
    _level: int = field(init=False, default=0)

    @cached_property
    def signatures(self) -> dict[str, str]:
        texts = (signature.text for found in self.guide.catalog.signatures_of.values() for signature in found)
        return {display_signature(text): text for text in texts}

    def article(self, document: Document, article: Element, depth: int, below: int = 0) -> Element:
        """Map one page of a chapter; its headings move down by `depth`, and by `below` behind the chapter's first page."""
        self.document, self.depth, self.below, self._level, self.listed = document, depth, below, depth + below, []
        return element("div", {"data-typst": "fg-article()"}, self.inside(article))

    def inside(self, parent: Element) -> list[Node]:
        """Text and children of an element, mapped, in order."""
        return [made for node in nodes_of(parent) for made in ([node] if isinstance(node, str) else self.one(node))]

    def one(self, node: Element) -> list[Node]:
        """One element, mapped by its rule; an id that no rule takes becomes a place to link to."""
        rule = _rule(node)
        if rule is None:
            self.fault(f"the book has no rule for {_shown(node)}")
            return []
        strange = [name for name in node.attrib if name not in _ATTRIBUTES and not name.startswith("data-")]
        if strange and rule is not _drop:
            self.fault(f"the book has no rule for attribute {strange[0]!r} of {_shown(node)}")
        return rule(self, node)

    def fault(self, message: str) -> None:
        self.problems.append(Problem(self.document.path, 0, message))

    def define(self, id_: str) -> str:
        """Label for an id of this page."""
        label = label_of(self.document.name, id_)
        if label in self.links.defined:
            self.fault(f"id {id_!r} stands twice")
        self.links.defined.add(label)
        return label

    def mark(self, id_: str) -> str:
        """Label for an id that is not a heading's."""
        label = self.define(id_)
        self.links.marks.add(label)
        return label

    def heading(self, node: Element) -> list[Node]:
        """A heading; below the titles of entries and of groups of keys they stay out of the contents, but are bookmarks."""
        rank = (heading_level(node) or 1) + self.below
        level = rank + self.depth
        if level > self._level + 1:
            self.fault(f"heading {plain_text(node)!r} skips a level")
        self._level = level
        id_ = node.get("id", "")
        listed = rank <= 2
        if listed:
            self.listed.append((level, plain_text(node)))
        body = self.inside(node)
        return [element("p", body=[inline("fg-heading", level, rank, self.define(id_), listed, body=body)])]

    def target(self, node: Element) -> Target | None:
        """Where a link leads; a dead one is a problem."""
        target = self.links.resolve(self.document, node.get("href", ""))
        if isinstance(target, Problem):
            self.problems.append(target)
            return None
        return target

    def link(self, node: Element) -> list[Node]:
        """A link, inside the book with its page; one of a row to itself is only its text."""
        href = node.get("href", "")
        if href == f"#rule-{plain_text(node).lower()}":
            return self.inside(node)
        made = self.linked(node, "fg-go" if href.startswith("#rule-") else "fg-ref", self.inside(node))
        language = node.get("lang")
        return [inline("fg-lang", language, body=made)] if language else made

    def linked(self, node: Element, function: str, body: list[Node]) -> list[Node]:
        """`body` with the link of `node`: `function` takes a label, what the book does not hold is an address."""
        target = self.target(node)
        if target is None:
            return body
        return [inline(function, target.label, body=body) if target.label else inline("fg-link", target.url, body=body)]

    def key(self, node: Element) -> list[Node]:
        """A link to a key, which the index lists."""
        target = self.target(node)
        if target is None:
            return self.inside(node)
        id_ = node.get("href", "").partition("#")[2]
        return [inline("fg-key", id_, target.label or None, target.url or None, plain_text(node))]

    def code(self, node: Element) -> list[Node]:
        """Inline code; an error text of the catalog is marked for the index."""
        text = plain_text(node)
        signature = self.signatures.get(text)
        return [_signature(signature, "use")] if signature else [element("code", body=[text])]

    def signature_list(self, node: Element) -> list[Node]:
        """Error texts of an entry: where the index sends readers first."""
        items: list[Node] = []
        for item in node:
            first, *rest = item
            note = " ".join(plain_text(one) for one in rest)
            mark = _signature(self.signatures[plain_text(first)], "definition")
            remark: list[Node] = [" ", inline("fg-note", body=[note])] if note else []
            items.append(element("li", body=[mark, *remark]))
        return [block("fg-signatures", body=[element("ul", body=items)])]

    def fence(self, node: Element) -> list[Node]:
        """A code block."""
        code = node.find("code")
        classes = (code if code is not None else node).get("class", "").split()
        language = next((one.removeprefix("language-") for one in classes if one.startswith("language-")), "text")
        if language in _NOT_CODE:
            self.fault(f"the book has no rule for a code block of {language!r}")
        text = plain_text(node).rstrip("\n")
        return [element("pre", {"class": language}, [element("code", body=[text])])]

    def table(self, node: Element) -> list[Node]:
        """A table with the widths its text asks for. A head with links is not repeated: PDF/UA has no links in repeats."""
        widths = column_widths(node)
        made = element("table", body=self.inside(node))
        if widths:
            columns = [Element("col", {"style": f"width:{width}%"}) for width in widths]
            made.insert(0, element("colgroup", body=columns))
        linked = any(head.find(".//a") is not None for head in node.iter("thead"))
        return [block("fg-head-once", body=[made])] if linked else [made]

    def row(self, node: Element) -> list[Node]:
        """A row; one with an id can be linked to."""
        made = element("tr", body=self.inside(node))
        if node.get("id"):
            self.anchor(made[0], node.get("id", ""))
        return [made]

    def rows(self, node: Element) -> list[Node]:
        """Keys in rows: hundreds of them, so the template sets them from data and pandoc never sees them."""
        name = f"{self.document.name}-{len(self.tables)}"
        self.tables[name] = [self._row(item) for item in node]
        return [block("fg-key-rows", name)]

    def _row(self, item: Element) -> dict[str, Any]:
        """One key: its label, and its parts in order, each with the way it is set."""
        id_ = item.get("id", "")
        parts = [
            {"kind": "link" if child.tag == "a" and number else _ROW_PARTS[child.tag], "text": plain_text(child)}
            | ({"url": child.get("href", "")} if child.tag == "a" and number else {})
            for number, child in enumerate(item)
        ]
        return {"id": id_, "label": self.mark(id_), "parts": parts}

    def diagram(self, node: Element) -> list[Node]:
        """A decision path: its picture, as vectors, and the words for those who cannot see it."""
        image = node.find(".//img")
        if image is None:
            raise ValueError("a diagram without its picture")
        file = picture(image.get("data-picture", ""), self.document.language)
        self.pictures[file.name] = (self.guide.root / file).read_text(encoding="utf-8")
        return [block("fg-diagram", file.name, image.get("alt", ""))]

    def anchor(self, place: Element, id_: str) -> None:
        """Make the start of `place` something to link to."""
        anchor = inline("fg-anchor", self.mark(id_))
        anchor.tail, place.text = place.text, None
        place.insert(0, anchor)


def _signature(text: str, role: str) -> Element:
    """An error text with its placeholders, and the mark that the index looks for."""
    parts = [None if piece.placeholder else piece.text for piece in parse_signature(text)]
    return inline("fg-signature", display_signature(text), role, parts)


def leave_out(article: Element) -> None:
    """Take out of a page what only a browser can use, and the headings that lead to nothing else."""
    for section in article.findall("section[@data-entry]"):
        on_paper(section)
    children = list(article)
    for i, child in enumerate(children):
        below = list(takewhile(lambda one: one.tag != "section" and not heading_level(one), children[i + 1 :]))
        useless = [child] if not heading_level(child) else below
        if useless and all(_rule(one) is _drop for one in useless):
            article.remove(child)
    for cell in article.iter("td"):
        for span in cell.findall("span"):
            if _rule(span) is _drop:
                cell.remove(span)


def _rule(node: Element) -> Rule | None:
    return next((RULES[key] for key in _keys(node) if key in RULES), None)


def _keys(node: Element) -> Iterator[str]:
    """Names under which a rule may stand, the most specific first."""
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


def _keep(mapper: Mapper, node: Element) -> list[Node]:
    """As it is; pandoc knows it."""
    kept = {name: value for name, value in node.attrib.items() if name in ("start", "style")}
    made = element(node.tag, kept, mapper.inside(node))
    if node.get("id"):
        mapper.anchor(made, node.get("id", ""))
    return [made]


def _open(mapper: Mapper, node: Element) -> list[Node]:
    """Only what is inside."""
    return mapper.inside(node)


def _drop(_mapper: Mapper, _node: Element) -> list[Node]:
    """Nothing: it is there for the browser."""
    return []


def _block(function: str) -> Rule:
    return lambda mapper, node: [block(function, body=mapper.inside(node))]


def _paragraph(function: str) -> Rule:
    return lambda mapper, node: [block(function, body=[element("p", body=mapper.inside(node))])]


def _inline(function: str) -> Rule:
    return lambda mapper, node: [inline(function, body=mapper.inside(node))]


def _badge(mapper: Mapper, node: Element) -> list[Node]:
    """Name of a framework in its colour."""
    framework = mapper.guide.catalog.framework.get(node.get("data-fw", ""))
    badge = inline("fg-badge", framework.color if framework else None, body=[plain_text(node)])
    return mapper.linked(node, "fg-go", [badge]) if node.get("href") else [badge]


def _meta(mapper: Mapper, node: Element) -> list[Node]:
    """The first line of a card: its facts with a gap between."""
    facts = [part for child in node if (made := mapper.one(child)) for part in (inline("fg-gap"), *made)]
    return [block("fg-meta", body=[element("p", body=facts[1:])])]


def _status(mapper: Mapper, node: Element) -> list[Node]:
    return [inline("fg-status", node.get("data-status", ""), body=mapper.inside(node))]


def _permalink(mapper: Mapper, node: Element) -> list[Node]:
    """The entry's short address on the site, spelled out."""
    return [inline("fg-permalink", mapper.links.permalink(node.get("data-permalink", "")))]


def _facts(mapper: Mapper, node: Element) -> list[list[Node]]:
    """The pairs of a card's definition list, each as one run of text."""
    pairs = [(node[i], node[i + 1]) for i in range(0, len(node), 2)]
    return [[inline("fg-term", body=mapper.inside(term)), " ", *mapper.inside(fact)] for term, fact in pairs]


def _fact_lines(mapper: Mapper, node: Element) -> list[Node]:
    """Facts of an entry or a framework, a paragraph each."""
    return [block("fg-foot", body=[element("p", body=fact) for fact in _facts(mapper, node)])]


def _fact_row(mapper: Mapper, node: Element) -> list[Node]:
    """Facts of a key, one behind the other."""
    facts = [inline("fg-pair", body=fact) for fact in _facts(mapper, node)]
    spaced: list[Node] = [part for fact in facts for part in (" ", fact)]
    return [block("fg-facts", body=[element("p", body=spaced[1:])])]


def _part(mapper: Mapper, node: Element) -> list[Node]:
    """A part of an entry: its heading is a bold label, in the line of the text where text comes first."""
    part, words = node.get("data-part"), mapper.guide.words[mapper.document.language]
    if part is None:
        return mapper.inside(node)
    label, first, *rest = node
    if part == "asked":
        return [block("fg-small", body=[element("p", body=[_label(words, label), *_run(mapper, first)])])]
    made: list[Node] = []
    if first.tag == "p" and not first.get("class"):
        strong = _label(words, label)
        strong.tail, first.text = first.text, None
        first.insert(0, strong)
    else:
        made.append(_titled(label))
    for child in (first, *rest):
        made += [_titled(child)] if part == "elsewhere" and heading_level(child) else mapper.one(child)
    return [block("fg-fix", body=made)] if part in ("fix", "answer") else made


def _label(words: Mapping[str, str], heading: Element) -> Element:
    """`Fix: `, bold."""
    return element("strong", body=[plain_text(heading) + words["colon"]])


def _titled(heading: Element) -> Element:
    """A label in a line of its own."""
    return block("fg-title", body=[element("p", body=[plain_text(heading)])])


def _run(mapper: Mapper, listing: Element) -> list[Node]:
    """The items of a list in one run of text."""
    return [node for item in listing for node in (" · ", *mapper.inside(item))][1:]


def _entries(mapper: Mapper, node: Element) -> list[Node]:
    """Entries with the page each is on, and its answer in one line below."""
    items: list[Node] = []
    for item in node:
        link, *others = item
        answer = item.find("p")
        badge = [made for one in others if one.tag == "span" and one.get("class") for made in mapper.one(one)]
        line = [inline("fg-line", body=mapper.inside(answer))] if answer is not None and plain_text(answer) else []
        items.append(element("li", body=[*mapper.one(link), " ", *badge, *line]))
    return [element("ul", body=items)]


def _details(mapper: Mapper, node: Element) -> list[Node]:
    """Folded text: shown open, with its summary as a heading line; what is folded below a heading is as if it were not."""
    summary = node.find("summary")
    if summary is not None and len(summary) and heading_level(summary[0]):
        rest = Element("div")
        rest.extend(child for child in node if child is not summary)
        return [*mapper.one(summary[0]), *mapper.inside(rest)]
    title: list[Node] = [block("fg-title", body=[element("p", body=mapper.inside(summary))])] if summary is not None else []
    rest = Element("div")
    rest.extend(child for child in node if child is not summary)
    return [block("fg-details", body=[*title, *mapper.inside(rest)])]


def _admonition(mapper: Mapper, node: Element) -> list[Node]:
    kind = node.get("class", "").split()[-1]
    return [block("fg-admonition", kind, body=mapper.inside(node))]


def _tabs(mapper: Mapper, node: Element) -> list[Node]:
    """Tabs one below the other, each under its label."""
    labels = [label for group in node if group.get("class") == "tabbed-labels" for label in group]
    blocks = [one for group in node if group.get("class") == "tabbed-content" for one in group]
    return [
        block("fg-tab", body=[block("fg-title", body=[element("p", body=mapper.inside(label))]), *mapper.inside(content)])
        for label, content in zip(labels, blocks, strict=True)
    ]


RULES: dict[str, Rule] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Mapper.heading),
    **dict.fromkeys(("p", "ul", "ol", "li", "strong", "em", "br", "blockquote", "hr", "sub", "sup", "del"), _keep),
    **dict.fromkeys(("thead", "tbody", "td", "th", "dl", "dt", "dd"), _keep),
    **dict.fromkeys(
        ("section", "section.*", "span", "div.fg-scroll", "span.fg-release", "span.fg-count", "div.fg-head"), _open
    ),
    **dict.fromkeys(("ul.fg-grid", "ul.fg-list", "ul.fg-topics"), _keep),
    **dict.fromkeys(
        ("form.fg-hero", "form.fg-paste", "div.fg-downloads", "div.fg-calc", "div.fg-log", "div.fg-report", "ul.fg-key-index"),
        _drop,
    ),
    **dict.fromkeys(
        ("form.fg-keyfilter", "div.fg-end", "button.fg-copy", "span.fg-try", "a.headerlink", "noscript", "wbr"), _drop
    ),
    "a": Mapper.link,
    "a.fg-badge": _badge,
    "a.fg-key": Mapper.key,
    "a.fg-permalink": _permalink,
    **dict.fromkeys(("code", "code.nokey"), Mapper.code),
    "details": _details,
    "details.*": _details,
    "div.admonition": _admonition,
    "div.fg-card": _block("fg-card"),
    "div.tabbed-set": _tabs,
    "dl.fg-facts": _fact_row,
    "figure.fg-diagram": Mapper.diagram,
    "dl.fg-facts.fg-framework": _fact_lines,
    "dl.fg-foot": _fact_lines,
    "p.admonition-title": _paragraph("fg-title"),
    "p.fg-changed": _paragraph("fg-small"),
    "p.fg-code-keys": _paragraph("fg-small"),
    "p.fg-cost": _paragraph("fg-cost"),
    "p.fg-destroys": _paragraph("fg-destroys"),
    "p.fg-mentions": _paragraph("fg-small"),
    "p.fg-meta": _meta,
    "p.fg-print": _keep,
    "p.fg-short": _paragraph("fg-short"),
    "p.fg-unit": _paragraph("fg-small"),
    "pre": Mapper.fence,
    "pre.highlight": Mapper.fence,
    "section.fg-part": _part,
    "small": _inline("fg-note"),
    "span.fg-badge": _badge,
    "span.fg-checked": _inline("fg-fact"),
    "span.fg-status": _status,
    "span.fg-versions": _inline("fg-fact"),
    "strong.fg-badge": _badge,
    "table": Mapper.table,
    "table.*": Mapper.table,
    "tr": Mapper.row,
    "ul.fg-entries": _entries,
    "ul.fg-keys": Mapper.rows,
    "ul.fg-signatures": Mapper.signature_list,
}

"""Article HTML to what the template knows: one rule per construct; a construct without a rule is an error."""

from collections.abc import Mapping
from itertools import takewhile
from xml.etree.ElementTree import Element

from fieldguide.book.calls import Node, block, element, inline, plain_text
from fieldguide.book.columns import column_widths
from fieldguide.book.entry import on_paper
from fieldguide.book.mapper import Mapper, Rule, drop, find_rule
from fieldguide.content.diagram import picture
from fieldguide.content.signature import display_signature, parse_signature
from fieldguide.site.markdown.sections import heading_level

_NOT_CODE = frozenset({"mermaid", "math"})


def leave_out(article: Element) -> None:
    """Take out of a page what only a browser can use, and the headings that lead to nothing else."""
    for section in article.findall("section[@data-entry]"):
        on_paper(section)
    children = list(article)
    for i, child in enumerate(children):
        below = list(takewhile(lambda one: one.tag != "section" and not heading_level(one), children[i + 1 :]))
        useless = [child] if not heading_level(child) else below
        if useless and all(_useless(one) for one in useless):
            article.remove(child)
    for cell in article.iter("td"):
        for span in cell.findall("span"):
            if _useless(span):
                cell.remove(span)


def _useless(node: Element) -> bool:
    return find_rule(RULES, node) is drop


def _keep(mapper: Mapper, node: Element) -> list[Node]:
    """As it is."""
    kept = {name: value for name, value in node.attrib.items() if name in ("start", "style")}
    made = element(node.tag, kept, mapper.inside(node))
    return [_anchored(mapper, node, made, made)]


def _anchored(mapper: Mapper, node: Element, made: Element, place: Element) -> Element:
    """`made`; if `node` has an id, links lead to the start of `place` in it."""
    if id_ := node.get("id"):
        anchor = mapper.anchor(id_)
        anchor.tail, place.text = place.text, None
        place.insert(0, anchor)
    return made


def _heading(mapper: Mapper, node: Element) -> list[Node]:
    place = mapper.heading(node.get("id", ""), plain_text(node), heading_level(node) or 1)
    return [element("p", body=[inline("fg-heading", *place, body=mapper.inside(node))])]


def _link(mapper: Mapper, node: Element) -> list[Node]:
    """A link, inside the book with its page; one of a row to itself is only its text."""
    href = node.get("href", "")
    if href == f"#rule-{plain_text(node).lower()}":
        return mapper.inside(node)
    made = mapper.linked(node, "fg-go" if href.startswith("#rule-") else "fg-ref", mapper.inside(node))
    language = node.get("lang")
    return [inline("fg-lang", language, body=made)] if language else made


def _key(mapper: Mapper, node: Element) -> list[Node]:
    """A key, which the index lists; the first time on a page a link to it: thousands of links are megabytes."""
    target = mapper.target(node)
    if target is None:
        return mapper.inside(node)
    id_ = node.get("href", "").partition("#")[2]
    label, url = (target.label or None, target.url or None) if mapper.is_first(node.get("href", "")) else (None, None)
    return [inline("fg-key", id_, label, url, plain_text(node))]


def _code(mapper: Mapper, node: Element) -> list[Node]:
    """Inline code; an error text of the catalog is marked for the index."""
    text = plain_text(node)
    signature = mapper.signatures.get(text)
    return [_signature(signature, "use")] if signature else [element("code", body=[text])]


def _signature(text: str, role: str) -> Element:
    """An error text with its placeholders, and the mark that the index looks for."""
    parts = [None if piece.placeholder else piece.text for piece in parse_signature(text)]
    return inline("fg-signature", display_signature(text), role, parts)


def _signature_list(mapper: Mapper, node: Element) -> list[Node]:
    """Error texts of an entry: where the index sends readers first."""
    items: list[Node] = []
    for item in node:
        first, *rest = item
        note = " ".join(plain_text(one) for one in rest)
        mark = _signature(mapper.signatures[plain_text(first)], "definition")
        remark: list[Node] = [" ", inline("fg-note", body=[note])] if note else []
        items.append(element("li", body=[mark, *remark]))
    return [block("fg-signatures", body=[element("ul", body=items)])]


def _fence(mapper: Mapper, node: Element) -> list[Node]:
    """A code block."""
    code = node.find("code")
    classes = (code if code is not None else node).get("class", "").split()
    language = next((one.removeprefix("language-") for one in classes if one.startswith("language-")), "text")
    if language in _NOT_CODE:
        mapper.fault(f"the book has no rule for a code block of {language!r}")
    return [element("pre", {"class": language}, [plain_text(node).rstrip("\n")])]


def _table(mapper: Mapper, node: Element) -> list[Node]:
    """A table with the widths its text asks for. A head with links is not repeated: PDF/UA has no links in repeats."""
    columns: list[Node] = [Element("col", {"style": f"width:{width}%"}) for width in column_widths(node)]
    made = element("table", body=[*columns, *mapper.inside(node)])
    linked = any(head.find(".//a") is not None for head in node.iter("thead"))
    return [block("fg-head-once", body=[made])] if linked else [made]


def _row(mapper: Mapper, node: Element) -> list[Node]:
    """A row; one with an id can be linked to."""
    made = element("tr", body=mapper.inside(node))
    return [_anchored(mapper, node, made, made[0])]


def _key_rows(mapper: Mapper, node: Element) -> list[Node]:
    """Keys without words of their own: a paragraph each, its parts in order."""
    return [block("fg-key-rows", body=[block("fg-key-row", body=_key_row(mapper, item)) for item in node])]


def _key_row(mapper: Mapper, item: Element) -> list[Node]:
    """Its name, and what is known of it, a space between."""
    name, *facts = item
    made: list[Node] = [mapper.anchor(item.get("id", "")), element("strong", body=[element("code", body=[plain_text(name)])])]
    for fact in facts:
        made += [" ", _key_fact(fact)]
    return made


def _key_fact(node: Element) -> Element:
    body = [plain_text(node)]
    match node.tag:
        case "strong":
            return element("strong", body=body)
        case "a":
            return inline("fg-link", node.get("href", ""), body=body)
        case "q":
            return inline("fg-lang", node.get("lang", ""), body=body)
        case "small" | "span":
            return inline("fg-fact", body=body)
    raise ValueError(f"a row of keys has <{node.tag}>")


def _diagram(mapper: Mapper, node: Element) -> list[Node]:
    """A decision path: its picture, as vectors, and the words for those who cannot see it."""
    image = node.find(".//img")
    if image is None:
        raise ValueError("a diagram without its picture")
    file = picture(image.get("data-picture", ""), mapper.document.language)
    mapper.pictures[file.name] = (mapper.guide.root / file).read_text(encoding="utf-8")
    return [block("fg-diagram", file.name, image.get("alt", ""))]


def _open(mapper: Mapper, node: Element) -> list[Node]:
    """Only what is inside."""
    return mapper.inside(node)


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


def _bug(_mapper: Mapper, node: Element) -> list[Node]:
    """A row of the bug ledger: one paragraph in small type, plain: marks and links by the thousand are megabytes."""
    what, *said, meta = node
    text: list[Node] = [element("strong", body=[plain_text(what)])]
    text.append(" ".join(["", *(plain_text(one) for one in said), plain_text(meta)]))
    return [block("fg-small", body=[element("p", body=text)])]


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
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(("p", "ul", "ol", "li", "strong", "em", "br", "blockquote", "hr", "sub", "sup", "del"), _keep),
    **dict.fromkeys(("thead", "tbody", "td", "th", "dl", "dt", "dd"), _keep),
    **dict.fromkeys(
        ("section", "section.*", "span", "div.fg-scroll", "span.fg-release", "span.fg-count", "div.fg-head"), _open
    ),
    **dict.fromkeys(("div.fg-pairs", "div.fg-take", "div.language-bash"), _open),
    **dict.fromkeys(("ul.fg-grid", "ul.fg-list", "ul.fg-topics"), _keep),
    **dict.fromkeys(
        ("form.fg-hero", "form.fg-paste", "div.fg-downloads", "div.fg-calc", "div.fg-log", "div.fg-report", "ul.fg-key-index"),
        drop,
    ),
    **dict.fromkeys(
        ("form.fg-keyfilter", "div.fg-end", "button.fg-copy", "span.fg-try", "a.headerlink", "noscript", "wbr"), drop
    ),
    "a": _link,
    "a.fg-badge": _badge,
    "a.fg-key": _key,
    "a.fg-permalink": _permalink,
    **dict.fromkeys(("code", "code.nokey"), _code),
    "article": _bug,
    "details": _details,
    "details.*": _details,
    "div.admonition": _admonition,
    "div.fg-card": _block("fg-card"),
    "div.tabbed-set": _tabs,
    "dl.fg-facts": _fact_row,
    "figure.fg-diagram": _diagram,
    "dl.fg-facts.fg-framework": _fact_lines,
    "dl.fg-foot": _fact_lines,
    "p.admonition-title": _paragraph("fg-title"),
    "p.fg-changed": _paragraph("fg-small"),
    "p.fg-code-keys": _paragraph("fg-small"),
    "p.fg-cost": _paragraph("fg-cost"),
    "p.fg-destroys": _paragraph("fg-destroys"),
    "p.fg-fits-link": _paragraph("fg-small"),
    "p.fg-mentions": _paragraph("fg-small"),
    "p.fg-meta": _meta,
    "p.fg-print": _keep,
    "p.fg-short": _paragraph("fg-short"),
    "p.fg-unit": _paragraph("fg-small"),
    "pre": _fence,
    "pre.highlight": _fence,
    "section.fg-part": _part,
    "small": _inline("fg-note"),
    "span.fg-badge": _badge,
    "span.fg-checked": _inline("fg-fact"),
    "span.fg-status": _status,
    "span.fg-versions": _inline("fg-fact"),
    "strong.fg-badge": _badge,
    "table.fg-compare.fg-fits.fg-wide": drop,  # twenty columns: the site has it
    "table": _table,
    "table.*": _table,
    "tr": _row,
    "ul.fg-entries": _entries,
    "ul.fg-keys": _key_rows,
    "ul.fg-signatures": _signature_list,
}

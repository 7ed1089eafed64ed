"""Every page as plain Markdown, as a reader gets it: cards and catalog tables written out, links to sibling files.

The text of `topics/memory/` stands at `topics/memory/index.md`; a heading ends with its id, `## Title {#id}`,
and so does a key in a list.
"""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

from html_to_markdown import ConversionOptions, convert
from lxml import etree, html
from lxml.html import HtmlElement

from fieldguide.content.addresses import page_address
from fieldguide.content.guide import Guide
from fieldguide.site.configuration import Site

FILE = "index.md"
_OPTIONS = ConversionOptions(
    bullets="-", compact_tables=True, escape_asterisks=True, escape_underscores=True, extract_metadata=False
)
# What only a browser can use.
_DROPPED = (
    ".//a[contains(@class, 'headerlink') or contains(@class, 'md-content__button')]",
    ".//*[@hidden or @data-fg]",  # what only a script makes use of
    ".//*[@class='fg-end' or @class='fg-crumbs']",
    ".//form | .//script | .//button | .//input | .//textarea | .//select | .//progress",
)


class NoArticleError(ValueError):
    """A built page without an article: the theme has changed."""


def write_plain_pages(language: str, guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write `index.md` beside the `index.html` of every page of a language.

    Raises:
        NoArticleError: see there.
        OSError: a page was not built.

    Returns:
        the files written.
    """
    return [_write(site, folder, language, name) for name in guide.documents[language]]


def markdown_url(site: Site, language: str, name: str) -> str:
    """Address of a page's Markdown."""
    return site.page(language, name) + FILE


def _write(site: Site, folder: Path, language: str, name: str) -> Path:
    address = page_address(language, name)
    source = folder / address / "index.html"
    target = source.with_name(FILE)
    target.write_text(plain_page(source.read_text(encoding="utf-8"), site, address), encoding="utf-8")
    return target


def plain_page(page: str, site: Site, address: str) -> str:
    """Markdown of the page that a browser gets at `address`.

    Raises:
        NoArticleError: see there.
    """
    found = html.fromstring(page).xpath("//article")
    if not found:
        raise NoArticleError(f"{address or 'index.html'}: no <article>")
    return f"{plain(found[0], site, address)}\n---\n\n{site.url}{address} · CC BY 4.0\n"


def plain(article: HtmlElement, site: Site, address: str) -> str:
    """Markdown of an article, which is changed on the way.

    Args:
        address: of its page, below the site root.
    """
    _entry(article)
    _drop(article)
    for link in article.iter("a"):
        link.attrib.pop("title", None)
        entry = link.attrib.pop("data-permalink", None)
        link.set("href", site.permalink(entry) if entry else sibling(site.url, address, link.get("href", "")))
    for heading in article.xpath(".//*[self::h1 or self::h2 or self::h3 or self::h4][@id]"):
        last = heading[-1] if len(heading) else None
        mark = f" {{#{heading.get('id')}}}"
        if last is None:
            heading.text = (heading.text or "") + mark
        else:
            last.tail = (last.tail or "") + mark
    _rows(article)
    _lines(article)
    _facts(article)
    _code(article)
    _boxes(article)
    return str(convert(html.tostring(article, encoding="unicode", with_tail=False), _OPTIONS).content)


def sibling(url: str, address: str, href: str) -> str:
    """A link of the page at `address`, as its Markdown has it: pages become their `index.md`, other sites stay.

    A link with a question mark is for a page's script: it leads to the page itself.

    >>> sibling("https://x.org/g/", "topics/memory/", "../../glossary/roll/#roll-a")
    '../../glossary/roll/index.md#roll-a'
    >>> sibling("https://x.org/g/", "topics/memory/", "#slime-oom"), sibling("https://x.org/g/", "zh/", "https://y.org/")
    ('#slime-oom', 'https://y.org/')
    """
    if href.startswith("#"):
        return href
    target, anchor = urldefrag(urljoin(url + address, href))
    if not target.startswith(url) or urlsplit(href).scheme:
        return href
    if urlsplit(href).query:
        return urljoin(url + address, href)
    below = target.removeprefix(url)
    file = below + FILE if below.endswith("/") or not below else below
    return posixpath.relpath(file, address or ".") + (f"#{anchor}" if anchor else "")


def _drop(article: HtmlElement) -> None:
    for path in _DROPPED:
        for element in article.xpath(path):
            element.drop_tree()
    for element in article.xpath(".//wbr | .//noscript | .//var | .//tr[@id]/td[1]/a"):
        element.drop_tag()


def _entry(article: HtmlElement) -> None:
    """The facts of an entry at its end, in place of its margin and of what to do when it was not the right one; lists open."""
    for margin in article.find_class("fg-rail"):
        facts, (report,), (foot,) = margin.find("dl"), article.find_class("fg-report-part"), article.find_class("fg-foot")
        foot.extend(facts[2:])  # the first one, what it was checked against, is there already
        report.addprevious(html.Element("hr"))
        report.getparent().replace(report, foot)
        margin.drop_tree()
    for part in [*article.find_class("fg-prints"), *article.find_class("fg-asked")]:
        first, *others = part.iter("ul")
        for other in others:
            first.extend(other)
        for folded in part.findall("details"):
            folded.drop_tree()


def _lines(article: HtmlElement) -> None:
    """Items of a list with a second line, such as an entry and its answer, in one."""
    for second in article.xpath(".//*[@class='fg-entries']//li/p"):
        before = second.getprevious()
        before.tail = ": "
        second.tag = "span"


def _rows(article: HtmlElement) -> None:
    """Rows of keys end with their id; what upstream writes is no HTML."""
    for row in article.xpath(".//ul[@class='fg-keys']/li"):
        row[-1].tail = f" {{#{row.get('id')}}}"
        row[0].drop_tag()
    for row in article.xpath(".//article"):
        etree.SubElement(row[-1], "span").text = f" {{#{row.get('id')}}}"
    for quote in article.xpath(".//q"):
        quote.text = (quote.text or "").replace("<", "&lt;")
        quote.drop_tag()  # it has its quotation marks


def _facts(article: HtmlElement) -> None:
    """The facts of a card with dots between, definition lists as lists."""
    for meta in article.find_class("fg-meta"):
        for fact in meta[:-1]:
            fact.tail = " · "
    for listing in article.iter("dl"):
        facts = [*_pairs(listing)]
        listing.tag, listing[:] = "ul", facts


def _pairs(listing: HtmlElement) -> Iterator[HtmlElement]:
    """`<dt>` and its `<dd>` as one item, `- **term**: fact`."""
    for term in listing.findall("dt"):
        item = html.Element("li")
        term.tag, term.tail = "strong", ": "
        following = term.getnext()
        item.append(term)
        if following is not None and following.tag == "dd":
            following.tag = "span"
            for key in following.xpath("./ul/li/a"):
                key.tail = " "
            for wrapper in following.xpath("./ul | ./ul/li"):
                wrapper.drop_tag()
            for line in following.findall(".//br"):
                line.tag, line.tail = "span", "; " + (line.tail or "")
            item.append(following)
        yield item


def _code(article: HtmlElement) -> None:
    """Code blocks name their language where the converter looks for it."""
    for box in article.find_class("highlight"):
        language = next((one for one in box.classes if one.startswith("language-")), "language-text")
        for code in box.iter("code"):
            text = code.text_content()
            code.clear()
            code.text = text
            code.set("class", language)


def _boxes(article: HtmlElement) -> None:
    """Admonitions as quotes, folded text as a paragraph or heading and its text, tabs one below the other."""
    for letter in article.find_class("fg-errors"):
        letter[0].tag, letter[0][:] = "h2", letter[0][:1]
        letter[0][0].text = f"{letter[0][0].text} {{#{letter.get('id')}}}"
        letter[0][0].drop_tag()
    for title in article.xpath(".//summary[h2 or h3]"):
        title.drop_tag()
    for title in article.xpath(".//summary | .//*[contains(@class, 'admonition-title')]"):
        strong = html.Element("strong")
        strong.text, title.text = title.text, None
        strong[:] = list(title)
        title.append(strong)
        title.tag = "p"
    for box in article.xpath(".//details"):
        box.tag = "div"
    for box in article.find_class("admonition"):
        box.tag = "blockquote"
    for tabs in article.find_class("tabbed-set"):
        labels = [label.text_content() for label in tabs.xpath("./*[@class='tabbed-labels']/label")]
        blocks = tabs.xpath("./*[@class='tabbed-content']/*")
        for label, block in zip(labels, blocks, strict=True):
            head = html.Element("p")
            head.append(html.Element("strong"))
            head[0].text = label
            block.insert(0, head)
        tabs[:] = blocks

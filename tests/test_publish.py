"""What stands beside the pages: catalog.json, plain Markdown, llms.txt, the sitemap."""

import gzip
import json
import re
from copy import deepcopy
from os.path import normpath
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

import jsonschema
import pytest
from lxml import etree, html
from markdown_it import MarkdownIt
from markdown_it.token import Token

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.guide import Guide, load_guide
from fieldguide.content.keys import resolve_keys
from fieldguide.content.listing import generated_ids
from fieldguide.site.configuration import load_site
from fieldguide.site.publish.catalog import catalog_schema
from fieldguide.site.publish.models import FORMAT
from fieldguide.site.publish.plain import plain, sibling
from fieldguide.site.theme import is_key_group
from tests.conftest import ROOT
from tests.trees import Trees

BASE = "https://example.org/guide/"
PUBLISHED_SCHEMA = ROOT / "tests" / "fixtures" / f"catalog-{FORMAT}.schema.json"
HEADING_ID = re.compile(r"^#+ .*\{#([^}]+)\}$", re.MULTILINE)
PARTS = ("fix", "answer", "confirm", "why", "versions", "asked", "prints", "sources", "elsewhere", "see-also")
ROW_ID = re.compile(r"^- `.*\{#([^}]+)\}$", re.MULTILINE)


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def catalog(site: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((site / "catalog.json").read_text(encoding="utf-8"))
    return data


@pytest.fixture(scope="module")
def tokens(guide: Guide, site: Path) -> dict[str, list[Token]]:
    """The plain Markdown beside each page, parsed, by the page's address."""
    parser = MarkdownIt("commonmark").enable("table")
    return {address: parser.parse((site / address / "index.md").read_text(encoding="utf-8")) for _, _, address in pages(guide)}


def pages(guide: Guide) -> list[tuple[str, str, str]]:
    """(language, name, address below the site root) of every page."""
    return [(language, name, page_address(language, name)) for language in LANGUAGES for name in guide.documents[language]]


def test_catalog_satisfies_its_published_schema(site: Path, catalog: dict[str, Any]) -> None:
    schema = json.loads((site / "catalog.schema.json").read_text(encoding="utf-8"))
    assert schema["$id"] == catalog["$schema"] == BASE + "catalog.schema.json"
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(catalog, schema, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("path", "value"),
    [(("format",), 2), (("entries", 0, "url", "zh"), None), (("entries", 0, "id"), "Not An Id"), (("keys", 0, "kind"), "toml")],
)
def test_the_schema_refuses_what_is_wrong(site: Path, catalog: dict[str, Any], path: tuple[Any, ...], value: object) -> None:
    broken = json.loads(json.dumps(catalog))
    place = broken
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json.loads((site / "catalog.schema.json").read_text(encoding="utf-8")))


def lost(old: Any, new: Any, path: str = "") -> list[str]:
    """Places of a schema that a newer one changes or no longer has; descriptions and new fields do not count."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = [name for name in old if name not in ("description", "title", "$id") or path.endswith("/properties")]
        return [place for name in names for place in lost(old[name], new.get(name), f"{path}/{name}")]
    if isinstance(old, list) and isinstance(new, list) and not path.endswith("/anyOf"):
        return [f"{path}: {item}" for item in old if item not in new]
    return [] if old == new else [path]


def test_a_program_that_reads_this_format_goes_on_working() -> None:
    """Fields may join a published format, never leave it: raise FORMAT then, with a new file, `catalog_schema("")` as JSON.

    Before the first release there are no such programs: write the file anew.
    """
    assert not lost(json.loads(PUBLISHED_SCHEMA.read_text(encoding="utf-8")), catalog_schema(""))


def test_a_lost_field_is_noticed() -> None:
    changed = catalog_schema("")
    del changed["$defs"]["EntryRecord"]["properties"]["permalink"]
    assert lost(catalog_schema(""), changed) == ["/$defs/EntryRecord/properties/permalink"]


def test_catalog_holds_every_entry_and_key(guide: Guide, catalog: dict[str, Any]) -> None:
    assert [entry["id"] for entry in catalog["entries"]] == list(guide.catalog.entry)
    assert [key["id"] for key in catalog["keys"]] == [owned.id for owned in guide.catalog.owned_keys]
    for entry in catalog["entries"]:
        assert [one["text"] for one in entry.get("signatures", [])] == [
            one.text for one in guide.catalog.signatures_of[entry["id"]]
        ]


def test_addresses_in_the_catalog_lead_somewhere(site: Path, catalog: dict[str, Any], trees: Trees) -> None:
    dead, ids = [], {}
    for record in [*catalog["pages"], *catalog["entries"], *catalog["keys"], *catalog["concepts"]]:
        for address in [*record["url"].values(), *record.get("markdown", {}).values()]:
            path, anchor = urldefrag(address.removeprefix(BASE))
            file = site / path / "index.html" if path.endswith("/") or not path else site / path
            if file not in ids and file.is_file():
                ids[file] = set(trees(file).xpath("//@id"))
            if file not in ids or (anchor and anchor not in ids[file]):
                dead.append(address)
    assert not dead, "\n".join(dead)


def test_every_page_names_its_markdown(guide: Guide, site: Path, trees: Trees) -> None:
    for _, _, address in pages(guide):
        tree = trees(site / address / "index.html")
        (href,) = tree.xpath("//link[@rel='alternate'][@type='text/markdown']/@href")
        assert (site / address / href).resolve() == (site / address / "index.md").resolve()
        assert (site / address / "index.md").is_file()


def squeezed(text: str) -> str:
    """Letters and digits alone: white space and marks differ between a page and its Markdown."""
    return re.sub(r"\W+", "", text)


def test_markdown_says_what_the_page_says(site: Path, tokens: dict[str, list[Token]], trees: Trees) -> None:
    """Every paragraph, cell, item and heading that a reader sees, in plain Markdown that renders to the same words."""
    missing = []
    parser = MarkdownIt("commonmark")
    for address, parsed in tokens.items():
        rendered = html.fromstring(parser.renderer.render(parsed, parser.options, {}))
        text = squeezed(rendered.text_content())
        article = deepcopy(trees(site / address / "index.html").xpath("//article")[0])
        around = ".//*[@class='fg-crumbs'] | .//aside | .//*[@data-part='not-this']"
        for element in article.xpath(f".//*[@hidden or @data-fg] | .//form | .//button | .//a[@class='headerlink'] | {around}"):
            element.drop_tree()
        seen = article.xpath(".//h1 | .//h2 | .//h3 | .//p | .//li[not(.//ul) and not(.//p)] | .//td | .//pre | .//dd")
        missing += [f"{address}: {one.text_content()[:70]!r}" for one in seen if squeezed(one.text_content()) not in text]
    assert not missing, "\n".join(missing)


def test_markdown_of_an_entry_ends_with_its_facts(guide: Guide, site: Path) -> None:
    for id_, entry in guide.catalog.entry.items():
        address = page_address("zh", guide.catalog.page_of(id_))
        text = (site / address / "index.md").read_text(encoding="utf-8").partition("\n---\n")[2]
        for source in entry.sources:
            assert source.path.replace("_", r"\_") in text, id_
        assert f"]({BASE}e/{id_}/)" in text and guide.words["zh"]["checked_against"] in text
        listed = {owned.id for owned in resolve_keys(guide.keys, entry.keys, entry.framework)}
        assert {*re.findall(r"index\.md#([a-z0-9-]+)\)", text)} == listed, id_


def test_code_in_markdown_is_the_code_of_the_source(guide: Guide, tokens: dict[str, list[Token]]) -> None:
    for language, name, address in pages(guide):
        blocks = [(token.info, token.content.strip("\n")) for token in tokens[address] if token.type == "fence"]
        sections = guide.documents[language][name].sections
        source = [(fence.language, fence.text.strip("\n")) for section in sections for fence in section.fences]
        if name.startswith("versions/"):  # a template writes the sets out, below what the author wrote
            assert {text for _, text in source} <= {text for _, text in blocks}, address
        else:
            assert [text for _, text in blocks] == [text for _, text in source], address
        assert all(info for info, _ in blocks), address


def test_markdown_carries_ids_and_no_stamps(guide: Guide, site: Path) -> None:
    made = {*PARTS}.union(*generated_ids(guide).values())
    for language, name, address in pages(guide):
        markdown = (site / address / "index.md").read_text(encoding="utf-8")
        assert "<!--" not in markdown and "nokey" not in markdown
        ids = [section.id for section in guide.documents[language][name].sections if section.id]
        assert [id_ for id_ in HEADING_ID.findall(markdown) if id_ in ids or id_ not in made] == ids, address
        rows = {owned.id for owned in guide.rows_of.get(name, ())}
        assert {*ROW_ID.findall(markdown)} == rows, address


def test_links_in_markdown_lead_to_markdown(site: Path, tokens: dict[str, list[Token]]) -> None:
    dead = []
    texts = {file: file.read_text(encoding="utf-8") for file in site.rglob("index.md")}
    ids = {file: {*HEADING_ID.findall(text), *ROW_ID.findall(text)} for file, text in texts.items()}
    for address, parsed in tokens.items():
        here = site / address / "index.md"
        for token in parsed:
            for child in token.children or []:
                href = str(child.attrGet("href") or "") if child.type == "link_open" else ""
                path, anchor = urldefrag(unquote(href))
                if "://" in href or not href:
                    continue
                target = Path(normpath(here.parent / path)) if path else here
                if target not in ids or (anchor and anchor not in ids[target]):
                    dead.append(f"{address}: {href}")
    assert not dead, "\n".join(dead)


def test_boxes_of_the_theme_become_markdown() -> None:
    article = html.fromstring(
        '<article><div class="admonition note"><p class="admonition-title">Careful</p><p>It bites.</p></div>'
        '<details><summary>More</summary><p>Text.</p></details><div class="tabbed-set"><input type="radio">'
        '<div class="tabbed-labels"><label>A</label><label>B</label></div><div class="tabbed-content">'
        '<div class="tabbed-block"><p>one</p></div><div class="tabbed-block"><p>two</p></div></div></div></article>'
    )
    lines = [line for line in plain(article, load_site(ROOT), "").splitlines() if line.strip("> ")]
    assert lines == ["> **Careful**", "> It bites.", "**More**", "Text.", "**A**", "one", "**B**", "two"]


@pytest.mark.parametrize(
    ("address", "href", "expected"),
    [
        ("", "topics/memory/", "topics/memory/index.md"),
        ("zh/", ".", "index.md"),
        ("zh/topics/memory/", "../../../topics/memory/#a", "../../../topics/memory/index.md#a"),
        ("topics/memory/", "../../assets/x.svg", "../../assets/x.svg"),
        ("topics/memory/", "../../calculate/?calc=roll#x", BASE + "calculate/?calc=roll#x"),
        ("topics/memory/", "mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_to_pages_name_their_markdown(address: str, href: str, expected: str) -> None:
    assert sibling(BASE, address, href) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_llms_txt_follows_the_convention_and_names_every_page(guide: Guide, site: Path, language: str) -> None:
    text = (site / page_address(language, "index") / "llms.txt").read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if block.strip()]
    assert blocks[0].startswith("# ") and blocks[1].startswith("> ")
    listed = re.findall(r"^- \[(.+?)\]\((\S+?)\)(: .+)?$", text, re.MULTILINE)
    assert len(listed) == len([line for line in text.splitlines() if line.startswith("-")])
    assert all(description for _, _, description in listed)
    addresses = [address.removeprefix(BASE) for _, address, _ in listed]
    assert not [address for address in addresses if not (site / address).is_file()]
    assert {page_address(language, name) + "index.md" for name in guide.documents[language]} <= set(addresses)


def test_llms_txt_lists_entries_by_topic_and_groups_of_keys_as_optional(guide: Guide, site: Path) -> None:
    sections = (site / "llms.txt").read_text(encoding="utf-8").split("\n## ")
    by_title = {section.partition("\n")[0]: re.findall(r"\]\((\S+?)\)", section) for section in sections}
    for topic, entries in guide.catalog.entries_of.items():
        title = guide.documents["en"][f"topics/{topic}/index"].title
        assert by_title[title] == [f"{BASE}{guide.catalog.page_of(entry.id)}/index.md" for entry in entries]
    groups = [name for name in guide.documents["en"] if is_key_group(name)]
    assert by_title["Optional"] == [*(f"{BASE}{name}/index.md" for name in groups), f"{BASE}zh/llms.txt"]


def test_sitemap_lists_every_page_with_its_twins(guide: Guide, site: Path) -> None:
    data = (site / "sitemap.xml").read_bytes()
    assert gzip.decompress((site / "sitemap.xml.gz").read_bytes()) == data
    spaces = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    urls = etree.fromstring(data).findall("s:url", spaces)
    assert [url.findtext("s:loc", "", spaces) for url in urls] == [BASE + address for _, _, address in pages(guide)]
    for url in urls:
        plain_address = url.findtext("s:loc", "", spaces).removeprefix(BASE).removeprefix("zh/")
        twins = {link.get("hreflang"): link.get("href") for link in url.findall("x:link", spaces)}
        english = urljoin(BASE, plain_address)
        assert twins == {"en": english, "zh-Hans": f"{BASE}zh/{plain_address}", "x-default": english}
        assert all((site / twin.removeprefix(BASE) / "index.html").is_file() for twin in twins.values())

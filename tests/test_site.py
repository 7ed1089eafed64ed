"""The built site, as files: links, ids, languages, weight."""

import gzip
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from lxml import html

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.document import plain_inline
from fieldguide.content.guide import Guide, load_guide
from tests.conftest import ROOT
from tests.trees import parse

BASE = "https://example.org/guide/"


@dataclass(frozen=True)
class Page:
    """One HTML file of the site."""

    file: Path
    address: str

    @property
    def tree(self) -> html.HtmlElement:
        return parse(self.file)

    @cached_property
    def ids(self) -> Counter[str]:
        return Counter(self.tree.xpath("//@id"))

    @property
    def links(self) -> Iterator[str]:
        yield from (urljoin(BASE + self.address, href) for href in self.tree.xpath("//a/@href"))


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Address below the site root → page, 404 left out."""
    found = {}
    for file in sorted(site.rglob("index.html")):
        address = file.parent.relative_to(site).as_posix()
        if address.removeprefix("zh/").startswith("e/"):
            continue  # permalinks: tests/test_permalinks.py
        address = "" if address == "." else address + "/"
        found[address] = Page(file, address)
    return found


def test_every_page_is_built_in_both_languages(guide: Guide, pages: dict[str, Page]) -> None:
    expected = {page_address(language, name) for language in LANGUAGES for name in guide.documents[language]}
    assert set(pages) == expected
    assert {address for address in pages if not address.startswith("zh/")} == {
        address.removeprefix("zh/") for address in pages if address.startswith("zh/")
    }


def test_every_internal_link_and_anchor_resolves(site: Path, pages: dict[str, Page]) -> None:
    dead = []
    for page in pages.values():
        for link in set(page.links):
            if not link.startswith(BASE):
                continue
            address, anchor = urldefrag(link)
            path = unquote(urlsplit(address).path.removeprefix("/guide/"))
            target = pages.get(path)
            if target is None and not (site / path / "index.html").is_file() and not (site / path).is_file():
                dead.append(f"{page.address or '/'} → {path}")
            elif target and anchor and unquote(anchor) not in target.ids:
                dead.append(f"{page.address or '/'} → {path}#{anchor}")
    assert not dead, "\n".join(dead)


def test_ids_stand_once_per_page(pages: dict[str, Page]) -> None:
    double = [f"{page.address}#{id_}" for page in pages.values() for id_, count in page.ids.items() if count > 1]
    assert not double, "\n".join(double)


def test_one_process_runs_what_shares_a_fixture(request: pytest.FixtureRequest) -> None:
    """pytest-xdist finds a group in the name of its tests; with a pytest that it does not know it says nothing."""
    assert "PYTEST_XDIST_WORKER" not in os.environ or request.node.nodeid.endswith("@pages")


def test_every_entry_stands_on_exactly_one_page_per_language(guide: Guide, pages: dict[str, Page]) -> None:
    homes: dict[tuple[str, str], list[str]] = {}
    for address, page in pages.items():
        language = "zh" if address.startswith("zh/") else "en"
        for entry in page.tree.xpath("//section[@data-entry = h1/@id]/@data-entry"):
            homes.setdefault((entry, language), []).append(address)
    assert homes == {
        (entry, language): [page_address(language, f"topics/{guide.catalog.topic_of[entry]}/{entry}")]
        for entry in guide.catalog.entry
        for language in LANGUAGES
    }


def test_headings_and_code_are_equal_in_both_languages(pages: dict[str, Page]) -> None:
    differing = []
    for address, page in pages.items():
        if address.startswith("zh/"):
            continue
        twin = pages["zh/" + address]
        for path in ("//article//*[self::h1 or self::h2 or self::h3]/@id", "//article//section/@data-entry"):
            if page.tree.xpath(path) != twin.tree.xpath(path):
                differing.append(f"{address}: {path}")
        code = [[element.text_content() for element in tree.xpath("//article//pre")] for tree in (page.tree, twin.tree)]
        if code[0] != code[1]:
            differing.append(f"{address}: code blocks")
    assert not differing, "\n".join(differing)


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    wrong = []
    for page in pages.values():
        loaded = page.tree.xpath(
            "//script/@src | //img/@src | //iframe/@src | //link[not(@rel='canonical' or @rel='alternate')]/@href"
        )
        wrong += [f"{page.address}: {url}" for url in loaded if urljoin(BASE, url).split("/")[2] != "example.org"]
        wrong += [f"{page.address}: inline import" for style in page.tree.xpath("//style/text()") if "http" in style]
    for sheet in site.rglob("*.css"):
        wrong += [f"{sheet}: {url}" for url in re.findall(r"url\(\s*['\"]?(https?:[^)]+)", sheet.read_text(encoding="utf-8"))]
    assert not wrong, "\n".join(wrong)


def test_each_page_names_its_twin_absolutely(pages: dict[str, Page]) -> None:
    for address, page in pages.items():
        plain = address.removeprefix("zh/")
        links = {link.get("hreflang"): link.get("href") for link in page.tree.xpath("//link[@rel='alternate'][@hreflang]")}
        assert links == {"en": BASE + plain, "zh-Hans": BASE + "zh/" + plain, "x-default": BASE + plain}, address
        assert page.tree.get("lang") == ("zh" if address.startswith("zh/") else "en")


def test_a_page_and_what_it_loads_is_at_most_130_kb_gzip(site: Path, pages: dict[str, Page]) -> None:
    """Cold view: the page, its styles and scripts. The search loads later, on first use."""
    heavy = []
    for page in pages.values():
        files = [page.file, *_assets(site, page)]
        size = sum(len(gzip.compress(file.read_bytes(), 6)) for file in files)
        if size > 130_000:
            heavy.append(f"{page.address}: {size:,} bytes")
    assert not heavy, "\n".join(heavy)


def _assets(site: Path, page: Page) -> Iterator[Path]:
    for url in page.tree.xpath("//script/@src | //link[@rel='stylesheet']/@href | //link[@rel='icon']/@href"):
        yield site / urlsplit(urljoin(BASE + page.address, url)).path.removeprefix("/guide/")


def test_every_entry_shows_signature_stamp_and_source(guide: Guide, pages: dict[str, Page]) -> None:
    missing = []
    for item in guide.catalog.entries:
        for language in LANGUAGES:
            page = pages[page_address(language, guide.catalog.page_of(item.record.id))]
            section = page.tree.xpath(f"//section[@data-entry='{item.record.id}']")[0]
            text = " ".join(section.text_content().split())
            if item.record.framework in guide.catalog.framework:
                commit = guide.catalog.framework[item.record.framework].commit or ""
                if commit[:7] not in text:
                    missing.append(f"{item.record.id} ({language}): stamp")
            if len(section.xpath(".//ul[@class='fg-signatures']/li")) < len(item.record.signatures):
                missing.append(f"{item.record.id} ({language}): signatures")
    assert not missing, "\n".join(missing)


def test_status_page_has_a_row_per_framework_and_entry(guide: Guide, pages: dict[str, Page]) -> None:
    for language in LANGUAGES:
        frameworks, _released, entries = pages[page_address(language, "status")].tree.xpath("//table[@class='fg-status-table']")
        assert frameworks.xpath(".//tbody/tr/@data-fw") == list(guide.catalog.framework)
        linked = [href.rstrip("/").rpartition("/")[2] for href in entries.xpath(".//tbody/tr/td[1]/a/@href")]
        assert sorted(linked) == sorted(guide.catalog.entry)


def test_not_found_page_has_both_languages(site: Path) -> None:
    tree = html.fromstring((site / "404.html").read_text(encoding="utf-8"))
    assert tree.xpath("//section[@data-fg='not-found']/@lang") == ["en", "zh"]
    assert all(href.startswith("/guide/") for href in tree.xpath("//section[@data-fg='not-found']//a/@href"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_data_stay_small(site: Path, language: str) -> None:
    sizes = {file.stem: len(gzip.compress(file.read_bytes(), 9)) for file in (site / "search").glob("*.json")}
    first = sizes["guide"] + sizes[language]
    searched = {
        "guide",
        "scan",
        "bugs",
        language,
        f"{language}-text",
        f"{language}-more",
        f"{language}-bugs",
    }  # fixes are shown, not searched
    total = sum(size for name, size in sizes.items() if name in searched)
    assert first <= 150_000 and total <= 800_000, (first, total)


def test_an_entry_speaks_for_itself_in_a_tab_a_chat_and_a_search_engine(guide: Guide, pages: dict[str, Page]) -> None:
    for entry in guide.catalog.entry:
        for language in LANGUAGES:
            document, page = guide.entry_document(language, entry), pages[page_address(language, guide.catalog.page_of(entry))]
            title = plain_inline(document.title)
            meta = {one.get("name") or one.get("property"): one.get("content") for one in page.tree.xpath("//meta[@content]")}
            assert page.tree.xpath("//title/text()")[0].startswith(title)
            assert meta["og:title"] == title and meta["description"] == meta["og:description"] == plain_inline(document.short)
            assert meta["og:image"] == f"{BASE}assets/images/card-{language}.png" and "robots" not in meta
            assert page.tree.xpath("//link[@rel='canonical']/@href") == [BASE + page.address]


def test_every_published_address_is_in_the_built_page(pages: dict[str, Page]) -> None:
    lost = []
    for line in (ROOT / "catalog/published-addresses.txt").read_text(encoding="utf-8").splitlines():
        name, _, anchor = line.partition("#")
        for language in LANGUAGES:
            page = pages.get(page_address(language, name))
            if page is None or (anchor and anchor not in page.ids):
                lost.append(f"{language}: {line}")
    assert not lost, "\n".join(lost)

"""What chats and social networks show beside a link: title, words, language, and the picture where one was made."""

from pathlib import Path

import pytest
from lxml import html

from fieldguide.guide import LANGUAGES, Guide, load_guide
from fieldguide.problems import ContentError
from fieldguide.publish.pictures import find_cards
from fieldguide.site import load_site
from fieldguide.theme import page_address
from tests.conftest import ROOT, build

BASE = "https://example.org/guide/"
PNG_1200_630 = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x04\xb0\x00\x00\x02\x76"


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def cards(guide: Guide, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("typst", reason="typst is not installed; `make test` and scripts/setup.sh test install it")
    from fieldguide.social import write_cards

    folder = tmp_path_factory.mktemp("social")
    write_cards(guide, load_site(ROOT), folder)
    return folder


def meta(file: Path) -> dict[str, str]:
    tree = html.fromstring(file.read_text(encoding="utf-8"))
    tags = tree.xpath("//meta[starts-with(@property, 'og:') or starts-with(@name, 'twitter:') or @name='description']")
    return {tag.get("property") or tag.get("name"): tag.get("content") for tag in tags}


def test_every_page_says_what_it_is_in_its_language(guide: Guide, site: Path) -> None:
    for language in LANGUAGES:
        names = load_site(ROOT).names
        for name, document in guide.documents[language].items():
            address = page_address(language, name)
            found = meta(site / address / "index.html")
            assert found["og:title"] and "<" not in found["og:title"] and found["og:site_name"] == names[language]
            assert found["og:description"] == found["description"] == document.meta["description"], name
            assert found["og:url"] == BASE + address
            assert found["og:locale"] == {"en": "en_US", "zh": "zh_CN"}[language]
            assert "og:image" not in found and found["twitter:card"] == "summary", "no picture was made"


def test_a_permalink_says_what_it_leads_to(site: Path) -> None:
    found = meta(site / "e/slime-oom/index.html")
    assert found["og:title"] and found["og:description"] and found["og:url"] == BASE + "e/slime-oom/"


def test_there_is_a_card_per_page_and_language_always_the_same(guide: Guide, cards: Path, tmp_path: Path) -> None:
    from fieldguide.social import write_cards

    again = write_cards(guide, load_site(ROOT), tmp_path)
    assert len(again) == sum(len(guide.documents[language]) for language in LANGUAGES)
    for file in again:
        data = file.read_bytes()
        assert data.startswith(PNG_1200_630) and data == (cards / file.relative_to(tmp_path)).read_bytes()
    assert len({file.read_bytes() for file in again}) == len(again)


def test_cards_are_built_in(cards: Path, tmp_path: Path) -> None:
    site = build(tmp_path / "site", SOCIAL_CARDS=str(cards))
    for file, card in (("zh/topics/memory", "zh/topics/memory"), ("", "en/index"), ("e/slime-oom", "en/topics/memory")):
        found = meta(site / file / "index.html")
        assert found["og:image"] == f"{BASE}assets/social/{card}.png" and found["twitter:card"] == "summary_large_image"
        assert (site / found["og:image"].removeprefix(BASE)).read_bytes() == (cards / f"{card}.png").read_bytes()


def test_a_folder_without_cards_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="make social"):
        find_cards({"SOCIAL_CARDS": str(tmp_path)})
    assert find_cards({}) == {}

"""What chats and social networks show beside a link: title, words, language, and the picture where one was made."""

from pathlib import Path

import pytest
from lxml import html

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.guide import Guide, load_guide
from fieldguide.content.problems import ContentError
from fieldguide.site.configuration import load_site
from fieldguide.site.publish.pictures import find_cards
from fieldguide.site.theme import describe, is_key_group
from tests.conftest import ROOT, build
from tests.trees import Trees, parse

BASE = "https://example.org/guide/"
# Folder of the built site → the card that its page names.
CARDS = (
    ("", "en/index"),
    ("zh/topics/memory", "zh/topics/memory/index"),
    ("topics/memory/slime-oom", "en/topics/memory/slime-oom"),
    ("e/slime-oom", "en/topics/memory/slime-oom"),
    ("zh/e/slime-oom", "zh/topics/memory/slime-oom"),
)
PNG_1200_630 = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x04\xb0\x00\x00\x02\x76"


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def cards(guide: Guide, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("typst", reason="typst is not installed; `make test` and scripts/setup.sh test install it")
    from fieldguide.site.social import write_cards

    folder = tmp_path_factory.mktemp("social")
    write_cards(guide, load_site(ROOT), folder)
    return folder


def meta(tree: html.HtmlElement) -> dict[str, str]:
    tags = tree.xpath("//meta[starts-with(@property, 'og:') or starts-with(@name, 'twitter:') or @name='description']")
    return {tag.get("property") or tag.get("name"): tag.get("content") for tag in tags}


def test_every_page_says_what_it_is_in_its_language(guide: Guide, site: Path, trees: Trees) -> None:
    for language in LANGUAGES:
        names = load_site(ROOT).names
        for name, document in guide.documents[language].items():
            address = page_address(language, name)
            found = meta(trees(site / address / "index.html"))
            assert found["og:title"] and "<code" not in found["og:title"] and found["og:site_name"] == names[language]
            assert found["og:description"] == found["description"] == describe(guide, document), name
            assert found["og:url"] == BASE + address
            assert found["og:locale"] == {"en": "en_US", "zh": "zh_CN"}[language]
            card = f"assets/images/card-{language}.png"
            assert found["og:image"] == BASE + card and found["twitter:card"] == "summary_large_image", "the card of the site"
            assert (site / card).read_bytes().startswith(PNG_1200_630)


def test_a_permalink_says_what_it_leads_to(site: Path, trees: Trees) -> None:
    for address, language in (("e/slime-oom/", "en"), ("zh/e/slime-oom/", "zh")):
        found = meta(trees(site / address / "index.html"))
        assert found["og:title"] and found["og:url"] == BASE + address
        assert found["og:description"] == load_guide(ROOT).entry_document(language, "slime-oom").description
        assert found["og:image"] == f"{BASE}assets/images/card-{language}.png"


def test_the_card_of_the_site_is_what_the_command_makes(tmp_path: Path) -> None:
    """After a change of its name or description: python -m fieldguide.site.social --site overrides/assets/images"""
    pytest.importorskip("typst", reason="typst is not installed; `make test` and scripts/setup.sh test install it")
    from fieldguide.site.social import write_site_cards

    for file in write_site_cards(load_site(ROOT), tmp_path):
        assert file.read_bytes() == (ROOT / "overrides/assets/images" / file.name).read_bytes()


@pytest.mark.whole  # hundreds of pictures, twice; the site has one of its own, see below
def test_there_is_a_card_per_page_and_language_always_the_same(guide: Guide, cards: Path, tmp_path: Path) -> None:
    from fieldguide.site.social import write_cards

    again = write_cards(guide, load_site(ROOT), tmp_path)
    assert len(again) == sum(not is_key_group(name) for language in LANGUAGES for name in guide.documents[language])
    for file in again:
        data = file.read_bytes()
        assert data.startswith(PNG_1200_630) and data == (cards / file.relative_to(tmp_path)).read_bytes()
    assert len({file.read_bytes() for file in again}) == len(again)


@pytest.mark.whole  # a build of its own
def test_cards_are_built_in(cards: Path, tmp_path: Path) -> None:
    site = build(tmp_path / "site", SOCIAL_CARDS=str(cards))
    for file, card in CARDS:
        found = meta(parse(site / file / "index.html"))
        assert found["og:image"] == f"{BASE}assets/social/{card}.png" and found["twitter:card"] == "summary_large_image"
        assert (site / found["og:image"].removeprefix(BASE)).read_bytes() == (cards / f"{card}.png").read_bytes()


def test_a_folder_without_cards_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="make social"):
        find_cards({"SOCIAL_CARDS": str(tmp_path)})
    assert find_cards({}) == {}

"""Old addresses: what was ever published is there or leads on to its new place, in its language, on the web and offline."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import Page, expect

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.checks.published import ADDRESSES
from fieldguide.content.guide import Guide, load_guide
from tests.conftest import ROOT
from tests.trees import Trees, parse

# Every id of a page is named in turn; where the page would go is written down and it stays where it is. What is not shown
# need not be laid out a thousand times.
WALK = """async (ids) => {
  document.body.style.display = "none";
  const led = {};
  let id = "";
  navigation.addEventListener("navigate", (event) => {
    if (event.hashChange) return;
    led[id] = event.destination.url;
    event.preventDefault();
  });
  for (id of ids) {
    const named = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    location.hash = id;
    await named;
  }
  return led;
}"""


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def published() -> Mapping[str, list[str]]:
    """Page → ids on it."""
    pages: dict[str, list[str]] = defaultdict(list)
    for line in (ROOT / ADDRESSES).read_text(encoding="utf-8").splitlines():
        page, _, id_ = line.partition("#")
        pages[page] += [id_] if id_ else []
    return pages


@cache
def ids_of(file: Path) -> frozenset[str]:
    return frozenset(parse(file).xpath("//@id")) if file.is_file() else frozenset()


def test_every_published_address_is_there(site: Path, published: Mapping[str, list[str]], trees: Trees) -> None:
    """A page at its address, an id as an element of that page: also without JavaScript the browser stops at the right row."""
    lost = []
    for language in LANGUAGES:
        for name, ids in published.items():
            file = site / page_address(language, name) / "index.html"
            lost += [] if file.is_file() else [f"{language}: {name}"]
            lost += [f"{language}: {name}#{id_}" for id_ in ids if id_ not in ids_of(file)]
    assert sum(map(len, published.values())) > 2500
    assert not lost, f"{len(lost)} old addresses lost\n" + "\n".join(lost)


def homes(guide: Guide) -> Mapping[str, tuple[str, str]]:
    """Id of an entry, a key or a former one of these → page and id of its place now; an entry is the whole of its page."""
    catalog = guide.catalog
    found = {id_: (catalog.page_of(entry.id), "") for entry in catalog.entry.values() for id_ in (entry.id, *entry.aliases)}
    for owned in catalog.owned_keys:
        found |= dict.fromkeys((owned.id, *owned.key.aliases), (guide.page_of_key[owned.id], owned.id))
    return found


@pytest.fixture
def started(request: pytest.FixtureRequest) -> tuple[str, Path, str]:
    """Where a copy of the site begins, its folder, and what its addresses of pages end with."""
    if request.param == "http":
        return request.getfixturevalue("address"), request.getfixturevalue("site"), ""
    folder = request.getfixturevalue("folder")
    return f"{folder.as_uri()}/", folder, "index.html"


@pytest.mark.whole
@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("started", ["http", "file"], indirect=True)
def test_every_published_address_leads_to_its_place(
    page: Page, started: tuple[str, Path, str], published: Mapping[str, list[str]], guide: Guide, language: str
) -> None:
    base, files, end = started
    step = 1 if language == LANGUAGES[0] and not end else 7  # all of them once
    asked = {name: ids[::step] for name, ids in published.items() if ids}
    walked = {name: walk(page, f"{base}{page_address(language, name)}{end}", ids) for name, ids in asked.items()}
    lost = [fault for name, led in walked.items() for fault in faults(guide, language, name, led, base, files, end)]
    for name, ids in asked.items():
        stayed = [id_ for id_ in ids if id_ in homes(guide) and id_ not in walked[name]]
        lost += [f"{name}#{id_} leads nowhere" for id_ in stayed if homes(guide)[id_][0] != name]
    assert sum(map(len, walked.values())) > 2000 / step
    assert not lost, f"{len(lost)} old addresses lost\n" + "\n".join(lost)


def walk(page: Page, address: str, ids: list[str]) -> dict[str, str]:
    page.goto(address)
    page.wait_for_function("!document.documentElement.classList.contains('fg-arriving')")
    led: dict[str, str] = page.evaluate(WALK, ids)
    return led


def faults(guide: Guide, language: str, name: str, led: Mapping[str, str], base: str, files: Path, end: str) -> Iterator[str]:
    """Targets that do not exist, are of the other language, or are not the place of their entry or key."""
    known = homes(guide)
    for id_, target in led.items():
        path, anchor = urldefrag(target.removeprefix(base))
        folder = path.removesuffix("index.html")
        there = ids_of(files / folder / "index.html")
        if not there or (anchor and anchor not in there):
            yield f"{name}#{id_} leads to {target}, which is not there"
        elif not target.startswith(base + page_address(language, "index")) or not path.endswith(end or "/"):
            yield f"{name}#{id_} leads to {target}, in another language"
        elif id_ in known:
            page, place = known[id_]
            if folder != page_address(language, page) or (place and anchor not in (id_, place)):
                yield f"{name}#{id_} leads to {target}, its place is {page}#{place}"


# An entry, a section inside one, a key with words, a key in a row, a group of keys, a section that has stayed.
SAMPLE = {
    "topics/memory/#slime-oom": ("topics/memory/slime-oom/", "slime-oom"),
    "topics/stability/#moe-permute-fusion": ("topics/stability/chatlearn-mcore-moe/#moe-permute-fusion", "moe-permute-fusion"),
    "zh/glossary/slime/#slime-max-tokens-per-gpu": (
        "zh/glossary/slime/batch/#slime-max-tokens-per-gpu",
        "slime-max-tokens-per-gpu",
    ),
    "glossary/verl/#verl-skip-async-rollout-action": (
        "glossary/verl/skip/#verl-skip-async-rollout-action",
        "verl-skip-async-rollout-action",
    ),
    "glossary/verl/#keys-verl-actor": ("glossary/verl/actor/#keys-verl-actor", "keys-verl-actor"),
    "zh/topics/memory/#which-oom": ("zh/topics/memory/#which-oom", "which-oom"),
}


@pytest.mark.browser
@pytest.mark.parametrize("old", SAMPLE)
@pytest.mark.parametrize("started", ["http", pytest.param("file", marks=pytest.mark.whole)], indirect=True)
def test_a_reader_with_an_old_link_ends_at_the_place(page: Page, started: tuple[str, Path, str], old: str) -> None:
    base, _, end = started
    new, id_ = SAMPLE[old]
    page.goto(base + old.replace("/#", f"/{end}#"))
    path, _, anchor = new.partition("#")
    expect(page).to_have_url(f"{base}{path}{end}" + (f"#{anchor}" if anchor else ""))
    expect(page.locator(f"[id='{id_}']")).to_be_in_viewport()

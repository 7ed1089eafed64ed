"""Shared fixtures: a small guide to break, and the real site, built once."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, expect

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.compile import lookup_guide
from fieldguide.content.compiled import FOLDER, compiled_folder
from fieldguide.content.guide import load_guide
from fieldguide.runtime.guide import Guide
from fieldguide.site.offline import make_offline
from tests.browser import launched
from tests.clones import make_small
from tests.trees import Trees, parse

if TYPE_CHECKING:
    from tests.books import Printed

ROOT = Path(__file__).resolve().parent.parent
for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):  # git sets them for a hook; tests have repositories of their own
    os.environ.pop(name, None)
# The links to the repository are there in every page that a test renders or builds.
os.environ["REPO_URL"] = "https://github.com/example/guide"


# Files of tests that take minutes: `make test-all` runs them, before a release and before a change of what they look at. Single
# tests of other files that do are marked where they stand.
WHOLE = frozenset(
    f"test_{name}.py"
    for name in (
        "book_indexes", "book_structure", "book_text", "hostile", "live", "offline", "pages", "reproducible", "weight",
    )
)  # fmt: skip
# Tests of what takes seconds and is seldom changed: what reads upstream, whole runs, the wheel, other programs. `make test
# FAST=1` leaves them out.
SLOW = frozenset(
    f"test_{name}.py"
    for name in (
        "assistant", "extract", "freshness", "mcp", "mutations", "releases", "run", "run_command", "run_engine",
        "run_input", "wheel",
    )
)  # fmt: skip
# What a test needs that takes a browser, the built site, a book or a picture to make.
MADE = frozenset({"address", "archive", "book", "browser", "folder", "live", "printed", "site", "trees", "wheel"})


# Files whose tests share what takes long to make: one process runs them all. That of "pages" runs every test that reads
# the built site's pages, and builds the site.
TOGETHER = {
    "test_agreement.py": "agreement",
    "test_find.py": "find",
    "test_live.py": "live",
    "test_pages.py": "each page",
    "test_publish.py": "pages",
    "test_run_engine.py": "run engine",
    "test_search.py": "search",
    "test_site.py": "pages",
}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what takes minutes, and what needs something made; keep together what shares it."""
    names = set(getattr(item, "fixturenames", ()))
    if item.path.name in WHOLE:
        item.add_marker(pytest.mark.whole)
    if item.path.name in SLOW:
        item.add_marker(pytest.mark.slow)
    if names & MADE or item.get_closest_marker("browser") or item.path.stem.startswith(("test_book", "test_social")):
        item.add_marker(pytest.mark.made)
    shared = "book" if "printed" in names else "pages" if "trees" in names else TOGETHER.get(item.path.name)
    if shared:
        item.add_marker(pytest.mark.xdist_group(shared))


def group(item: pytest.Item) -> str:
    """What the test shares with others, if anything."""
    marker = item.get_closest_marker("xdist_group")
    return marker.args[0] if marker else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process starts with the site and its pages, the other with what needs none; what takes long alone comes before what
    can be dealt out test by test, so that both end together."""

    def turn(item: pytest.Item) -> tuple[bool, bool, bool]:
        return group(item) != "pages", item.get_closest_marker("made") is not None, not group(item)

    items.sort(key=turn)


def once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that `make` fills, once for all processes of a run."""
    base = temporary.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
    with FileLock(folder.with_suffix(".lock")):
        if not folder.with_suffix(".made").exists():
            make(folder)
            folder.with_suffix(".made").touch()
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tiny guide of two frameworks without faults, to change at will."""
    return make_small(tmp_path / "guide")


@pytest.fixture
def tiny(small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That guide as a checkout that can be printed."""
    from tests.books import ENVIRONMENT, make_printable

    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    make_printable(small)
    return small


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, "Printed"]:
    """Both books, set once."""
    from tests.books import set_books

    return set_books(tmp_path_factory.mktemp("dist"))


@pytest.fixture(params=LANGUAGES)
def book(request: pytest.FixtureRequest, printed: dict[str, "Printed"]) -> "Printed":
    """One of them."""
    return printed[request.param]


@pytest.fixture(scope="session")
def compiled() -> Guide:
    """The guide as a lookup sees it."""
    return lookup_guide(load_guide(ROOT).catalog)


@pytest.fixture(scope="session")
def compiled_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the compiled guide of this checkout; one process brings it up to date."""
    once(tmp_path_factory, "compiled", lambda _: compiled_folder(ROOT))
    return ROOT / FOLDER


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; FIELDGUIDE_SITE names one that stands already."""
    if ready := os.environ.get("FIELDGUIDE_SITE"):
        return Path(ready)
    return once(tmp_path_factory, "site", build)


@pytest.fixture(scope="session")
def trees() -> Trees:
    """What parses a page of the site once. Tests that ask for it run in one process."""
    return parse


def build(directory: Path, root: Path = ROOT, **variables: str) -> Path:
    """Build the site of the checkout `root` into `directory`, strictly and without a word."""
    environment = os.environ | {
        "SITE_DIR": str(directory),
        "SITE_URL": "https://example.org/guide/",
        "NO_MKDOCS_2_WARNING": "1",
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=root, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr.strip(), f"the build is not quiet:\n{done.stderr}"
    return directory


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The site on a local web server, below a path as a project page is."""
    from tests.server import serving

    with serving(site, "/guide/") as base:
        yield base


@pytest.fixture(scope="session")
def archive(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of the site that opens from a folder, packed."""
    return once(tmp_path_factory, "packed", lambda folder: pack(site, folder)) / "guide.zip"


def pack(site: Path, folder: Path) -> None:
    folder.mkdir()
    make_offline(site, folder / "guide.zip", "guide")


@pytest.fixture(scope="session")
def folder(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That copy, unpacked."""

    def unpack(folder: Path) -> None:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)

    return once(tmp_path_factory, "unpacked", unpack) / "guide"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser."""
    expect.set_options(timeout=20_000)  # a machine of continuous integration is slow at times; right answers come at once
    with launched() as running:
        yield running


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab of that reader."""
    return context.new_page()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile of an English reader at a desk."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    yield context
    context.close()

"""The Atom feeds, against RFC 4287 and against git; links to the repository."""

import re
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import etree, html

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.guide import Guide, load_guide
from fieldguide.site.configuration import load_site
from fieldguide.site.publish.feed import write_feeds
from fieldguide.site.tracker import find_tracker
from tests.conftest import ROOT
from tests.trees import Trees

BASE = "https://example.org/guide/"
REPOSITORY = "https://github.com/example/guide"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
DATE = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


def feed_of(folder: Path, language: str) -> etree._Element:
    return etree.fromstring((folder / page_address(language, "index") / "feed.xml").read_bytes())


def commit(root: Path, day: int, *add: str) -> None:
    date = f"2026-01-{day:02}T00:00:00Z"
    names = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "HOME": str(root), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", *add], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=root, check=True, env=names)


@pytest.fixture
def dated(small: Path) -> Path:
    """The small guide, written on the 1st; one entry's words change on the 2nd, the other's facts on the 3rd."""
    (small / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), encoding="utf-8")
    (small / "pyproject.toml").write_text('[project]\nversion = "1"\n', encoding="utf-8")
    commit(small, 1, "-A")
    page, facts = small / "docs/en/topics/memory/beta-oom.md", small / "catalog/entries/memory/alpha-oom.yml"
    page.write_text(page.read_text(encoding="utf-8").replace("As many as", "Just as many as"), encoding="utf-8")
    commit(small, 2, "docs")
    facts.write_text(facts.read_text(encoding="utf-8").replace("line: 12", "line: 13"), encoding="utf-8")
    commit(small, 3, "catalog")
    return small


def changes(root: Path, out: Path, language: str) -> dict[str, tuple[str | None, str]]:
    """Entry → (published, updated), in the order of the feed."""
    (out / "zh").mkdir(exist_ok=True)
    write_feeds(load_guide(root), load_site(ROOT), out)
    entries = feed_of(out, language).findall("a:entry", ATOM)
    return {
        entry.findtext("a:id", "", ATOM).split("/")[-2]: (
            (entry.findtext("a:published", "", ATOM) or "")[:10] or None,
            entry.findtext("a:updated", "", ATOM)[:10],
        )
        for entry in entries
    }


def test_dates_are_those_of_words_and_facts(dated: Path, tmp_path: Path) -> None:
    assert list(changes(dated, tmp_path, "en").items()) == [
        ("alpha-oom", ("2026-01-01", "2026-01-03")),
        ("beta-oom", ("2026-01-01", "2026-01-02")),
    ]
    assert changes(dated, tmp_path, "zh")["beta-oom"] == ("2026-01-01", "2026-01-01")


def test_a_record_that_moves_keeps_its_first_date(dated: Path, tmp_path: Path) -> None:
    """Into another topic and back."""
    file = dated / "catalog/entries/memory/beta-oom.yml"
    record = file.read_text(encoding="utf-8")
    file.unlink()
    (dated / "catalog/entries/disk").mkdir()
    (dated / "catalog/entries/disk/beta-oom.yml").write_text(record, encoding="utf-8")
    commit(dated, 4, "-A")
    (dated / "catalog/entries/disk/beta-oom.yml").unlink()
    file.write_text(record, encoding="utf-8")
    commit(dated, 5, "-A")
    assert changes(dated, tmp_path, "en")["beta-oom"] == ("2026-01-01", "2026-01-05")


def test_a_stamp_is_no_change(dated: Path, tmp_path: Path) -> None:
    page = dated / "docs/zh/topics/memory/beta-oom.md"
    page.write_text(re.sub(r"en:[0-9a-f]{8}", "en:00000000", page.read_text(encoding="utf-8")), encoding="utf-8")
    commit(dated, 9, "docs")
    assert changes(dated, tmp_path, "zh")["beta-oom"] == ("2026-01-01", "2026-01-01")


def test_a_shallow_clone_warns_and_leaves_out_what_it_does_not_know(
    dated: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{dated}", str(clone)], check=True)
    assert changes(clone, tmp_path, "en") == {"alpha-oom": (None, "2026-01-03")}
    assert "shallow" in caplog.text


def test_without_git_the_feeds_are_empty_and_sound(small: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert changes(small, tmp_path, "en") == {}
    assert "no git history" in caplog.text
    assert DATE.match(feed_of(tmp_path, "en").findtext("a:updated", "", ATOM))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_feed_has_what_rfc_4287_requires(site: Path, language: str) -> None:
    feed = feed_of(site, language)
    entries = feed.findall("a:entry", ATOM)
    assert 0 < len(entries) <= 50
    home = BASE + page_address(language, "index")
    assert feed.find("a:link[@rel='self']", ATOM).get("href") == home + "feed.xml"
    assert feed.findtext("a:author/a:name", "", ATOM)
    ids = [entry.findtext("a:id", "", ATOM) for entry in entries]
    assert len(set(ids)) == len(ids) and all(id_.startswith(BASE + "e/") for id_ in ids)
    for element in [feed, *entries]:
        assert all(len(element.findall(f"a:{name}", ATOM)) == 1 for name in ("id", "title", "updated"))
        assert DATE.match(element.findtext("a:updated", "", ATOM))
    for entry in entries:
        assert entry.find("a:link[@rel='alternate']", ATOM).get("href").startswith(home + "topics/")
        assert html.fromstring(entry.findtext("a:content", "", ATOM)).text_content().strip()
    times = [entry.findtext("a:updated", "", ATOM) for entry in entries]
    assert times == sorted(times, reverse=True) and feed.findtext("a:updated", "", ATOM) == times[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_name_the_feed_and_the_file_they_come_from(site: Path, language: str) -> None:
    folder = site / page_address(language, "topics/memory")
    tree = html.fromstring((folder / "index.html").read_text(encoding="utf-8"))
    feeds = tree.xpath("//link[@type='application/atom+xml']/@href")
    assert feeds == [BASE + page_address(language, "index") + "feed.xml"]
    edits = set(tree.xpath("//a[@rel='edit']/@href | //*[@class='fg-feedback']/a[3]/@href"))
    assert edits == {f"{REPOSITORY}/edit/main/docs/{language}/topics/memory/index.md"}
    assert (ROOT / edits.pop().partition("/main/")[2]).is_file()


def test_every_entry_asks_whether_it_helped(site: Path, trees: Trees, guide: Guide) -> None:
    for entry in guide.catalog.entry:
        page = site / page_address("zh", guide.catalog.page_of(entry)) / "index.html"
        links = [urlsplit(href) for href in trees(page).xpath("//*[@class='fg-feedback']/a/@href")]
        queries = [parse_qs(link.query) for link in links[:2]]
        assert [query["template"] for query in queries] == [["it-worked.yml"], ["wrong-answer.yml"]]
        assert all(query["entry"] == [entry] for query in queries)
        assert links[2].path.endswith(f"/docs/zh/{guide.catalog.page_of(entry)}.md")


def test_neighbours_in_a_topic_link_each_other(site: Path, trees: Trees, guide: Guide) -> None:
    for entries in guide.catalog.entries_of.values():
        ids = [entry.id for entry in entries]
        for number, entry in enumerate(ids):
            page = site / page_address("en", guide.catalog.page_of(entry)) / "index.html"
            (steps,) = trees(page).xpath("//*[@class='fg-steps']")
            assert steps.xpath("a[@rel='prev']/@href") == [f"../{one}/" for one in ids[:number][-1:]]
            assert steps.xpath("a[@rel='next']/@href") == [f"../{one}/" for one in ids[number + 1 : number + 2]]


def test_no_repository_no_links() -> None:
    assert find_tracker({}) is None and find_tracker({"REPO_URL": ""}) is None

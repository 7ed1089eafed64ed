"""Releases from tags and from the package index, and in which of them a text is printed."""

from pathlib import Path

import pytest

from fieldguide.content.catalog.models import Release, Span
from fieldguide.content.guide import load_guide
from fieldguide.upkeep.extract.git import Clone
from fieldguide.upkeep.releases.archive import strings
from fieldguide.upkeep.releases.cache import ReleaseCache
from fieldguide.upkeep.releases.known import Releases, ReleaseTree
from fieldguide.upkeep.verify.formats import as_text
from fieldguide.upkeep.verify.presence import Memory, Presence
from fieldguide.upkeep.verify.printed import pieces, printed_by
from fieldguide.upkeep.verify.spans import Spans, span_of
from fieldguide.upkeep.verify.write_spans import write_spans
from tests.clones import Setting, git, make_setting
from tests.releases import TORCH, FolderIndex, look, publish, release

ENTRY = "catalog/entries/memory/alpha-oom.yml"


@pytest.fixture
def setting(tmp_path: Path, small: Path) -> Setting:
    setting = make_setting(tmp_path, small)
    release(setting)
    return setting


@pytest.fixture
def index(tmp_path: Path, setting: Setting) -> FolderIndex:
    return publish(setting, tmp_path)


def test_boundaries_are_those_of_the_releases(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    report = look(setting, index, tmp_path)
    assert {one.repo: [looked.release.tag for looked in one.releases] for one in report.releases.spans} == {
        "alpha": ["v0.1.0", "v0.2.0", "v0.3.0"], "torch": ["2.8.0", "2.9.1"],
    }  # fmt: skip
    said = {(one.text, one.was, one.now) for one in report.releases.spans[1].boundaries} | {
        (one.text, one.was, one.now) for one in report.releases.spans[0].boundaries
    }
    assert said == {
        (
            "ValueError: batch of … samples is smaller than … chunks; raise batch_size",
            Span(),
            Span(since="v0.2.0", until="v0.2.0"),
        ),
        ("CUDA out of memory", Span(), Span(since="2.9.1")),
        ("alpha/train.py: samples is smaller than", Span(), Span(since="v0.2.0")),
        ("alpha/config.py: batch_size: int", Span(), Span(until="v0.2.0")),
    }
    assert report.exit_code == 1 and not report.releases.missing
    assert (
        "contradicts the releases: alpha-oom: 'CUDA out of memory' is in torch from 2.9.1; the catalog says every release"
        in as_text(report)
    )


def test_what_is_written_agrees_and_is_read_again(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    write_spans(setting.root, look(setting, index, tmp_path).releases)
    entry = (setting.root / ENTRY).read_text(encoding="utf-8")
    assert '{text: "CUDA out of memory", of: torch, since: 2.9.1}' in entry and "# 中文注释留着，一个字也不动。" in entry
    releases = load_guide(setting.root).catalog.framework["alpha"].releases
    assert [(one.tag, bool(one.commit), bool(one.sha256)) for one in releases] == [
        ("v0.1.0", True, False), ("v0.2.0", True, False), ("v0.3.0", False, True),
    ]  # fmt: skip
    report = look(setting, index, tmp_path)
    assert report.releases.wrong == [] and report.exit_code == 0


GO = 'return fmt.Errorf("consider a longer wait")\n'
COMPILED = {"lib/lib.so": "\0consider a longer wait\0", "lib/use.py": ""}


def of_library(setting: Setting, texts: str = "", cited: str = "", index: str = "") -> None:
    """Alpha's clone is a library's as well, and the entry has more texts and cited lines, which are the library's."""
    pins, entry = setting.root / "catalog" / "frameworks.yml", setting.root / ENTRY
    commit = git(setting.alpha, "rev-parse", "main").strip()
    where = f'index: {{package: lib, since: "1.0"{index}}}, repository: example/alpha, commit: {commit}, date: "2026-01-01"'
    text = pins.read_text(encoding="utf-8")
    pins.write_text(text.replace("\nprograms:", f"  - {{id: lib, name: Lib, {where}}}\n\nprograms:"), encoding="utf-8")
    before, mark, after = entry.read_text(encoding="utf-8").partition("sources:\n")
    entry.write_text(before + texts + mark + cited + after, encoding="utf-8")


def spans_of_library(setting: Setting, index: FolderIndex, folder: Path) -> Spans:
    (lib,) = (one for one in look(setting, index, folder).releases.spans if one.repo == "lib")
    return lib


def test_a_library_of_the_index_is_the_same_with_and_without_a_clone(
    setting: Setting, index: FolderIndex, tmp_path: Path
) -> None:
    text = '  - {text: "consider a longer wait", of: lib}\n  - {text: "samples do not divide into", of: lib}\n'
    of_library(setting, texts=text)
    index.publish("lib", "1.0", "2025-01-01", {"core/error.go": ""})
    index.publish("lib", "1.1", "2026-02-01", {"core/error.go": GO})
    cloned = spans_of_library(setting, index, tmp_path)
    setting.alpha.rename(tmp_path / "away")
    for lib in (cloned, spans_of_library(setting, index, tmp_path)):
        assert [one.release.tag for one in lib.releases] == ["1.0", "1.1"]
        assert [(one.text, one.now) for one in lib.boundaries] == [("consider a longer wait", Span(since="1.1"))]
        assert lib.never == [("alpha-oom", "samples do not divide into")]


def test_archives_of_a_framework_are_read_again_when_more_is_taken_out_of_them(
    setting: Setting, index: FolderIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"alpha/train.py": "", "requirements.txt": "ray\n", "pyproject.toml": "[project]\n", "notes.md": "x"}
    index.publish("alpha", "0.4.0", "2026-04-01", files)
    with monkeypatch.context() as before:
        before.setattr("fieldguide.upkeep.releases.archive.NAMES", ())
        look(setting, index, tmp_path)
    assert look(setting, index, tmp_path).releases.missing == ()
    asked = {name: index.asked.count(name) for name in index.asked}
    assert asked["alpha-0.4.0.tar.gz"] == 2 and asked["torch-2.9.1.tar.gz"] == 1
    kept = git(tmp_path / "cache" / "alpha.git", "ls-tree", "-r", "--name-only", "0.4.0").split()
    assert kept == ["alpha/train.py", "pyproject.toml", "requirements.txt"]


def test_a_wheel_does_not_tell_of_source_that_it_has_compiled(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    place = 'repo: lib, path: lib/wait.h, contains: "a longer wait"'
    of_library(setting, cited=f"  - {{{place}}}\n", index=", compiled: [lib/lib.so]")
    index.publish("lib", "1.0", "2025-01-01", COMPILED, wheel=True)
    index.publish("lib", "1.1", "2026-02-01", COMPILED | {"lib/wait.h": "// consider a longer wait"}, wheel=True)
    assert spans_of_library(setting, index, tmp_path).boundaries == []


def test_a_text_of_all_releases_does_not_begin_with_a_commit(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    of_library(setting, texts='  - {text: "consider a longer wait", of: lib, since: 0123456789ab (2026-01-01)}\n')
    index.publish("lib", "1.0", "2025-01-01", {"core/error.go": GO})
    assert [one.now for one in spans_of_library(setting, index, tmp_path).boundaries] == [Span()]


def test_a_text_of_a_commit_after_all_releases_is_not_missed(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    of_library(setting, texts='  - {text: "consider a longer wait", of: lib, since: 0123456789ab (2026-01-01)}\n')
    index.publish("lib", "1.0", "2025-01-01", {"core/error.go": ""})
    assert spans_of_library(setting, index, tmp_path).never == []


def test_a_release_known_by_its_tag_is_not_compared_by_its_archive(
    setting: Setting, index: FolderIndex, tmp_path: Path
) -> None:
    index.publish("alpha", "0.1.0", "2025-06-01", {"alpha/train.py": ""})
    write_spans(setting.root, look(setting, index, tmp_path).releases)
    setting.alpha.rename(tmp_path / "away")
    report = look(setting, index, tmp_path).releases
    assert [one.repo for one in report.spans] == ["torch"]
    assert "alpha: not compared with its releases, for want of v0.1.0, v0.2.0" in report.missing


def test_two_releases_of_one_day_stand_as_pip_orders_them(setting: Setting, tmp_path: Path) -> None:
    later = ("v0.2.0.post1", "v0.2.0.post2", "v0.2.0.post10", "v0.2.1", "v0.10.0")
    for tag in later:
        git(setting.alpha, "tag", tag, "main")
    (alpha,) = look(setting, None, tmp_path).releases.spans
    assert [one.release.tag for one in alpha.releases] == ["v0.1.0", "v0.2.0", *later]


@pytest.mark.parametrize(("bounds", "tags"), [("until: v0.2", ["v0.1.0", "v0.2.0"]), ("since: v0.1.0.1", ["v0.2.0"])])
def test_a_lineage_ends_at_a_version_however_it_is_written(
    bounds: str, tags: list[str], setting: Setting, tmp_path: Path
) -> None:
    pins = setting.root / "catalog" / "frameworks.yml"
    text = pins.read_text(encoding="utf-8").replace("    name: Alpha\n", f"    name: Alpha\n    lineage: {{{bounds}}}\n")
    pins.write_text(text, encoding="utf-8")
    alpha = load_guide(setting.root).catalog.framework["alpha"]
    with Clone(setting.alpha) as clone:
        known = Releases(ReleaseCache(tmp_path / "cache"), None).of(alpha, clone, None)
    assert [one.release.tag for one in known.releases] == tags


def test_without_a_network_the_cache_answers(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    write_spans(setting.root, look(setting, index, tmp_path).releases)
    asked = list(index.asked)
    index.reachable = False
    report = look(setting, index, tmp_path)
    assert report.releases.wrong == [] and index.asked == asked
    assert report.releases.missing == (
        "the package index cannot be reached, newer releases are not known: torch: ConnectionError",
        "alpha: the package index was not asked for newer releases",
    )
    assert look(setting, None, tmp_path).releases.missing == (
        "torch: the package index was not asked for newer releases",
        "alpha: the package index was not asked for newer releases",
    )  # fmt: skip


def test_a_damaged_archive_is_named_and_the_rest_goes_on(setting: Setting, index: FolderIndex, tmp_path: Path) -> None:
    index.publish("torch", "2.10.0", "2026-02-01", TORCH).write_bytes(b"no archive")
    report = look(setting, index, tmp_path)
    assert [one.partition(":")[0] for one in report.releases.missing] == ["torch-2.10.0.tar.gz"]
    assert [looked.release.tag for one in report.releases.spans for looked in one.releases] == [
        "2.8.0",
        "2.9.1",
        "v0.1.0",
        "v0.2.0",
        "v0.3.0",
    ]


def test_a_text_in_no_release_is_an_error_unless_the_catalog_says_why(
    setting: Setting, index: FolderIndex, tmp_path: Path
) -> None:
    entry = setting.root / ENTRY
    entry.write_text(
        entry.read_text(encoding="utf-8").replace("batch is too small", "batch is never printed"), encoding="utf-8"
    )
    said = "alpha-oom: 'batch is never printed' is in no release of alpha; correct it, or say in not_followed why"
    assert said in look(setting, index, tmp_path).releases.wrong
    text = entry.read_text(encoding="utf-8").replace("of: alpha, until: v0.1.0", "of: alpha, not_followed: assembled")
    entry.write_text(text, encoding="utf-8")
    report = look(setting, index, tmp_path)
    assert said not in report.releases.wrong
    assert (
        "alpha: 3 releases up to v0.3.0 (2026-03-01): 2 error texts, 2 cited lines; 1 error text not followed (assembled 1)"
        in as_text(report)
    )


def test_a_clone_without_tags_says_so(tmp_path: Path, small: Path) -> None:
    report = look(make_setting(tmp_path, small), None, tmp_path)
    assert "alpha: the clone has no tags of releases; fetch them" in report.releases.missing


@pytest.mark.parametrize(
    ("path", "source", "signature"),
    [
        ("a.py", 'f"batch {n} of " f"{m} is small"', "batch {int} of {int} is small"),
        ("a.py", '"Checkpoint " + path + " does not exist."', "Checkpoint {path} does not exist."),
        ("a.py", 'print("cannot bind to", address, "on this host")', "cannot bind to {word} on this host"),
        ("a.py", 'logger.error("attempt %d/%d failed, url=%s", n, m, url)', "attempt {int}/60 failed, url=http://{word}"),
        ("a.py", '("no GPU was found; "\n "set CUDA_VISIBLE_DEVICES")', "no GPU was found; set CUDA_VISIBLE_DEVICES"),
        ("a.py", "assert len(items) >= parts", "assert len(items) >= parts"),
        ("a.cpp", 'CHECK(x, "free memory ", n,\n " of ", m, " is too little");', "free memory {int} of {int} is too little"),
        ("a.so.strings", "of which \nTried to allocate \n", "Tried to allocate {num} GiB{any}of which {num}"),
        ("a.sh", 'echo "no checkpoint below $DIR"', "no checkpoint below {path}"),
    ],
)  # fmt: skip
def test_a_text_is_found_as_the_source_writes_it(path: str, source: str, signature: str, tmp_path: Path) -> None:
    repository = tmp_path / "clone"
    repository.mkdir()
    git(repository, "init", "--quiet")
    (repository / path).write_text(f"{source}\n", encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "one")
    with Clone(repository) as clone:
        releases = [ReleaseTree(Release(tag="v1.0", date="2026-01-01"), clone.tree("HEAD"))]
        presence = Presence(releases, Memory(tmp_path / "memory.json"))
        assert presence.of([signature, "this is printed nowhere"]) == {signature: (True,), "this is printed nowhere": (False,)}


def test_other_texts_are_not_taken_for_it() -> None:
    source = 'raise ValueError(f"world size {n} is not divisible by {m}")\n'
    assert printed_by("a.py", source, "world size {int} is not divisible by {int}")
    assert not printed_by("a.py", source, "world size {int} must be divisible by {int}")
    assert not printed_by("a.py", 'f"{a} {b} {c}"\n', "a long text of which the source has nothing at all")


def test_pieces_and_spans() -> None:
    assert pieces("in train.py{any}CUDA out of memory. Tried to allocate {num}") == (
        "in train.py", "CUDA out of memory. Tried to allocate {num}",
    )  # fmt: skip
    assert span_of([False, True, False, True], ["v1", "v2", "v3", "v4"]) == (Span(since="v2"), ("v3",))
    assert strings(b"\x00CUDA out of memory. \x00_ZN3c104impl8functionEv\x00") == b"CUDA out of memory.\n"


def test_memory_begins_anew_when_the_looker_changed(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    memory = Memory(file)
    memory.known["abc"] = {"text": True}
    memory.write()
    assert Memory(file).known == {"abc": {"text": True}}
    file.write_text(file.read_text(encoding="utf-8").replace('"looker": "', '"looker": "0'), encoding="utf-8")
    assert Memory(file).known == {}

"""Moving stamps: what holds moves, what does not keeps its commit, and not a character beside it changes."""

from pathlib import Path

import pytest
import yaml

from fieldguide.content.guide import load_guide
from fieldguide.upkeep.verify.edit import edit_yaml
from fieldguide.upkeep.verify.stamps import move_stamps
from tests.clones import Setting, git, make_setting
from tests.test_markdown import render
from tests.test_verify import three_edits


@pytest.fixture
def setting(tmp_path: Path, small: Path) -> Setting:
    return make_setting(tmp_path, small)


def fixed(setting: Setting) -> list[str]:
    return move_stamps(setting.root, load_guide(setting.root).catalog, setting.verify())


def changed_lines(before: dict[str, str], after: dict[str, str]) -> dict[str, list[str]]:
    """File → its lines that are new."""
    return {
        name: [line.strip() for line in text.splitlines() if line not in before.get(name, "").splitlines()]
        for name, text in after.items()
        if name != "checks.yml" and text != before.get(name)
    }


def test_only_what_holds_moves(setting: Setting) -> None:
    three_edits(setting)
    newest = git(setting.alpha, "rev-parse", "HEAD").strip()
    pinned = git(setting.alpha, "rev-parse", "HEAD~1").strip()[:12]
    before = setting.catalog()
    assert fixed(setting) == [f"alpha: {newest[:12]} (2026-02-03): 4 citations follow, 3 keep the commit they were found at"]
    held = f"held: {pinned} (2026-01-01)"
    assert changed_lines(before, setting.catalog()) == {
        "frameworks.yml": [f"commit: {newest} # the first commit", 'date: "2026-02-03"'],
        "entries/memory/alpha-oom.yml": [
            f'- {{repo: alpha, path: alpha/train.py, line: 4, contains: "samples is smaller than", {held}}}   # the message',
            held,
        ],
        "keys/alpha.yml": [
            'source: {repo: alpha, path: alpha/config.py, line: 8, contains: "batch_size: int = field("}',
            'source: {repo: alpha, path: alpha/config.py, line: 12, contains: "save_dir: str"}',
            'source: {repo: alpha, path: alpha/config.py, line: 13, contains: "data_path: str"}',
            f'source: {{repo: alpha, path: alpha/args.py, line: 3, contains: "\\"--offload-steps\\"", {held}}}',
            'source: {repo: alpha, path: conf/v2/base.yaml, line: 2, contains: "epochs: 3"}',
        ],
    }


def test_fixing_twice_changes_nothing_more(setting: Setting) -> None:
    three_edits(setting)
    fixed(setting)
    once = setting.catalog()
    report = setting.verify()
    assert [change.kind.value for change in report.changes] == ["default", "text"], "the file that moved is followed"
    assert all(change.since.endswith("(2026-01-01)") for change in report.changes), "stale since the old pin, not since the new"
    fixed(setting)
    assert setting.catalog() == once


def test_what_upstream_takes_back_moves_again(setting: Setting) -> None:
    before = setting.catalog()
    three_edits(setting)
    fixed(setting)
    git(setting.alpha, "revert", "--no-edit", "HEAD", day="2026-03-01")
    fixed(setting)
    after = setting.catalog()
    assert set(changed_lines(before, after)) == {"frameworks.yml"}
    assert yaml.safe_load(after["checks.yml"])["changes"] == []


def test_nothing_moves_while_the_catalog_is_wrong_at_its_own_commit(setting: Setting) -> None:
    three_edits(setting)
    keys = setting.root / "catalog" / "keys" / "alpha.yml"
    keys.write_text(keys.read_text(encoding="utf-8").replace("line: 10", "line: 9"), encoding="utf-8")
    before = setting.catalog()
    assert fixed(setting) == ["nothing moved: correct first what is wrong in the catalog"]
    assert setting.catalog() == before


def test_a_repository_that_cannot_be_read_keeps_its_pin_and_its_record(setting: Setting) -> None:
    three_edits(setting)
    fixed(setting)
    before = setting.catalog()
    (setting.alpha / ".git").rename(setting.clones / "away")
    fixed(setting)
    assert setting.catalog() == before


def test_a_lost_error_text_holds_its_entry(setting: Setting) -> None:
    setting.edit("alpha/train.py", ("chunks; raise batch_size", "chunks; give more"))
    setting.commit("2026-02-03")
    fixed(setting)
    entry = load_guide(setting.root).catalog.entry["alpha-oom"]
    assert all(source.held and source.held.endswith("(2026-01-01)") for source in entry.sources)
    rule = load_guide(setting.root).catalog.rules[0].record
    assert rule.source.held is None, "the rule prints another text, which still stands"


def test_the_record_fits_the_catalog(setting: Setting) -> None:
    three_edits(setting)
    fixed(setting)
    assert load_guide(setting.root).faults == ()


CARD = {"en": "# Small { #alpha-oom }\n\n**Fix:** more.", "zh": "# 太小 { #alpha-oom }\n\n**解决**：加。"}
NOTE = {
    "en": "Changed upstream since Alpha {commit}, 2026-01-01: <a",
    "zh": "Alpha {commit}, 2026-01-01 之后上游有变化：<a",
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_stale_entry_says_so_at_its_top_and_keeps_its_stamp(language: str, setting: Setting) -> None:
    pinned = git(setting.alpha, "rev-parse", "HEAD").strip()
    three_edits(setting)
    fixed(setting)
    html = render(setting.root, CARD[language], language=language, page="topics/memory/alpha-oom")
    note = NOTE[language].format(commit=pinned[:7])
    assert html.count('<p class="fg-changed">') == 1 and note in html
    assert f'href="https://github.com/example/alpha/blob/{pinned[:12]}/alpha/train.py#L4"' in html
    assert f"Alpha {pinned[:7]}, 2026-01-01</a>" in html, "the stamp has not moved"
    assert html.index("fg-changed") < html.index("fg-signatures")


def test_key_says_so_too(setting: Setting) -> None:
    three_edits(setting)
    fixed(setting)
    html = render(setting.root, "## `--offload-steps` { #alpha-offload-steps }\n\nText.", "alpha", page="glossary/alpha/batch")
    assert "was <code>4</code>, it is now <code>8</code>" in html


@pytest.mark.parametrize(
    ("language", "row"),
    [
        ("en", ["Alpha", "holds 0", "changed since 1", "gone 0", "holds 6", "changed since 1", "gone 0"]),
        ("zh", ["Alpha", "仍然成立 0", "已有变化 1", "已移除 0", "仍然成立 6", "已有变化 1", "已移除 0"]),
    ],
)
def test_status_page_counts_per_framework_and_lists_entries(language: str, row: list[str], setting: Setting) -> None:
    from lxml import html as parser

    three_edits(setting)
    fixed(setting)
    tree = parser.fromstring(render(setting.root, "/// catalog | status\n///", language=language, page="status"))
    frameworks, _released, entries = tree.xpath("//table")
    alpha, beta = frameworks.xpath(".//tbody/tr")
    assert [alpha.xpath("string(td[1])"), *(span.text for span in alpha.xpath(".//span"))] == row
    assert not beta.xpath(".//span"), "a framework that nobody has looked at claims nothing"
    states = {tr.xpath("string(td[1]/a/@href)"): tr.xpath("string(td[4]//@data-status)") for tr in entries.xpath(".//tbody/tr")}
    assert states == {"topics/memory/alpha-oom.md": "changed", "topics/memory/beta-oom.md": ""}


def test_an_entry_of_which_no_cited_line_is_left_is_gone(setting: Setting) -> None:
    for name in ("train.py", "config.py"):
        (setting.alpha / "alpha" / name).unlink()
    setting.commit("2026-02-03")
    fixed(setting)
    catalog = load_guide(setting.root).catalog
    entry = catalog.entry["alpha-oom"]
    assert catalog.state(entry.id, entry.sources) == "gone"


FAULTS = {
    "an id that is not there": ("alpha-oom", "alpha-other", "'alpha-other' is no entry, key or rule; take it out here"),
    "a repository that is not there": ("- repo: alpha", "- repo: gamma", "no framework or library 'gamma'"),
    "a change taken out by hand": ("- alpha-offload-steps", "- alpha-use-cache", "alpha-offload-steps: a source has `held`"),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS.keys())
def test_record_that_does_not_fit_is_a_fault(case: tuple[str, str, str], setting: Setting) -> None:
    three_edits(setting)
    fixed(setting)
    record = setting.root / "catalog" / "checks.yml"
    text = record.read_text(encoding="utf-8")
    assert case[0] in text
    record.write_text(text.replace(case[0], case[1]), encoding="utf-8")
    assert any(case[2] in str(fault) for fault in load_guide(setting.root).faults)


@pytest.mark.parametrize(
    ("text", "field", "value", "expected"),
    [
        ("a: {b: 1, c: 2} # x\n", ("a", "b"), 3, "a: {b: 3, c: 2} # x\n"),
        ("a: {b: 1} # x\n", ("a", "c"), "y z", "a: {b: 1, c: y z} # x\n"),
        ("a: {b: 1, c: 2}\n", ("a", "c"), None, "a: {b: 1}\n"),
        ("a: {b: 1, c: 2}\n", ("a", "b"), None, "a: {c: 2}\n"),
        ("a:\n  b: 1 # x\nd: 4\n", ("a", "c"), 2, "a:\n  b: 1 # x\n  c: 2\nd: 4\n"),
        ("a:\n  b: 1\n  c: 2 # x\nd: 4", ("a", "c"), None, "a:\n  b: 1\nd: 4"),
        ("a: # 中文\n- {b: '中', c: 2}\n", ("a", 0, "c"), "x, y", "a: # 中文\n- {b: '中', c: \"x, y\"}\n"),
        ("a: {b: 1}", ("a", "c"), None, "a: {b: 1}"),
    ],
)
def test_edit_yaml(text: str, field: tuple[str | int, ...], value: str | int | None, expected: str) -> None:
    assert edit_yaml(text, {field: value}) == expected


def test_edit_yaml_of_a_record_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        edit_yaml("a: {b: 1}\n", {("x", "b"): 1})

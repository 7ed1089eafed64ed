"""Rows of the bug ledger: their faults, what a reader is told who runs a release, and which page they are on."""

from pathlib import Path

import pytest
import yaml

from fieldguide.__main__ import main
from fieldguide.content.bugs import bug_address, ledgers, remedy, rows_of, span, standing
from fieldguide.content.checks import run
from fieldguide.content.compile import lookup_guide
from fieldguide.content.guide import load_guide, load_words
from fieldguide.content.problems import ContentError
from fieldguide.runtime.findings import Finding, bugs_that_bite_first
from fieldguide.runtime.guide import Affected
from fieldguide.runtime.match import find
from tests.conftest import ROOT
from tests.ledgers import bug, small_catalog

WORDS = load_words(ROOT)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "beta-9"}, "the id must start with alpha-"),
        ({"topic": "money"}, "no topic 'money'"),
        ({"entry": "alpha-none"}, "no entry 'alpha-none'"),
        ({"of": "gamma"}, "no framework or library 'gamma'"),
        ({"en": {"what": "x" * 221}}, "en.what is 221 columns wide, 220 at most; a Chinese character counts two"),
        ({"en": {"what": "With `a` it stops."}}, "code differs between the languages: a"),
        ({"commits": ["0" * 12]}, "commit 000000000000 is refused, and row alpha-9 has it"),
    ],
)
def test_a_row_with_a_fault_stops_the_build(row: dict[str, object], said: str, small: Path) -> None:
    folder = small / "catalog" / "bugs"
    (folder / "refused").mkdir(parents=True)
    for language in ("en", "zh"):
        (small / "docs" / language / "bugs").mkdir()
        page = "---\ndescription: x\n---\n# Known { #bugs-alpha }\n"
        (small / "docs" / language / "bugs" / "alpha.md").write_text(page, encoding="utf-8")
    refused = "refused:\n  - {commit: '000000000000', reason: unseen}\n"
    (folder / "refused" / "alpha.yml").write_text(refused, encoding="utf-8")
    base = {"id": "alpha-9", "topic": "memory", "harm": "dies", "pr": 9, "commits": ["1" * 12]}
    words = {"en": {"what": "It stops."}, "zh": {"what": "会中断。"}}
    (folder / "alpha.yml").write_text(yaml.safe_dump({"bugs": [base | words | row]}, allow_unicode=True), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        run(small)
    lines = [line for line in str(caught.value).splitlines() if line.startswith("catalog/bugs")]
    assert len(lines) == 1 and lines[0].endswith(said) and lines[0].split(":")[1].isdigit()


@pytest.mark.parametrize(
    ("row", "english", "chinese"),
    [
        ({"since": "v0.2.0", "until": "v0.3.0", "fixed": "v0.4.0", "pr": 9, "commits": ["1" * 12]},
         "Alpha v0.2.0 – v0.3.0; fixed in v0.4.0 (PR 9)", "Alpha v0.2.0 – v0.3.0；v0.4.0 已修复（PR 9）"),
        ({"until": "v0.3.0", "fixed": "v0.4.0", "commits": ["1" * 12]},
         "Alpha v0.3.0, perhaps older; fixed in v0.4.0 (commit 11111111)",
         "Alpha v0.3.0（更早未查清）；v0.4.0 已修复（提交 11111111）"),
        ({"since": "v0.2.0", "commits": ["1" * 12], "pr": 9},
         "Alpha ≥ v0.2.0; fixed on main after v0.4.0 (PR 9)", "Alpha ≥ v0.2.0；主分支在 v0.4.0 之后已修复（PR 9）"),
        ({"since": "v0.2.0", "faulty": {"text": "x"}},
         "Alpha ≥ v0.2.0; not fixed in v0.4.0 (issue 8)", "Alpha ≥ v0.2.0；v0.4.0 仍未修复（issue 8）"),
    ],
)  # fmt: skip
def test_a_row_says_which_releases_have_the_bug(row: dict[str, object], english: str, chinese: str) -> None:
    made = bug(**row)
    catalog = small_catalog(made)
    assert standing(catalog, made, WORDS["en"]) == english
    assert standing(catalog, made, WORDS["zh"]) == chinese
    assert span(catalog, made, WORDS["en"]) in english
    assert "cherry-pick" not in remedy(catalog, made, "en", WORDS["en"])
    picked = remedy(catalog, made.model_copy(update={"picks": True}), "en", WORDS["en"])
    assert made.open or f"In a source checkout of {made.until or 'v0.4.0'}: `git cherry-pick" in picked


def test_what_old_releases_fixed_is_on_a_second_page() -> None:
    rows = [
        bug(id=f"alpha-{number}", commits=["1" * 12], fixed=tag)
        for number, tag in enumerate((None, "v0.4.0", "v0.3.0", "v0.2.0"))
    ]
    one, two = small_catalog(*rows), small_catalog(*rows, old_bugs="v0.3.0")
    assert (ledgers(one), ledgers(two)) == (["alpha"], ["alpha", "alpha-old"])
    assert [row.id for row in rows_of(two, "alpha")] == ["alpha-0", "alpha-1"]
    assert [bug_address(two, row, "zh") for row in rows[2:]] == [f"zh/bugs/alpha-old/#bug-alpha-{number}" for number in (2, 3)]


def test_a_second_page_begins_with_a_release_that_there_is(small: Path) -> None:
    file = small / "catalog" / "frameworks.yml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("  glossary: alpha\n", "  glossary: alpha\n    old_bugs: v9\n", 1),
        encoding="utf-8",
    )
    with pytest.raises(ContentError, match=r"catalog/frameworks.yml:\d+: .*alpha has no release 'v9' \(`old_bugs`\)"):
        run(small)


@pytest.mark.parametrize(
    ("release", "has"),
    [("0.1.9", "none"), ("v0.2", "bug"), ("0.3.0.post1", "bug"), ("0.4.0+cu128", "fix"), ("0.5.0.dev0", "fix")],
)
def test_what_a_release_has(release: str, has: str) -> None:
    assert Affected("alpha", "alpha", "v0.2.0", "v0.3.0", "v0.4.0").by(release) == has


def test_a_bug_that_the_release_does_not_have_is_not_the_cause() -> None:
    guide = lookup_guide(load_guide(ROOT).catalog)
    id_, affected = next((id_, one) for id_, one in guide.bugs.items() if one.fixed)
    found = (Finding(id_, 1, 1, "x"), Finding("any-oom", 9, 1, "y"))
    assert [one.entry for one in bugs_that_bite_first(found, guide, {affected.package: affected.fixed})] == ["any-oom", id_]
    assert bugs_that_bite_first(found, guide, {affected.package: affected.until}) == found


def test_a_known_bug_is_marked_where_its_framework_is_named_and_never_above_an_entry() -> None:
    """Every text of the ledger, as somebody pastes it who runs the framework, and somebody who runs another one."""
    guide = lookup_guide(load_guide(ROOT).catalog)
    order = {
        "verl": "(TaskRunner pid=3) /x/verl/trainer/main_ppo.py ",
        "slime": "/root/slime/train.py ",
        "roll": "/root/ROLL/roll/p.py ",
    }
    for one in (one for one in guide.signatures if one.bug and one.framework in order):
        text = one.shown.replace("…", "7")
        if not one.compiled.search(text):
            continue
        own = find(order[one.framework] + text, guide)
        assert one.entry in [match.signature.entry for match in own], one.entry
        entries = [match.signature.bug for match in own if not match.signature.generic]
        assert entries == sorted(entries), one.entry
        if one.framework in guide.frameworks_named(text):
            continue
        for other in order.keys() - {one.framework}:
            assert one.entry not in [match.signature.entry for match in find(order[other] + text, guide)], one.entry


def test_bugs_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "verl", "--release", "v0.7.1", "--to", "v0.9.0"]) == 0
    text = capsys.readouterr().out
    assert (
        "fixed in v0.8.0" in text and "fixed in v0.9.0" in text and "fixed in v0.7.1" not in text and "v0.9.1 (PR" not in text
    )
    assert main(["bugs", "verl", "no-such-word-anywhere", "--lang", "zh"]) == 1
    assert capsys.readouterr().out == "没有匹配的已知缺陷。\n"
    assert main(["bugs", "nobody"]) == 2
    assert "no bugs of 'nobody' are known; there are some of: " in capsys.readouterr().err
    assert main(["bugs", "verl", "--release", "newest"]) == 2
    assert "not a release: 'newest'; write it like v0.9.0" in capsys.readouterr().err

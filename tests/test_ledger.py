"""The bug ledger: releases computed from a made-up history, faults of rows, and what a reader is told who runs a release."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from fieldguide.__main__ import main
from fieldguide.content.bugs import bug_address, ledgers, members, releases_of, remedy, rows_of, span, standing
from fieldguide.content.catalog.models import Bug, Framework, Release
from fieldguide.content.catalog.store import Catalog, Located
from fieldguide.content.checks import run
from fieldguide.content.compile import lookup_guide
from fieldguide.content.guide import load_guide, load_words
from fieldguide.content.problems import ContentError
from fieldguide.runtime.findings import Finding, bugs_that_bite_first
from fieldguide.runtime.guide import Affected
from fieldguide.runtime.match import find
from fieldguide.upkeep.extract.git import Clone, Tree
from fieldguide.upkeep.ledger.candidates import candidates
from fieldguide.upkeep.ledger.history import Ledger
from fieldguide.upkeep.ledger.judge import judge, judge_all
from fieldguide.upkeep.ledger.pick import lacking
from fieldguide.upkeep.releases.known import ReleaseTree
from fieldguide.upkeep.verify.presence import Memory
from fieldguide.upkeep.verify.result import ReleaseReport
from fieldguide.upkeep.verify.write_spans import write_spans
from tests.clones import git
from tests.conftest import ROOT

WORDS = load_words(ROOT)


@dataclass
class Upstream:
    """A repository with a file, `alpha/run.py`, and its releases."""

    path: Path
    tags: list[tuple[str, str, str]] = field(default_factory=list)

    def commit(self, day: str, text: str, message: str) -> str:
        """Write the file and commit it; 12 digits of the commit."""
        (self.path / "alpha").mkdir(exist_ok=True)
        (self.path / "alpha" / "run.py").write_text(text, encoding="utf-8")
        git(self.path, "add", "--all")
        git(self.path, "commit", "--quiet", "--message", message, day=day)
        return git(self.path, "rev-parse", "HEAD").strip()[:12]

    def tag(self, name: str, day: str) -> None:
        git(self.path, "tag", name)
        self.tags.append((name, day, git(self.path, "rev-parse", "HEAD").strip()))

    def ledger(self, archived: tuple[str, ...] = ()) -> Ledger:
        """`archived` are releases that are on the package index alone."""
        clone = Clone(self.path)
        releases = [
            ReleaseTree(
                Release(tag=name, date=day, sha256="0" * 64)
                if name in archived
                else Release(tag=name, date=day, commit=commit),
                Tree(clone, commit),
            )
            for name, day, commit in self.tags
        ]
        return Ledger(clone, releases, Memory(self.path / "memory.json"))


BAD = "from library import check\n\n\ndef run(batch):\n    return batch[0] / batch.size\n"
GOOD = BAD.replace("batch[0] / batch.size", "check(batch, strict=True)")


@pytest.fixture
def upstream(tmp_path: Path) -> Upstream:
    """v0.1.0 without the bug, v0.2.0 and v0.3.0 with it, v0.4.0 mended."""
    made = Upstream(tmp_path / "alpha")
    made.path.mkdir()
    git(made.path, "init", "--quiet", "--initial-branch=main")
    made.commit("2026-01-01", GOOD, "begin")
    made.tag("v0.1.0", "2026-01-01")
    made.commit("2026-02-01", BAD, "faster batches (#7)")
    made.tag("v0.2.0", "2026-02-02")
    made.tag("v0.3.0", "2026-03-02")
    return made


def bug(**fields: object) -> Bug:
    words = {"en": {"what": "An empty batch stops the run."}, "zh": {"what": "批次为空时训练中断。"}}
    return Bug.model_validate({"id": "alpha-9", "topic": "memory", "harm": "dies", "issues": [8], **words, **fields})


FAULTY = {"path": "alpha/run.py", "text": "return batch[0] / batch.size"}


def test_the_releases_of_a_bug_come_from_the_history(upstream: Upstream) -> None:
    fixed = upstream.commit("2026-04-01", GOOD, "[run] fix: ZeroDivisionError on an empty batch (#9)\n\nfixes #8")
    upstream.tag("v0.4.0", "2026-04-02")
    judged = judge(bug(commits=[fixed], pr=9, faulty=FAULTY), upstream.ledger())
    assert (judged.since, judged.until, judged.fixed, judged.faults) == ("v0.2.0", "v0.3.0", "v0.4.0", ())


def test_a_fix_is_offered_to_pick_only_where_git_takes_it_over(upstream: Upstream) -> None:
    upstream.tag("v0.3.1", "2026-03-03")
    upstream.commit("2026-03-04", BAD.replace("def run(batch):", "def run(batch, size=1):"), "size (#8)")
    moved = upstream.commit("2026-04-01", BAD.replace("def run(batch):", "def run(batch, *, size=1):"), "fix (#9)")
    mended = upstream.commit(
        "2026-04-02", BAD.replace("def run(batch):", "def run(batch, *, size=1):") + "\n# end\n", "fix (#10)"
    )
    upstream.tag("v0.4.0", "2026-04-03")
    before = git(upstream.path, "count-objects", "-v")
    ledger = upstream.ledger()
    assert judge(bug(commits=[moved]), ledger).picks is None, "the line that it changes is another one in v0.3.1"
    assert judge(bug(commits=[mended]), ledger).picks is True
    assert judge(bug(commits=[mended, moved]), ledger).picks is None, "one of two is not enough"
    assert git(upstream.path, "count-objects", "-v") == before, "nothing is written into the clone"


@pytest.mark.parametrize(
    ("between", "mended", "said"),
    [
        ("", "return guarded(batch)", "guarded is bound nowhere in alpha/run.py"),
        ("def widen(batch):\n    return batch\n", "return batch.widen()", "widen is nowhere in the release"),
        ("", "return self.never_written(batch)", "never_written is nowhere in the release"),
        ("", "from alpha.other import longer\n    return longer(batch)", "alpha.other has no longer"),
        ("", "return batch.new_of_a_library()", None),
    ],
)
def test_a_fix_that_needs_what_the_release_lacks_is_not_offered(
    upstream: Upstream, between: str, mended: str, said: str | None
) -> None:
    """Git takes each of them over without a conflict."""
    start = BAD.replace("def run(batch)", "def run(batch, self=None)")
    upstream.commit("2026-03-03", start, "self (#6)")
    upstream.tag("v0.3.1", "2026-03-03")
    (upstream.path / "alpha" / "between.py").write_text(between or "x = 1\n", encoding="utf-8")
    upstream.commit("2026-03-04", start, "between (#8)")
    fixed = upstream.commit("2026-04-01", start.replace("return batch[0] / batch.size", mended), "fix (#9)")
    upstream.tag("v0.4.0", "2026-04-02")
    clone = Clone(upstream.path)
    assert lacking(clone, [fixed], "v0.3.1") == ((said,) if said else ())
    assert judge(bug(commits=[fixed]), upstream.ledger()).picks is (None if said else True)


def test_a_fix_that_takes_away_what_the_release_uses_is_not_offered(upstream: Upstream) -> None:
    old = BAD + "\n\ndef unused(batch):\n    return 1\n"
    user = upstream.path / "alpha" / "user.py"
    user.write_text("from alpha.run import *\n\nunused(1)\n", encoding="utf-8")
    upstream.commit("2026-03-03", old, "one more (#6)")
    upstream.tag("v0.3.1", "2026-03-03")
    user.unlink()
    upstream.commit("2026-03-04", old, "no user (#8)")
    fixed = upstream.commit("2026-04-01", BAD, "fix: out with it (#9)")
    assert lacking(Clone(upstream.path), [fixed], "v0.3.1") == ("unused is taken away and still used",)


def test_without_a_faulty_line_the_first_release_is_not_known(upstream: Upstream) -> None:
    fixed = upstream.commit("2026-04-01", BAD + "# guard\nif not batch: raise Empty\n", "fix (#9)")
    upstream.tag("v0.4.0", "2026-04-02")
    judged = judge(bug(commits=[fixed]), upstream.ledger())
    assert (judged.since, judged.until, judged.fixed) == (None, "v0.3.0", "v0.4.0")


def test_a_fix_that_came_in_twice_counts_from_the_first_release_that_has_one(upstream: Upstream) -> None:
    picked = upstream.commit("2026-03-05", GOOD, "fix, picked for the release (#9)")
    upstream.tag("v0.3.1", "2026-03-06")
    git(upstream.path, "reset", "--quiet", "--hard", "v0.3.0")
    fixed = upstream.commit("2026-04-01", GOOD, "fix (#9)")
    upstream.tag("v0.4.0", "2026-04-02")
    ledger = upstream.ledger()
    assert judge(bug(commits=[fixed, picked], faulty=FAULTY), ledger).fixed == "v0.3.1"
    assert judge(bug(commits=[fixed]), ledger).fixed == "v0.4.0"


def test_a_release_of_the_index_has_a_fix_if_it_has_its_lines(upstream: Upstream) -> None:
    fixed = upstream.commit("2026-04-01", GOOD, "fix (#9)")
    upstream.tag("v0.4.0", "2026-04-02")
    assert judge(bug(commits=[fixed], faulty=FAULTY), upstream.ledger(archived=("v0.4.0",))).fixed == "v0.4.0"
    git(upstream.path, "tag", "--force", "v0.4.0", "v0.3.0")
    upstream.tags[-1] = ("v0.4.0", "2026-04-02", upstream.tags[-2][2])
    judged = judge(bug(commits=[fixed], faulty=FAULTY), upstream.ledger(archived=("v0.4.0",)))
    assert (judged.until, judged.fixed, judged.faults) == (None, None, ())


def test_an_open_bug_must_stand_in_the_newest_release(upstream: Upstream) -> None:
    assert judge(bug(faulty=FAULTY), upstream.ledger()).since == "v0.2.0"
    upstream.commit("2026-04-01", GOOD, "rewrite (#10)")
    upstream.tag("v0.4.0", "2026-04-02")
    assert judge(bug(faulty=FAULTY), upstream.ledger()).faults == (
        "v0.4.0, the last release before the fix, does not have the faulty line: 'return batch[0] / batch.size'",
    )


def test_what_contradicts_the_history_is_named(upstream: Upstream) -> None:
    fixed = upstream.commit("2026-04-01", GOOD, "fix (#9)")
    whole = git(upstream.path, "rev-parse", "HEAD").strip()
    back = upstream.commit("2026-04-02", BAD, f'Revert "fix (#9)"\n\nThis reverts commit {whole}.')
    upstream.tag("v0.4.0", "2026-04-03")
    ledger = upstream.ledger()
    still = "v0.4.0 has the fix and still the faulty line: 'return batch[0] / batch.size'"
    assert judge(bug(commits=[fixed], faulty=FAULTY), ledger).faults == (f"commit {fixed} was taken back by {back}", still)
    assert judge(bug(commits=["0" * 12]), ledger).faults[0] == "no commit 000000000000 on the main branch or below a tag"
    other = f"none of its commits is of pull request 12; that of {fixed} is 9"
    assert other in judge(bug(commits=[fixed], pr=12), ledger).faults
    never = {"path": "alpha/run.py", "text": "return batch[1]"}
    assert (
        "no release before v0.4.0 has the faulty line: 'return batch[1]'"
        in judge(bug(commits=[fixed], faulty=never), ledger).faults
    )


def test_an_error_text_is_in_the_change_in_the_code_or_said_to_be_from_elsewhere(upstream: Upstream) -> None:
    fixed = upstream.commit("2026-04-01", GOOD, "fix (#9)\n\nZeroDivisionError: division\n  by zero, in run")
    upstream.tag("v0.4.0", "2026-04-02")
    ledger = upstream.ledger()
    assert not judge(bug(commits=[fixed], errors=["division by zero, in {word}"]), ledger).faults
    made_up = bug(commits=[fixed], errors=["batch of {int} is empty"])
    assert (
        judge(made_up, ledger).faults[0].startswith("error text is neither in the change nor in v0.3.0; say where it is from")
    )
    assert not judge(made_up.model_copy(update={"quoted": "issue"}), ledger).faults


def small_catalog(*rows: Bug, old_bugs: str | None = None) -> Catalog:
    alpha = Framework.model_validate(
        {"id": "alpha", "name": "Alpha", "prefix": "alpha", "glossary": "alpha", "color": "#000000", "color_dark": "#ffffff",
         "hints": ["/alpha/"], "repository": "example/alpha", "commit": "1" * 40, "date": "2026-01-01", "old_bugs": old_bugs,
         "releases": [{"tag": tag, "date": "2026-01-01"} for tag in ("v0.1.0", "v0.2.0", "v0.3.0", "v0.4.0")]}
    )  # fmt: skip
    return Catalog(
        frameworks=[Located(alpha, Path("catalog/frameworks.yml"), 1)],
        bugs=[Located(row, Path("catalog/bugs/alpha.yml"), 2) for row in rows],
    )


def test_candidates_are_fixes_that_nobody_has_judged(upstream: Upstream) -> None:
    known = upstream.commit("2026-04-01", GOOD, "fix: known (#9)")
    upstream.commit("2026-04-02", GOOD + "a = 'one more line'\n", "feat: more (#10)")
    new = upstream.commit(
        "2026-04-03", GOOD + "b = 'another line'\n", "fix: crash (#11)\n\nValueError: no batch at all\ncloses #4"
    )
    bare = upstream.commit("2026-04-04", GOOD + "c = 'the last line'\n", "hang")
    found = list(candidates(small_catalog(bug(commits=[known])), "alpha", upstream.ledger()))
    assert [one.made.id for one in found] == [bare, new]
    assert (found[1].issues, found[1].errors, found[1].fixed) == ((4,), ("ValueError: no batch at all",), None)
    assert "its message says no more" in str(found[0])


def test_what_the_releases_say_is_written_and_nothing_else(upstream: Upstream, small: Path) -> None:
    fixed = upstream.commit("2026-04-01", GOOD, "fix (#9)")
    upstream.tag("v0.4.0", "2026-04-02")
    file = small / "catalog" / "bugs" / "alpha.yml"
    file.parent.mkdir()
    words = "en: {what: An empty batch stops the run.}\n    zh: {what: 批次为空时训练中断。}"
    faulty = "faulty: {path: alpha/run.py, text: 'return batch[0] / batch.size'}"
    row = f'  - id: alpha-9\n    topic: memory\n    harm: dies\n    commits: ["{fixed}"]\n    {faulty}\n    {words}'
    file.write_text(f"# by hand\nbugs:\n{row}\n", encoding="utf-8")
    report = judge_all(load_guide(small).catalog, "alpha", upstream.ledger())
    assert [str(one).split(": ", 2)[2] for one in report.boundaries] == [
        "since None should be v0.2.0, until None should be v0.3.0, fixed None should be v0.4.0, picks None should be True"
    ]
    write_spans(small, ReleaseReport(ledgers=(report,)))
    assert (
        file.read_text(encoding="utf-8")
        == f"# by hand\nbugs:\n{row}\n    fixed: v0.4.0\n    picks: true\n    since: v0.2.0\n    until: v0.3.0\n"
    )
    assert judge_all(load_guide(small).catalog, "alpha", upstream.ledger()).boundaries == ()


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


@pytest.mark.skipif("REPOS" not in os.environ, reason="needs REPOS, the folder that holds the clones")
def test_every_fix_is_in_the_release_that_is_said_and_in_none_before() -> None:
    """By git alone: the commit is an ancestor of the release, and of no release before it."""
    catalog, wrong, looked = load_guide(ROOT).catalog, [], 0
    for repository, rows in catalog.bugs_of.items():
        clone = Path(os.environ["REPOS"]) / (catalog.repository[repository].repository or "").replace("/", "+") / "repo"
        tagged = {one.tag: one.commit for id_ in members(catalog, repository) for one in catalog.repository[id_].releases}
        order = releases_of(catalog, repository)
        for row in rows:
            if not (row.fixed and row.commits and tagged.get(row.fixed) and clone.is_dir()):
                continue
            looked += 1
            before = tagged[order[order.index(row.fixed) - 1]]
            if not any(is_ancestor(clone, one, tagged[row.fixed]) for one in row.commits):
                wrong.append(f"{row.id}: not in {row.fixed}")
            if before and any(is_ancestor(clone, one, before) for one in row.commits):
                wrong.append(f"{row.id}: in the release before {row.fixed}, too")
    assert looked and not wrong, "\n".join(wrong)


def is_ancestor(clone: Path, commit: str, release: str | None) -> bool:
    command = ["git", "-C", str(clone), "merge-base", "--is-ancestor", commit, release or ""]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0

"""The bug ledger: releases computed from a made-up history, and by git alone from the clones."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fieldguide.content.bugs import members, releases_of
from fieldguide.content.catalog.models import Release
from fieldguide.content.guide import load_guide
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
from tests.ledgers import bug, small_catalog


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
    # Where that line of the repository ends before the rewrite, nothing says so: the bug was never mended in it.
    judged = judge(bug(faulty=FAULTY), upstream.ledger(), last="v0.3.0")
    assert (judged.since, judged.until, judged.fixed, judged.faults) == ("v0.2.0", "v0.3.0", None, ())


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

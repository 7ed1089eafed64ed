"""Looking up at upstream's newest commit what the catalog cites: every verdict, every format, every bad input."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldguide.__main__ import main
from fieldguide.upkeep.verify.commits import Hunk
from fieldguide.upkeep.verify.defaults import declared, same_default
from fieldguide.upkeep.verify.formats import as_json, as_markdown, as_text
from fieldguide.upkeep.verify.locate import Change, Spot, State, locate
from fieldguide.upkeep.verify.printed import find_text, fixed_parts
from fieldguide.upkeep.verify.result import Report
from tests.clones import FIXTURES, Setting, git, make_setting


@pytest.fixture
def setting(tmp_path: Path, small: Path) -> Setting:
    return make_setting(tmp_path, small)


def three_edits(setting: Setting) -> None:
    """One default edited, one string reworded, one file moved, in a repository that grew elsewhere too."""
    setting.edit("alpha/args.py", ("default=4", "default=8"))
    setting.edit("alpha/train.py", ("samples is smaller than", "samples cannot be cut into"))
    setting.edit("alpha/config.py", ("from dataclasses", '"""Settings."""\n\nfrom dataclasses'))
    (setting.alpha / "conf" / "v2").mkdir()
    git(setting.alpha, "mv", "conf/base.yaml", "conf/v2/base.yaml")
    setting.commit("2026-02-03")


def test_at_the_pin_everything_holds_and_what_is_not_checked_is_counted(setting: Setting) -> None:
    report = setting.verify()
    assert (report.changes, report.problems, report.faults, report.exit_code) == ((), (), (), 0)
    (alpha,) = report.looked
    tally = alpha.tally
    assert (tally.lines, tally.shifted, tally.defaults, tally.errors, tally.past) == (10, 0, 7, 2, 1)
    assert {id_: (tally.lines, tally.errors) for id_, tally in report.absent.items()} == {"beta": (2, 0), "torch": (0, 1)}


def test_three_edits_are_reported_as_exactly_these_three(setting: Setting) -> None:
    three_edits(setting)
    report = setting.verify()
    assert [(change.kind.value, change.path, change.was, change.now) for change in report.changes] == [
        ("default", "alpha/args.py", "4", "8"),
        (
            "text",
            "alpha/train.py",
            'f"batch of {len(batch)} samples is smaller than "',
            'f"batch of {len(batch)} samples cannot be cut into "',
        ),
        ("moved", "conf/base.yaml", "conf/base.yaml", "conf/v2/base.yaml"),
    ]
    assert [(change.entries, change.keys) for change in report.changes] == [
        ((), ("alpha-offload-steps",)),
        (("alpha-oom",), ()),
        ((), ("alpha-epochs",)),
    ]
    assert report.exit_code == 1 and report.looked[0].tally.shifted == 4, "lines that only moved are counted, not reported"


@pytest.mark.parametrize(("form", "suffix"), [(as_text, "txt"), (as_json, "json"), (as_markdown, "md")])
def test_formats(form: Callable[[Report], str], suffix: str, setting: Setting) -> None:
    three_edits(setting)
    golden = FIXTURES / "verify" / f"report.{suffix}"
    assert form(setting.verify()) + "\n" == golden.read_text(encoding="utf-8")


def test_a_report_of_many_changes_fits_an_issue(setting: Setting) -> None:
    three_edits(setting)
    report = setting.verify()
    many = Report(looked=report.looked, changes=report.changes * 200)
    text = as_markdown(many)
    assert len(text) < 65_536 and "more changes." in text


def test_another_revision_can_be_looked_at(setting: Setting) -> None:
    three_edits(setting)
    git(setting.alpha, "tag", "v1", "HEAD~1")
    assert setting.verify(alpha="v1").changes == ()


def test_no_folder(setting: Setting) -> None:
    shutil.rmtree(setting.clones)
    assert setting.verify().faults == (f"{setting.clones}: no such folder; give the one that holds the clones",)


def test_folder_without_clones(setting: Setting) -> None:
    shutil.rmtree(setting.alpha)
    report = setting.verify()
    assert report.exit_code == 2
    assert report.faults == (
        f"{setting.clones}: holds no clone of a cited repository; name them owner+name or name, as in slime",
    )


def test_folder_that_is_no_clone_inside_one_that_is(setting: Setting) -> None:
    shutil.rmtree(setting.alpha / ".git")
    git(setting.clones, "init", "--quiet")
    (fault,) = setting.verify().faults
    assert fault.startswith(f"alpha: {setting.alpha}: not a git clone") and fault.endswith("10 cited lines were not checked")


def test_revision_that_does_not_exist(setting: Setting) -> None:
    (fault,) = setting.verify(alpha="v9").faults
    assert fault == (
        f"alpha: {setting.alpha}: has no newest commit 'v9'; fetch it, with tags and full history; "
        "10 cited lines were not checked"
    )
    (fault,) = setting.verify(gamma="v9").faults
    assert fault == "no repository 'gamma' in catalog/frameworks.yml; known: torch, alpha, beta"


def test_commit_of_one_citation_that_does_not_exist(setting: Setting) -> None:
    rules = setting.root / "catalog" / "rules" / "alpha.yml"
    rules.write_text(rules.read_text().replace('contains: "do not', 'commit: v0.9, contains: "do not'))
    report = setting.verify()
    assert report.faults == (f"alpha: {setting.alpha}: has no commit 'v0.9'; citations of it not checked: 1",)
    assert report.looked[0].tally.lines == 9, "the rest was checked"


def test_clone_older_than_the_pin(setting: Setting) -> None:
    commit = setting.commit_empty("2026-03-01")
    pins = setting.root / "catalog" / "frameworks.yml"
    first = git(setting.alpha, "rev-parse", "HEAD~1").strip()
    pins.write_text(pins.read_text().replace(first, commit))
    git(setting.alpha, "reset", "--quiet", "--hard", first)
    (fault,) = setting.verify().faults
    assert f"HEAD is older than the pin {commit[:12]} (2026-03-01); pull the clone" in fault


def test_command(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--root", str(setting.root), "verify", str(setting.clones)]
    assert main(arguments) == 0
    assert "0 changed upstream" in capsys.readouterr().out
    three_edits(setting)
    assert main([*arguments, "--markdown"]) == 1
    assert capsys.readouterr().out.startswith("**10 cited lines looked up: 3 changed upstream")
    assert main([*arguments, "--rev", "alpha=nope"]) == 2
    with pytest.raises(SystemExit):
        main([*arguments, "--rev", "nope"])
    assert "is not ID=REVISION" in capsys.readouterr().err


OLD = ("if a:", "    one", "    two", "end")


@pytest.mark.parametrize(
    ("new", "hunks", "line", "contains", "expected"),
    [
        (("# new", *OLD), [Hunk(0, 0, 1, 1)], 2, None, Spot(State.HELD, 3, "    one")),
        (OLD[1:], [Hunk(1, 1, 0, 0)], 4, None, Spot(State.HELD, 3, "end")),
        (OLD[1:], [Hunk(1, 1, 0, 0)], 1, "if a", Spot(State.LOST)),
        (("if a:", "    one more", *OLD[2:]), [Hunk(2, 1, 2, 1)], 2, "one", Spot(State.EDITED, 2, "one more")),
        (("if a:", "    two", "end", "one"), [Hunk(2, 1, 1, 0), Hunk(4, 0, 4, 1)], 2, "one", Spot(State.HELD, 4, "one")),
        (("if a:", "    zz", *OLD[2:]), [Hunk(2, 1, 2, 1)], 2, "one", Spot(State.LOST)),
    ],
)
def test_locate(new: tuple[str, ...], hunks: list[Hunk], line: int, contains: str | None, expected: Spot) -> None:
    assert locate(Change(OLD, new, hunks), line, contains) == expected


@pytest.mark.parametrize(
    ("path", "text", "name", "default"),
    [
        ("a.py", 'x = os.getenv("X", default_of("y"))', "X", "default_of('y')"),
        ("a.py", 'x = os.getenv("X")', "X", None),
        ("a.py", 'x = config.pop("level", 1)', "level", "1"),
        ("a.py", 'parser.add_argument("--a-b", "-a", default=None)', "a_b", "None"),
        ("a.py", 'parser.add_argument("--no-x", action="store_false", dest="x")', "no_x", "False"),
        ("a.py", 'parser.add_argument("--no-x", action="store_false", dest="x", default=True)', "no_x", "False"),
        ("a.py", 'reset_arg(parser, "--seq", default=1)', "seq", "1"),
        ("a.py", "x: list = field(default_factory=list)", "x", "[]"),
        ("a.py", "x: list = field(default_factory=lambda: [0.5])", "x", "[0.5]"),
        ("a.py", "x: Role = field(default_factory=Role)", "x", "Role()"),
        ("a.py", "x: int", "x", None),
        ("a.py", 'call(level="warn")', "level", "'warn'"),
        ("a.yaml", "x: ~", "x", "~"),
        ("a.yaml", "x: [1, 2]", "x", "[1, 2]"),
        ("a.yaml", "x: ${x:128}", "x", "128"),
    ],
)
def test_declared(path: str, text: str, name: str, default: str | None) -> None:
    found = declared(path, text, 1, name)
    assert found is not None and found.default == default


def test_nothing_is_declared_in_an_unknown_form() -> None:
    assert declared("a.py", 'x = os.environ["X"]', 1, "X") is None
    assert declared("a.sh", "export X=1", 1, "X") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ('"a"', "'a'", True),
        ("null", "None", True),
        ("1", "1.0", False),
        ("a b", "a  b", True),
    ],
)
def test_same_default(one: str, other: str, same: bool) -> None:
    assert same_default(one, other) is same


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise ValueError(f"batch_size {a} < chunks {b}")', True),
        ('raise ValueError(f"batch_size {a} "\n    f"< chunks {b}")', True),
        ('raise ValueError("batch_size " + str(a) + " < chunks " + str(b))', True),
        ('raise ValueError("batch_size {} < chunks {}".format(a, b))', True),
        ('log("batch_size")\nlog("< chunks")', False),
        ('raise ValueError(f"chunks {b} < batch_size {a} < chunks")', True),
    ],
)
def test_error_text_in_source(source: str, found: bool) -> None:
    parts = fixed_parts("AssertionError: batch_size {int} < chunks {int}")
    assert (find_text("a.py", source, parts) is not None) is found


def test_too_little_fixed_text_is_not_looked_for() -> None:
    assert fixed_parts("AssertionError: {int} % {int} != 0") == ()

"""Flags that changed their names: OpenRLHF's, which got a group and a dot."""

from fieldguide.content.catalog.models import KeyKind
from fieldguide.content.guide import load_guide
from fieldguide.upkeep.extract import Clone, extract
from fieldguide.upkeep.extract.openrlhf import RENAMED
from fieldguide.upkeep.verify.defaults import declared
from tests.conftest import ROOT
from tests.test_extract import UPSTREAM, git, upstream

__all__ = ["upstream"]

SCRIPT = "openrlhf/cli/train_ppo_ray.py"


def test_a_flag_is_the_same_before_and_after(upstream) -> None:  # type: ignore[no-untyped-def]
    repository = upstream("grouped")
    before = (UPSTREAM / "grouped" / SCRIPT).read_text(encoding="utf-8").replace("--train.batch_size", "--train_batch_size")
    (repository / SCRIPT).write_text(before, encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=two")
    with Clone(repository) as clone:
        then, now = ({one.name: one for one in extract("openrlhf", clone.tree(at)).declared} for at in ("main", "v1.0.0"))
    assert then.keys() == now.keys()
    assert then["train.batch_size"].spellings == now["train.batch_size"].spellings == ("--train_batch_size",)


def test_the_check_reads_the_rounds_of_a_loop_apart() -> None:
    text = (UPSTREAM / "grouped" / SCRIPT).read_text(encoding="utf-8")
    line = next(at for at, one in enumerate(text.splitlines(), 1) if "adam.lr" in one)
    found = [declared(SCRIPT, text, line, name) for name in ("actor.adam.lr", "critic.adam.lr")]
    assert [one and one.default for one in found] == ["1e-06", "9e-06"]


def test_no_two_flags_became_one() -> None:
    assert len({*RENAMED.values()}) == len(RENAMED)


def test_every_name_of_today_is_declared() -> None:
    """A slip in the pairs would make a flag of its own, removed at the release that renamed them all."""
    keys = {one.record.name: one.record for one in load_guide(ROOT).catalog.keys if one.path.stem == "openrlhf"}
    assert {name for name in RENAMED.values() if name not in keys or keys[name].removed} == set()
    assert {name for name, one in keys.items() if one.kind is KeyKind.FLAG and one.removed and name in RENAMED} == set()


def test_flags_are_shown_as_the_program_takes_them() -> None:
    keys = {one.record.name: one.record for one in load_guide(ROOT).catalog.keys if one.path.stem == "openrlhf"}
    assert keys["train.batch_size"].display == "--train.batch_size"
    assert keys["use_ms"].display == "--use_ms"

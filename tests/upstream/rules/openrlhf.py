"""OpenRLHF: its script from the parsed flags to the models, then what DeepSpeed says of the actor's batch sizes."""

import ast
import builtins
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import yaml

from fieldguide.upkeep.extract.openrlhf import RENAMED
from fieldguide.upkeep.releases.cache import default_folder
from tests.conftest import ROOT
from tests.upstream.rules.source import File, opened, outcome

SCRIPTS = ("openrlhf/cli/train_ppo_ray.py", "examples/train_ppo_ray.py")
STRATEGIES = ("openrlhf/utils/deepspeed/deepspeed.py", "openrlhf/utils/deepspeed.py")
DEEPSPEED = "0.19.5"  # the release that the catalog cites; its two functions are the same in those before
# What the calculator does not ask for; the rest of the flags are as nobody gave them.
GIVEN = {f"{one}.model_name_or_path": one for one in ("actor", "critic", "reward")} | {"reward.remote_url": "http://reward"}
ESTIMATORS = ("gae", "gae", "gae", "reinforce", "rloo", "reinforce_baseline", "group_norm", "dr_grpo")


def draw(random: Random) -> dict[str, Any]:
    """Settings, more often round than not; keys are inputs of the calculator."""
    nodes, gpus = random.choice([1, 1, 2, 3]), random.choice([8, 8, 4, 2, 6])
    engine_tp = random.choice([1, 1, 2, 4])
    engines = random.choice([nodes * gpus // engine_tp, nodes * gpus // engine_tp, 0, random.randint(1, 9)])
    split = random.choice([(1, 1), (1, 1), (1, 1), (2, 1), (1, 2), (2, 2)])
    ring, tp = split if nodes * gpus % (split[0] * split[1]) == 0 else (1, 1)  # without a text where they do not divide
    rollout, micro = random.choice([8, 64, 128, 1024, random.randint(1, 200)]), random.choice([1, 2, 4, 8])

    def rare(share: float) -> bool:
        return random.random() < share

    return {
        "rollout_batch_size": rollout, "n": random.choice([1, 4, 8, 8, 8]),
        "micro_rollout_batch_size": random.choice([1, 4, 8]),
        "train_batch_size": random.choice([128, 128, 256, 8, random.randint(1, 300)]),
        "train_micro_batch_size": micro, "epochs": 1,
        "dynamic": rare(0.2), "packing": rare(0.3), "images": random.choice([0, 0, 0, 0, 0, 4]),
        "generate_batch": random.choice([None, None, None, rollout, rollout * 2]), "estimator": random.choice(ESTIMATORS),
        "kl": random.choice(["0", "above 0", "above 0"]), "dynamic_filtering": rare(0.15), "actor_nodes": nodes,
        "actor_gpus": gpus, "ring": ring, "tp": tp,
        "zero_stage": random.choice([2, 3]), "engines": engines, "engine_tp": engine_tp, "sleep": rare(0.3),
        "colocate_all": rare(0.5), "async_train": rare(0.3), "partial": rare(0.15), "colocate_actor_ref": rare(0.3),
        "ref_nodes": random.choice([nodes, nodes, nodes, 1]), "ref_gpus": random.choice([gpus, gpus, gpus, 8]),
        "colocate_critic_reward": rare(0.3), "critic_nodes": random.choice([1, nodes]),
        "critic_gpus": random.choice([gpus, gpus, gpus, 8, 4]), "reward_nodes": random.choice([1, nodes, nodes]),
        "reward_gpus": random.choice([gpus, gpus, gpus, 8]),
    }  # fmt: skip


class OpenRLHF:
    """The script and what stands around it, read once."""

    def __init__(self, clones: Path, commit: str) -> None:
        clone = clones / "OpenRLHF+OpenRLHF" / "repo"
        script = _first(clone, commit, SCRIPTS)
        self._is_grouped = script.has('"--train.batch_size"')
        self._flags = [*_flags(script.tree)]
        script = opened(clone, commit, script.path)
        self._space = _stubs(script.tree)
        functions = ["_validate_args", "train"] if script.has("def _validate_args") else ["train"]
        script.load(functions, self._space)
        self._main = compile(_below(script.tree), script.path, "exec")
        strategy = _first(clone, commit, STRATEGIES)
        self._config = _config(opened(clone, commit, strategy.path))
        checks = opened(default_folder() / "deepspeed.git", DEEPSPEED, "deepspeed/runtime/config.py")
        self._deepspeed = checks.load(["_set_batch_related_parameters", "_batch_assertion"], {})
        inputs = yaml.safe_load((ROOT / "catalog/calculators/openrlhf.yml").read_text(encoding="utf-8"))["calculators"][0]
        self._keys = {one["name"]: one["key"] for one in inputs["inputs"]}

    def draw(self, random: Random) -> dict[str, Any]:
        """Settings; what a release has no flag for is without effect there."""
        return draw(random)

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        args = self._arguments(s)
        try:
            stopped = outcome(lambda: exec(self._main, self._space | {"args": args}))
        except UnboundLocalError as error:
            return f"UnboundLocalError: {error}"
        return stopped or outcome(lambda: self._batches(s))

    def _arguments(self, s: dict[str, Any]) -> Any:
        """What argparse would hand over: every flag, flat or in groups."""
        values = dict(self._flags)
        values |= {key: value for key, value in GIVEN.items() if key in values}
        if "algo.dynamic_filtering_enable" not in values and "reward.remote_url" in values:
            values["reward.remote_url"] = None  # v0.4.4 packs samples of local reward models only
        for name, value in s.items():
            if self._keys[name] in values:
                values[self._keys[name]] = {"0": 0.0, "above 0": 0.01}[value] if name == "kl" else value
        if self._is_grouped:
            return _nested(values)
        before = {now: old for old, now in RENAMED.items()}
        return SimpleNamespace(**{before.get(name, name): value for name, value in values.items()})

    def _batches(self, s: dict[str, Any]) -> None:
        """The actor's part of DeepSpeed's configuration, and DeepSpeed's check of it."""
        strategy = MagicMock(
            train_batch_size=s["train_batch_size"], micro_train_batch_size=s["train_micro_batch_size"],
            ring_attn_size=s["ring"], ds_tensor_parallel_size=s["tp"], use_dynamic_batch=s["dynamic"],
            args=MagicMock(pretrain_data=None),
        )  # fmt: skip
        for setting, key in (("ring_attn_size", "ds.ring_attn_size"), ("ds_tensor_parallel_size", "ds.tensor_parallel_size")):
            if key not in dict(self._flags):
                setattr(strategy, setting, 1)
        made = self._config(strategy)
        world = s["actor_nodes"] * s["actor_gpus"]
        names = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")
        config = SimpleNamespace(world_size=world, **{name: made.get(name) for name in names})
        self._deepspeed["_set_batch_related_parameters"](config)
        self._deepspeed["_batch_assertion"](config)


def _first(clone: Path, commit: str, paths: tuple[str, ...]) -> File:
    """The file that a revision has; a wheel of the package index has it below a folder of its own."""
    folders = ("", f"openrlhf-{commit.removeprefix('v')}.data/purelib/")
    files = (File(clone, commit, folder + path) for folder in folders for path in paths)
    return next(one for one in files if one.there)


def _config(strategy: File) -> Callable[[Any], dict[str, Any]]:
    """Strategy → what DeepSpeed gets for a model that is trained."""
    if strategy.has("def get_ds_train_config"):
        made = strategy.load(["get_ds_train_config"], _stubs(strategy.tree) | {"get_train_ds_config": lambda **_: {}})
        return lambda self: dict(made["get_ds_train_config"](self, None))
    first, last = 'ds_config["train_micro_batch_size_per_gpu"]', 'ds_config["train_batch_size"]'
    function = "_ds_init_train_model" if strategy.has("def _ds_init_train_model") else "ds_init_train_model"
    steps = strategy.statements(function, first, last)
    return lambda self: dict(steps({"self": self, "is_actor": True, "ds_config": {}})["ds_config"])


def _flags(tree: ast.Module) -> list[tuple[str, Any]]:
    """Flags of a script by the name that they have today, with their defaults."""
    found = []
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "add_argument"):
            continue
        if not (isinstance(call.args[0], ast.Constant) and str(call.args[0].value).startswith("--")):
            continue
        name = str(call.args[0].value).lstrip("-")
        options = {one.arg: one.value for one in call.keywords}
        fallback = ast.Constant(False if "action" in options else None)
        found.append((RENAMED.get(name, name), _value(options.get("default", fallback))))
    return found


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _nested(values: dict[str, Any]) -> SimpleNamespace:
    made = SimpleNamespace()
    for name, value in values.items():
        *groups, last = name.split(".")
        place = made
        for group in groups:
            if not hasattr(place, group):
                setattr(place, group, SimpleNamespace())
            place = getattr(place, group)
        setattr(place, last, value)
    return made


def _stubs(tree: ast.Module) -> dict[str, Any]:
    """Something that takes everything for each name that is imported."""
    names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)} - set(dir(builtins))
    return {name: MagicMock() for name in names} | {"print": lambda *_, **__: None}


def _below(tree: ast.Module) -> ast.Module:
    """What the script does with the flags that it parsed, up to the call of `train`."""
    main: Any = tree.body[-1]
    start = next(at for at, one in enumerate(main.body) if "parse_args" in ast.unparse(one))
    after = [one for one in main.body[start + 1 :] if not isinstance(one, ast.ImportFrom)]
    return ast.Module(body=[one for one in after if "hierarchize" not in ast.unparse(one)], type_ignores=[])

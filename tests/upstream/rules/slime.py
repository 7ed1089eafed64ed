"""slime: its checks, and those of the Megatron it pins, in the order in which a run comes to them."""

import copy
import heapq
import re
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.upstream.rules.roll import decay
from tests.upstream.rules.source import File, Quiet, opened, outcome

MEGATRON = "1dcf0dafa8"  # what slime's build pins
LOOSE = {"main": "core_v0.14.0"}  # v0.1.0 builds what is newest; v0.2.0 pins this
SPLIT = "slime/utils/dp_schedule.py"  # since v0.3.0; before, each rank made its own micro batches


def draw(random: Random) -> dict[str, Any]:
    """Settings, more often round than not; keys are inputs of the calculator."""
    rollout = random.choice([8, 16, 32, 64, random.randint(1, 80)])
    n = random.choice([1, 2, 4, 8, 8])
    batch = random.choice([None, None, rollout * n, rollout * n // 2 or 1, random.randint(1, 300)])
    return {
        "rollout_batch_size": rollout, "n_samples_per_prompt": n, "global_batch_size": batch,
        "num_steps_per_rollout": random.choice([None, None, None, 1, 2, 4, random.randint(1, 200)]),
        "micro_batch_size": random.choice([1, 1, 2, 4]), "use_dynamic_batch_size": random.random() < 0.4,
        "over_sampling_batch_size": random.choice([None, None, rollout, rollout * 2, random.randint(1, 80)]),
        "returned": random.choice([None, None, None, rollout * n, random.randint(1, 400)]),
        "num_rollout": random.choice([None, 1, 100, 3000]), "lr_decay_iters": random.choice([None, None, 10]),
        "actor_num_nodes": random.choice([1, 1, 2, 4]), "actor_num_gpus_per_node": random.choice([8, 8, 4, 2, 1, 6]),
        "tp": random.choice([1, 1, 2, 4]), "pp": random.choice([1, 1, 1, 2]), "cp": random.choice([1, 1, 1, 2]),
        "vpp": random.choice([1, 1, 1, 2]), "vpp_group": random.choice([None, None, 2, 4]),
        "colocate": random.random() < 0.5, "rollout_num_gpus": random.choice([8, 8, 16]),
        "rollout_num_gpus_per_engine": random.choice([1, 2, 4, 8]), "sglang_pp_size": random.choice([1, 1, 1, 2, 3]),
        "sglang_dp_size": random.choice([1, 1, 1, 2]), "sglang_enable_dp_attention": random.random() < 0.5,
    }  # fmt: skip


class _Parallel:
    """Megatron's `mpu` for one rank."""

    def __init__(self, args: Any) -> None:
        self.args = args

    def get_data_parallel_world_size(self, with_context_parallel: bool = False) -> int:
        return int(self.args.data_parallel_size)

    def get_virtual_pipeline_model_parallel_world_size(self) -> int | None:
        return int(self.args.vpp) if self.args.vpp > 1 else None

    def get_context_parallel_world_size(self) -> int:
        return int(self.args.cp)

    def get_data_parallel_group(self) -> None:
        return None


class Slime:
    """The functions, loaded once."""

    def __init__(self, clones: Path, commit: str) -> None:
        slime, megatron = clones / "THUDM+slime" / "repo", clones / "NVIDIA+Megatron-LM" / "repo"
        pin = re.search(r"^ARG MEGATRON_COMMIT=(\S+)", opened(slime, commit, "docker/Dockerfile").text, re.M)
        assert pin
        built = LOOSE.get(pin[1], pin[1])
        quiet = {"logger": Quiet()}
        arguments = opened(slime, commit, "slime/utils/arguments.py")
        self.validate = arguments.statements(
            "slime_validate_args" if arguments.has("def slime_validate_args") else "parse_args",
            "if args.num_steps_per_rollout is not None",
            "assert args.over_sampling_batch_size",
        )
        sglang = opened(slime, commit, "slime/backends/sglang_utils/arguments.py")
        self.sglang = sglang.load(["validate_args"], quiet | {"sglang": SimpleNamespace(__version__=""), "parse": str})[
            "validate_args"
        ]
        arguments = opened(megatron, built, "megatron/training/arguments.py")
        self.megatron = [
            arguments.statements("validate_args", "total_model_size = ", "assert args.world_size % total_model_size"),
            arguments.statements("validate_args", "args.data_parallel_size = args.world_size // total_model_size"),
            arguments.statements("validate_args", "if args.global_batch_size is None:", "assert args.global_batch_size > 0"),
        ]
        calculator = opened(megatron, built, "megatron/core/num_microbatches_calculator.py")
        self.calculator = calculator.load(
            ["NumMicroBatchesCalculator", "_round", "ConstantNumMicroBatchesCalculator"],
            dict(quiet) | {"ABC": object, "abstractmethod": None, "Optional": Quiet()},
        )["ConstantNumMicroBatchesCalculator"]
        scheduler = opened(megatron, built, "megatron/core/optimizer_param_scheduler.py")
        self.schedule = scheduler.load(
            ["OptimizerParamScheduler.__init__"], dict(quiet) | {"log_single_rank": Quiet(), "logging": Quiet()}
        )
        self.steps = opened(slime, commit, "slime/backends/megatron_utils/model.py").statements(
            "get_optimizer_param_scheduler", "args.train_iters = args.num_rollout", "lr_decay_steps = args.lr_decay_iters"
        )
        plan = File(slime, commit, SPLIT)
        balancing = opened(slime, commit, "slime/utils/seqlen_balancing.py").whole({"copy": copy, "heapq": heapq})
        self.plan = _by_manager(plan, balancing) if plan.there else _by_rank(slime, commit, balancing)

    def draw(self, random: Random) -> dict[str, Any]:
        """Settings; every release knows them all."""
        return draw(random)

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        args = SimpleNamespace(**s)
        args.world_size = args.actor_num_nodes * args.actor_num_gpus_per_node
        args.tensor_model_parallel_size, args.pipeline_model_parallel_size, args.context_parallel_size = (
            args.tp,
            args.pp,
            args.cp,
        )
        args.sglang_pipeline_parallel_size, args.sglang_data_parallel_size = args.sglang_pp_size, args.sglang_dp_size
        args.sglang_expert_parallel_size, args.rollout_external = 1, False
        args.rank, args.balance_data, args.balance_by_flops, args.max_tokens_per_gpu = 0, False, False, 10**9
        space = {"args": args, "logger": Quiet(), "print_rank_0": Quiet(), "print": Quiet()}
        steps = [lambda: self.validate(space), *(lambda run=run: run(space) for run in self.megatron)]
        steps += [lambda: self.sglang(args), lambda: self._batches(args), lambda: self._decay(args), lambda: self._plan(args)]
        return next((error for error in map(outcome, steps) if error), None)

    def _batches(self, args: Any) -> None:
        self.calculator(args.global_batch_size, args.micro_batch_size, args.data_parallel_size, False, 0)

    def _decay(self, args: Any) -> None:
        if args.num_rollout is None:
            return
        space = self.steps({"args": args})
        decay(self.schedule, space["lr_decay_steps"])

    def _plan(self, args: Any) -> None:
        collected = args.rollout_batch_size * args.n_samples_per_prompt if args.returned is None else args.returned
        group = 1 if args.vpp <= 1 else args.vpp_group or args.pp
        self.plan(args, collected, group)


Plan = Callable[[Any, int, int], None]


def _by_manager(file: File, balancing: dict[str, Any]) -> Plan:
    """The rollout manager makes the micro batches of all ranks."""
    functions = ["_pack_step_into_mbs", "build_dp_schedule"]
    functions += ["_calculate_workloads"] if file.has("def _calculate_workloads") else []
    build = opened(file.clone, file.commit, file.path).load(functions, {"logger": Quiet()} | balancing)["build_dp_schedule"]
    samples = "rollout_indices" if file.has("rollout_indices") else "group_indices"

    def plan(args: Any, collected: int, group: int) -> None:
        parallel = {
            "dp_size": args.data_parallel_size, "cp_size": args.cp, "vpp_size": args.vpp,
            "microbatch_group_size_per_vp_stage": group,
        }  # fmt: skip
        numbers = {samples: list(range(collected))}
        build(args, parallel, [1] * collected, global_batch_size=args.global_batch_size, **numbers)

    return plan


def _by_rank(slime: Path, commit: str, balancing: dict[str, Any]) -> Plan:
    """The rollout is cut to whole batches, where the release does so; then each rank makes its micro batches."""
    rollout = File(slime, commit, "slime/ray/rollout.py")
    trim = None
    if rollout.has("trim_len"):
        trim = opened(slime, commit, rollout.path).statements(
            "RolloutManager", "trim_len = (len(data)", "data = data[:trim_len]"
        )
    helper = next(
        one
        for path in ("slime/utils/data.py", "slime/backends/utils/data.py")
        if (one := File(slime, commit, path)).has("def get_minimum_num_micro_batch_size")
    )
    torch = SimpleNamespace(tensor=lambda values, **_: Ints(values), clamp=_clamp, int=int, cuda=Quiet())
    space = balancing | {"torch": torch, "dist": Quiet(), "logger": Quiet(), "DataIterator": Quiet()}
    helper.load(["get_minimum_num_micro_batch_size"], space)
    iterate = opened(slime, commit, "slime/backends/megatron_utils/data.py").load(["get_data_iterator"], space)
    many = len(signature(iterate["get_data_iterator"]).parameters)
    assert many == 3

    def plan(args: Any, collected: int, group: int) -> None:
        batch = args.global_batch_size
        if trim and collected % batch:
            owner = SimpleNamespace(args=args)
            collected = len(trim({"self": owner, "data": range(collected), "global_batch_size": batch, **space})["data"])
        sizes = dict.fromkeys((-(-collected // args.data_parallel_size), collected // args.data_parallel_size))
        config = SimpleNamespace(microbatch_group_size_per_vp_stage=group)
        space["get_model_config"] = lambda model: config
        space["mpu"] = _Parallel(args)
        for size in sizes:
            iterate["get_data_iterator"](args, [None], {"total_lengths": [1] * size})

    return plan


class Ints(list[int]):
    """As much of a tensor of whole numbers as is computed with."""

    def __floordiv__(self, other: int) -> "Ints":
        return Ints([one // other for one in self])

    def __mul__(self, other: Any) -> "Ints":
        return Ints([one * other for one in self])

    def tolist(self) -> list[int]:
        return list(self)


def _clamp(values: Ints, min: int) -> Ints:
    return Ints([max(min, one) for one in values])

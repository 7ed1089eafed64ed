"""slime: its checks, and those of the Megatron it pins, in the order in which a run comes to them."""

import copy
import heapq
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.upstream.rules.roll import decay
from tests.upstream.rules.source import SOURCES, File, Quiet, outcome

MEGATRON = "1dcf0dafa8"  # what slime's build pins


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


class Slime:
    """The functions, loaded once."""

    def __init__(self, clones: Path, commit: str) -> None:
        def file(path: str, clone: str = "THUDM+slime", at: str = commit) -> File:
            one = File(clones / clone / "repo", at, path)
            SOURCES[path] = one.text
            return one

        quiet = {"logger": Quiet()}
        self.validate = file("slime/utils/arguments.py").statements(
            "slime_validate_args", "if args.num_steps_per_rollout is not None", "assert args.over_sampling_batch_size"
        )
        self.sglang = file("slime/backends/sglang_utils/arguments.py").load(["validate_args"], dict(quiet))["validate_args"]
        arguments = file("megatron/training/arguments.py", "NVIDIA+Megatron-LM", MEGATRON)
        self.megatron = [
            arguments.statements("validate_args", "total_model_size = ", "assert args.world_size % total_model_size"),
            arguments.statements("validate_args", "args.data_parallel_size = args.world_size // total_model_size"),
            arguments.statements("validate_args", "if args.global_batch_size is None:", "assert args.global_batch_size > 0"),
        ]
        calculator = file("megatron/core/num_microbatches_calculator.py", "NVIDIA+Megatron-LM", MEGATRON)
        self.calculator = calculator.load(
            ["NumMicroBatchesCalculator", "_round", "ConstantNumMicroBatchesCalculator"],
            dict(quiet) | {"ABC": object, "abstractmethod": None, "Optional": Quiet()},
        )["ConstantNumMicroBatchesCalculator"]
        scheduler = file("megatron/core/optimizer_param_scheduler.py", "NVIDIA+Megatron-LM", MEGATRON)
        self.schedule = scheduler.load(
            ["OptimizerParamScheduler.__init__"], dict(quiet) | {"log_single_rank": Quiet(), "logging": Quiet()}
        )
        self.steps = file("slime/backends/megatron_utils/model.py").statements(
            "get_optimizer_param_scheduler", "args.train_iters = args.num_rollout", "lr_decay_steps = args.lr_decay_iters"
        )
        balancing = file("slime/utils/seqlen_balancing.py").whole({"copy": copy, "heapq": heapq})
        self.plan = file("slime/utils/dp_schedule.py").load(
            ["_calculate_workloads", "_pack_step_into_mbs", "build_dp_schedule"], dict(quiet) | balancing
        )["build_dp_schedule"]

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        args = SimpleNamespace(**s)
        args.world_size = args.actor_num_nodes * args.actor_num_gpus_per_node
        args.tensor_model_parallel_size, args.pipeline_model_parallel_size, args.context_parallel_size = (
            args.tp,
            args.pp,
            args.cp,
        )
        args.rank, args.balance_data, args.balance_by_flops, args.max_tokens_per_gpu = 0, False, False, 10**9
        space = {"args": args, "logger": Quiet(), "print_rank_0": Quiet()}
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
        parallel = {
            "dp_size": args.data_parallel_size, "cp_size": args.cp, "vpp_size": args.vpp,
            "microbatch_group_size_per_vp_stage": group,
        }  # fmt: skip
        self.plan(
            args, parallel, [1] * collected, global_batch_size=args.global_batch_size, rollout_indices=list(range(collected))
        )

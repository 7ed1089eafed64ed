"""ROLL: its checks in the order in which a run comes to them."""

import heapq
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.upstream.rules.source import File, Quiet, opened, outcome

_PARALLEL = {"tp": "tensor_model", "pp": "pipeline_model", "cp": "context"}
PIPELINES = {"rlvr": "RLVRConfig", "agentic": "AgenticConfig"}
PARTIAL = ("_validate_partial_gpu_config", "_validate_minimum_active_ranks")
MEGATRON = "d98e8a64ddf34856e74b24714e3bedb2f5a39553"


def draw(random: Random, backends: list[str]) -> dict[str, Any]:
    """Settings, more often round than not; keys are inputs of the calculator."""
    size = random.choice([1, 2, 4, 8])
    agentic = random.random() < 0.25
    made: dict[str, Any] = {
        "pipeline": "agentic" if agentic else "rlvr",
        "backend": random.choice(["megatron_train", *backends]),
        "rollout_batch_size": random.choice([8, 16, 24, 32, 48, 64, 96, 128, random.randint(1, 100)]),
        "num_return_sequences_in_group": random.choice([1, 2, 4, 5, 8]),
        "per_device_train_batch_size": random.choice([1, 1, 2, 3, 4]),
        "gradient_accumulation_steps": random.choice([1, 2, 4, 8, 16, 32, random.randint(1, 40)]),
        "ppo_epochs": random.choice([1, 1, 2]),
        "max_steps": random.choice([1, 1, 2, 100]),
        "train_gpus": random.choice([1, 2, 4, 8, 8, 16, 16, 32, random.randint(1, 24)]),
        "tp": random.choice([1, 1, 2, 4]), "pp": random.choice([1, 1, 1, 2]), "cp": random.choice([1, 1, 1, 2]),
        "ulysses_size": random.choice([1, 1, 1, 2]),
        "use_dynamic_batching_in_train": random.random() < 0.15,
        "infer_backend": random.choice(["vllm", "vllm", "sglang"]),
        "infer_gpus": random.choice([4, 8, 8, 16, random.randint(1, 16)]),
        "infer_tp": random.choice([1, 1, 2, 4]), "infer_pp": random.choice([1, 1, 1, 2]),
        "num_gpus_per_worker": random.choice([1, 1, 2, 4]),
        "dataset_rows": random.choice([None, 1000, 1000, 64, random.randint(1, 200)]),
        "placement": random.choice(["colocate", "separate"]),
        "nodes": random.choice([None, 1, 2, 4, 8]), "gpus_per_node": random.choice([8, 8, 8, 4]),
        "reward_gpus": random.choice([None, None, None, 4]),
    }  # fmt: skip
    if agentic:
        made |= {
            "rollout_batch_size": random.choice([size * 8, size * 16, random.randint(1, 200)]),
            "group_size": random.choice([1, size, 4, 8]), "num_env_groups": random.choice([4, 8, 16, 128]),
            "max_traj_per_env": random.choice([-1, -1, 1, 2, 16]), "val_group_size": random.choice([1, 1, size, 3]),
            "val_batch_size": random.choice([-1, 128, 128, 64, random.randint(1, 200)]),
            "val_num_env_groups": random.choice([1, 8, 16, 128]), "val_max_traj_per_env": random.choice([-1, -1, 1, 2]),
            "async_generation_ratio": random.choice([0, 0, 1]), "partial_gpu_mode": random.random() < 0.8,
        }  # fmt: skip
    if made["backend"] == "deepspeed_train":
        made["ulysses_size"] = min(made["ulysses_size"], made["train_gpus"])
    return made


class Roll:
    """The functions, loaded once."""

    def __init__(self, clones: Path, commit: str) -> None:
        def file(path: str) -> File:
            return opened(clones / "alibaba+ROLL" / "repo", commit, path)

        quiet = {"logger": Quiet(), "torch": Quiet(), "Dict": dict}
        self.utils = file("roll/utils/config_utils.py").load(
            ["calculate_megatron_dp_size", "validate_megatron_batch_size"], dict(quiet)
        )
        self.worker = file("roll/configs/worker_config.py").load(["WorkerConfig.__post_init__"], dict(quiet))["__post_init__"]
        base = file("roll/configs/base_config.py")
        self.nodes = base.statements("BaseConfig.__post_init__", "total_devices = []", "if len(total_devices) > 0")
        if base.has("def set_old_logprobs_status"):
            names = ["PPOConfig.set_max_steps", "PPOConfig.set_old_logprobs_status"]
            loaded = base.load(names, dict(quiet) | self.utils)
            self.logprobs = loaded["set_old_logprobs_status"]
            self.steps = dict.fromkeys(PIPELINES, loaded["set_max_steps"])
        else:  # up to v0.1.1 each pipeline has its own
            self.logprobs = None
            self.steps = {
                name: file(f"roll/pipeline/{name}/{name}_config.py").load([f"{owner}.set_max_steps"], dict(quiet))[
                    "set_max_steps"
                ]
                for name, owner in PIPELINES.items()
            }
        self.per_worker = file("roll/distributed/strategy/megatron_strategy.py").statements(
            "MegatronTrainStrategy.initialize", "training_args.max_steps // self.worker.rank_info.dp_size"
        )
        self.resources = file("roll/distributed/scheduler/resource_manager.py").statements(
            "ResourceManager.__init__", "assert num_nodes <= ray_num_nodes"
        )
        self.agentic = file("roll/pipeline/agentic/agentic_config.py").statements(
            "AgenticConfig.__post_init__", "train_env_num =", "assert self.val_env_manager.max_traj_per_env >= traj_per_env"
        )
        self.domain = file("roll/pipeline/rlvr/rlvr_pipeline.py").statements(
            "RLVRPipeline.__init__", "assert domain_batch_size < len("
        )
        pipeline = file("roll/pipeline/agentic/agentic_pipeline.py")
        self.shared = (
            pipeline.load([f"AgenticPipeline.{name}" for name in PARTIAL], dict(quiet)) if pipeline.has(PARTIAL[0]) else None
        )
        functionals, protocol = file("roll/utils/functionals.py"), file("roll/distributed/scheduler/protocol.py")
        self.partition = (
            functionals.load(["get_seqlen_balanced_partitions"], {"heapq": heapq, "List": list, "Tuple": tuple})
            if functionals.has("def get_seqlen_balanced_partitions")
            else None
        )
        self.chunk = protocol.statements("DataProto.chunk", "assert len(self) >= chunks")
        self.iterate = protocol.load(["DataProto.make_iterator"], dict(quiet) | {"DataLoader": Quiet(), "collate_fn": None})[
            "make_iterator"
        ]
        self.dynamic = file("roll/pipeline/base_worker.py").has("use_dynamic_batching_in_train")
        factory = file("roll/distributed/strategy/factory.py")
        self.backends = [name for name in ("fsdp2_train", "deepspeed_train") if factory.has(f'strategy_name == "{name}"')]
        scheduler = opened(clones / "NVIDIA+Megatron-LM" / "repo", MEGATRON, "megatron/core/optimizer_param_scheduler.py")
        self.schedule = scheduler.load(
            ["OptimizerParamScheduler.__init__"], dict(quiet) | {"log_single_rank": Quiet(), "logging": Quiet()}
        )

    def draw(self, random: Random) -> dict[str, Any]:
        """Settings that this release knows."""
        return draw(random, self.backends)

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        steps: list[Callable[[], Any]] = [lambda: self._infer(s), lambda: self._train(s), lambda: self._logprobs(s)]
        agentic = s["pipeline"] == "agentic"
        steps += [lambda: self._agentic(s)] if agentic else []
        steps += [lambda: self._cluster(s), lambda: self._domains(s), lambda: self._decay(s)]
        steps += [lambda: self._sharing(s)] if agentic else [lambda: self._step(s)]  # the agentic pipeline makes the batch fit
        return next((error for error in map(outcome, steps) if error), None)

    def _infer(self, s: dict[str, Any]) -> None:
        config = {"tensor_parallel_size": s["infer_tp"], "pipeline_parallel_size": s["infer_pp"]}
        self.worker(_worker(s["infer_backend"], config, s["infer_gpus"], s["num_gpus_per_worker"]))

    def _train(self, s: dict[str, Any]) -> None:
        if "megatron" in s["backend"]:
            config = {f"{name}_parallel_size": s[key] for key, name in _PARALLEL.items()}
            self.utils["validate_megatron_batch_size"](s["rollout_batch_size"], s["train_gpus"], config)

    def _logprobs(self, s: dict[str, Any]) -> None:
        if self.logprobs:
            config = _pipeline(s)
            config._get_effective_cp_size_ulysses = lambda size: size
            self.logprobs(config)

    def _agentic(self, s: dict[str, Any]) -> None:
        train = SimpleNamespace(
            num_env_groups=s["num_env_groups"], group_size=s["group_size"], max_traj_per_env=s["max_traj_per_env"]
        )
        val = SimpleNamespace(
            num_env_groups=s["val_num_env_groups"], group_size=s["val_group_size"], max_traj_per_env=s["val_max_traj_per_env"]
        )
        config = SimpleNamespace(
            train_env_manager=train, val_env_manager=val, rollout_batch_size=s["rollout_batch_size"],
            val_batch_size=s["val_batch_size"], async_generation_ratio=s["async_generation_ratio"],
        )  # fmt: skip
        self.agentic({"self": config, "logger": Quiet(), "sys": sys})

    def _cluster(self, s: dict[str, Any]) -> None:
        if s["nodes"] is None:
            return
        shift = 0 if s["placement"] == "colocate" else s["train_gpus"]
        config = type("Config", (), {})()
        worker = type("Worker", (), {})
        config.actor_train, config.actor_infer = worker(), worker()
        config.actor_train.device_mapping = list(range(s["train_gpus"]))
        config.actor_infer.device_mapping = list(range(shift, shift + s["infer_gpus"]))
        config.num_gpus_per_node = s["gpus_per_node"]
        self.nodes({"self": config, "WorkerConfig": worker})
        self.resources({"num_nodes": config.num_nodes, "ray_num_nodes": s["nodes"]})

    def _domains(self, s: dict[str, Any]) -> None:
        if s["pipeline"] == "rlvr" and s["dataset_rows"] is not None:
            owner = SimpleNamespace(domain_datasets={"all": range(s["dataset_rows"])})
            self.domain({"self": owner, "domain": "all", "domain_batch_size": s["rollout_batch_size"]})

    def _decay(self, s: dict[str, Any]) -> None:
        if s["backend"] != "megatron_train":
            return
        config = _pipeline(s)
        self.steps[s["pipeline"]](config, s["max_steps"])
        strategy = SimpleNamespace(
            worker_config=config.actor_train, worker=SimpleNamespace(rank_info=SimpleNamespace(dp_size=self._dp(s)))
        )
        self.per_worker({"self": strategy})
        decay(self.schedule, strategy.worker_config.training_args.max_steps)

    def _dp(self, s: dict[str, Any]) -> int:
        if s["backend"] == "megatron_train":
            return int(self.utils["calculate_megatron_dp_size"](s["train_gpus"], s["tp"], s["pp"], s["cp"]))
        return int(s["train_gpus"] // s["ulysses_size"])

    def _sharing(self, s: dict[str, Any]) -> None:
        if not self.shared or not s["partial_gpu_mode"]:
            return
        shift = 0 if s["placement"] == "colocate" else s["train_gpus"]
        parallel = {"tensor_parallel_size": s["infer_tp"], "pipeline_parallel_size": s["infer_pp"]}
        vllm = s["infer_backend"] == "vllm"
        workers = s["infer_gpus"] // (s["infer_tp"] * s["infer_pp"] if vllm else s["num_gpus_per_worker"])
        infer = SimpleNamespace(
            device_mapping=list(range(shift, shift + s["infer_gpus"])), world_size=workers,
            strategy_args=SimpleNamespace(strategy_config=parallel if vllm else {}),
        )  # fmt: skip
        owner = SimpleNamespace(
            actor_train=SimpleNamespace(worker_config=SimpleNamespace(device_mapping=list(range(s["train_gpus"])))),
            actor_infer=SimpleNamespace(worker_config=infer), critic=None,
            reward=_rewarding(s["reward_gpus"]),
            pipeline_config=SimpleNamespace(enable_reference=False, async_generation_ratio=s["async_generation_ratio"]),
        )  # fmt: skip
        owner._validate_minimum_active_ranks = partial(self.shared[PARTIAL[1]], owner)
        self.shared[PARTIAL[0]](owner)

    def _step(self, s: dict[str, Any]) -> None:
        samples, dp = s["rollout_batch_size"] * s["num_return_sequences_in_group"], self._dp(s)
        if self.partition:
            parts = self.partition["get_seqlen_balanced_partitions"]([1] * samples, dp, equal_size=True)
            sizes = [len(parts[0])]
        else:  # up to v0.1.3 numpy splits, the bigger parts first
            batch = SimpleNamespace(batch_size=[samples])
            self.chunk({"self": Sized(samples, batch), "chunks": dp})
            sizes = [-(-samples // dp), samples // dp]
        if self.dynamic and s["use_dynamic_batching_in_train"]:
            return
        for size in sizes:
            made = SimpleNamespace(batch_size=[size])
            owner = SimpleNamespace(_batch=made, batch=made, _remote_batch=None)
            self.iterate(owner, s["per_device_train_batch_size"] * s["gradient_accumulation_steps"], 1)


class Sized(list[None]):
    """A batch with so many rows."""

    def __init__(self, rows: int, batch: Any) -> None:
        super().__init__([None] * rows)
        self.batch = self._batch = batch


def decay(schedule: dict[str, Any], steps: int) -> None:
    """Megatron's scheduler, built for so many steps."""
    made = SimpleNamespace(step=Quiet(), num_steps=0)
    schedule["__init__"](
        made, Quiet(), init_lr=0.0, max_lr=1.0, min_lr=0.0, lr_warmup_steps=-1 if steps <= 0 else 0, lr_decay_steps=steps,
        lr_decay_style="constant", start_wd=0.0, end_wd=0.0, wd_incr_steps=1, wd_incr_style="constant",
    )  # fmt: skip


def _pipeline(s: dict[str, Any]) -> Any:
    """As much of a pipeline's configuration as the functions look at."""
    arguments = {name: s[name] for name in ("per_device_train_batch_size", "gradient_accumulation_steps")}
    sizes = {f"{name}_parallel_size": s[key] for key, name in _PARALLEL.items()}
    return SimpleNamespace(
        actor_train=SimpleNamespace(
            training_args=SimpleNamespace(**arguments),
            strategy_args=SimpleNamespace(strategy_name=s["backend"], strategy_config=sizes),
            model_args=SimpleNamespace(ulysses_size=s["ulysses_size"]),
            device_mapping=list(range(s["train_gpus"])),
        ),
        critic=SimpleNamespace(training_args=SimpleNamespace(**arguments)),
        actor_infer=SimpleNamespace(
            generating_args=SimpleNamespace(
                num_return_sequences=s["num_return_sequences_in_group"] if s["pipeline"] == "rlvr" else 1
            )
        ),
        rollout_batch_size=s["rollout_batch_size"], ppo_epochs=s["ppo_epochs"], max_steps=s["max_steps"], init_kl_coef=0,
    )  # fmt: skip


def _worker(strategy: str, config: dict[str, int], gpus: int, per_worker: int) -> Any:
    return SimpleNamespace(
        strategy_args=SimpleNamespace(strategy_name=strategy, strategy_config=config),
        num_gpus_per_worker=per_worker,
        device_mapping=f"list(range(0, {gpus}))",
        router_replay=SimpleNamespace(mode="disabled"),
        model_args=SimpleNamespace(dtype="bf16", model_name_or_path=None),
        training_args=SimpleNamespace(),
    )


def _rewarding(gpus: int | None) -> Any:
    """A reward model on GPUs of its own."""
    return SimpleNamespace(worker_config=SimpleNamespace(device_mapping=list(range(96, 96 + gpus)))) if gpus else None

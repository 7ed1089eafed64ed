"""ChatLearn: its configuration classes as they are, then what it checks while it builds the workers."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

from tests.upstream.rules.source import File, opened, outcome

FILES = ("base/base_config", "base/base_model_config", "base/common", "base/__init__", "fsdp_config", "megatron_config",
         "policy_config", "runtime_config", "partial_rollout_manager_config")  # fmt: skip
MANAGER = "PartialRolloutManagerConfig"  # releases without it know no rollout manager


def draw(random: Random) -> dict[str, Any]:
    """Settings, more often round than not; keys are inputs of the calculator."""
    batch = random.choice([32, 64, 128, 256, random.randint(1, 200)])
    gpus = random.choice([2, 4, 8, 8, 16, random.randint(1, 20)])
    ref = random.choice([gpus, gpus, gpus, random.randint(1, 20)])
    return {
        "backend": random.choice(["fsdp", "megatron"]),
        "sample_per_episode": random.choice([batch, batch * 2, batch * 4, 512, random.randint(1, 600)]),
        "num_inference_per_prompt": random.choice([1, 2, 4, 8, 32]), "train_global_batch_size": batch,
        "train_micro_batch_size": random.choice([1, 2, 4, 8]), "train_gpus": gpus,
        "ulysses": random.choice([1, 1, 1, 2, 4, 16]),
        "tp": random.choice([1, 1, 2, 4]), "pp": random.choice([1, 1, 1, 2]), "cp": random.choice([1, 1, 1, 2]),
        "generation_batch_size": random.choice([1, 2, 4, 8]), "packing": random.random() < 0.4,
        "ref_gpus": ref, "ref_ulysses": random.choice([1, 1, 1, 2, 16]),
        "ref_tp": random.choice([1, 1, 2, 4]), "ref_pp": random.choice([1, 1, 1, 2]), "ref_cp": random.choice([1, 1, 1, 2]),
        "ref_ep": random.choice([1, 1, 1, 2, 4]), "ref_etp": random.choice([None, None, 1, 2]),
        "ref_generation_batch_size": random.choice([1, 2, 4, 8]), "ref_packing": random.random() < 0.4,
        "policy_gpus": random.choice([gpus, gpus, random.randint(1, 16)]), "policy_tp": random.choice([1, 1, 1, 2, 4]),
        "policy_pp": random.choice([1, 1, 1, 1, 2]), "policy_ep": random.choice([1, 1, 1, 1, 2]),
        "use_rollout_manager": random.random() < 0.3, "placement": random.choice(["colocate", "separate"]),
        "nodes": random.choice([None, 1, 2, 3, 4]), "gpus_per_node": random.choice([8, 8, 8, 4]),
    }  # fmt: skip


@contextmanager
def _package(sources: dict[str, str]) -> Iterator[dict[str, ModuleType]]:
    """chatlearn.configs from these sources, importable while the block runs; what else it imports is not there."""
    made: dict[str, ModuleType] = {"omegaconf": ModuleType("omegaconf")}
    made["omegaconf"].MISSING = "???"  # type: ignore[attr-defined]
    for name in ("chatlearn", "chatlearn.configs", "chatlearn.configs.base", "chatlearn.utils", "chatlearn.utils.constant",
                 "megatron", "megatron.training", "megatron.training.arguments", "megatron.core",
                 "megatron.core.transformer", "megatron.core.transformer.enums"):  # fmt: skip
        made[name] = ModuleType(name)
        made[name].__path__ = []  # type: ignore[attr-defined]
    made["chatlearn.utils.constant"].RAY_PG_STRATEGY = SimpleNamespace(SPREAD=SimpleNamespace(value="SPREAD"))  # type: ignore[attr-defined]
    made["megatron.training.arguments"].moe_freq_type = str  # type: ignore[attr-defined]
    made["megatron.core.transformer.enums"].AttnBackend = SimpleNamespace(auto="auto")  # type: ignore[attr-defined]
    before = {name: sys.modules.get(name) for name in made}
    sys.modules |= made
    try:
        for name in sources:
            dotted = f"chatlearn.configs.{name.replace('/', '.')}".removesuffix(".__init__")
            module = made.get(dotted) or ModuleType(dotted)
            module.__package__ = dotted if name.endswith("__init__") else dotted.rpartition(".")[0]
            made[dotted] = sys.modules[dotted] = module
            exec(compile(sources[name], f"chatlearn/configs/{name}.py", "exec"), module.__dict__)
        yield made
    finally:
        for name in made:
            if before.get(name) is None:
                sys.modules.pop(name, None)


class ChatLearn:
    """The classes and functions, loaded once."""

    def __init__(self, clones: Path, commit: str) -> None:
        def file(path: str) -> File:
            return opened(clones / "alibaba+ChatLearn" / "repo", commit, path)

        configs = {name: File(clones / "alibaba+ChatLearn" / "repo", commit, f"chatlearn/configs/{name}.py") for name in FILES}
        with _package({name: file(one.path).text for name, one in configs.items() if one.there}) as modules:
            space = {"__name__": "grpo"}
            for module in modules.values():
                space |= {name: value for name, value in vars(module).items() if not name.startswith("__")}
            space |= {"Any": Any, "fields": fields}
            grpo = file("chatlearn/algorithm/grpo.py")
            start = grpo.text.index("@dataclass\nclass GrpoModelConfig")
            end = grpo.text.index("class GRPOEvaluator")
            exec(compile("\n" * grpo.text[:start].count("\n") + grpo.text[start:end], grpo.path, "exec"), space)
        self.space: dict[str, Any] = space
        manager = file("chatlearn/schedule/model_manager.py")
        method = "create_dist_models" if manager.has("def create_dist_models") else "remote"  # up to v1.2.0
        self.required = manager.statements(f"ModelManager.{method}", "if total_gpu_required > self.resouce_manager.total_gpu")
        self.group = file("chatlearn/schedule/resource_manager.py").statements(
            "ResourceManager.create_placement_group", "assert num_gpus % self.gpu_per_node"
        )
        self.producer = file("chatlearn/runtime/environment.py").statements(
            "Environment.setup_dataset", "assert self.sample_per_episode % len("
        )
        self.module = file("chatlearn/models/base_module.py").statements("BaseModule.__init__", "self._num_gpu_per_replica =")
        self.world, self.batches = _megatron(clones)

    def draw(self, random: Random) -> dict[str, Any]:
        """Settings; every release knows them all."""
        return draw(random)

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        steps = [lambda: self._config(s), lambda: self._placed(s), lambda: self._trainer(s), lambda: self._producer(s)]
        return next((error for error in map(outcome, steps) if error), None)

    def _config(self, s: dict[str, Any]) -> None:
        new = self.space
        runtime = new["RuntimeConfig"](
            train_backend=s["backend"], sample_per_episode=s["sample_per_episode"],
            train_global_batch_size=s["train_global_batch_size"], train_micro_batch_size=s["train_micro_batch_size"],
        )  # fmt: skip
        policy = new["PolicyConfig"](
            num_gpu=s["policy_gpus"], tensor_model_parallel_size=s["policy_tp"], pipeline_model_parallel_size=s["policy_pp"],
            expert_model_parallel_size=s["policy_ep"], num_inference_per_prompt=s["num_inference_per_prompt"],
        )  # fmt: skip
        trainer = _parallel(s, "") | {
            "num_gpu": s["train_gpus"], "generation_batch_size": s["generation_batch_size"], "packing": s["packing"],
            "trainable": True,
        }  # fmt: skip
        reference = _parallel(s, "ref_") | {
            "num_gpu": s["ref_gpus"], "generation_batch_size": s["ref_generation_batch_size"], "packing": s["ref_packing"],
        }  # fmt: skip
        manager = {"partial_rollout_manager": new[MANAGER]()} if MANAGER in new else {}
        models = new["GrpoModelConfig"](policy=policy, policy_trainer=trainer, ref_policy=reference, **manager)
        new["GrpoConfig"](runtime_args=runtime, models=models).validate()

    def _placed(self, s: dict[str, Any]) -> None:
        replicas = SimpleNamespace(num_replica=_policy_replicas(s))
        self.module({"self": SimpleNamespace(total_gpu=s["policy_gpus"], module_args=replicas)})
        each = [s["policy_gpus"], s["train_gpus"], s["ref_gpus"]]
        groups = [max(each)] if s["placement"] == "colocate" else each
        if s["nodes"] is not None:
            total = SimpleNamespace(resouce_manager=SimpleNamespace(total_gpu=s["nodes"] * s["gpus_per_node"]))
            self.required({"self": total, "total_gpu_required": sum(groups)})
        for gpus in groups:
            if gpus > s["gpus_per_node"]:
                self.group({"self": SimpleNamespace(gpu_per_node=s["gpus_per_node"]), "num_gpus": gpus})

    def _trainer(self, s: dict[str, Any]) -> None:
        if s["backend"] == "megatron":
            args = SimpleNamespace(
                world_size=s["train_gpus"], tensor_model_parallel_size=s["tp"], pipeline_model_parallel_size=s["pp"],
                context_parallel_size=s["cp"],
            )  # fmt: skip
            self.world({"args": args})
            data_parallel = s["train_gpus"] // (s["tp"] * s["pp"] * s["cp"])
            self.batches(s["train_global_batch_size"], s["train_micro_batch_size"], data_parallel, False, 0)

    def _producer(self, s: dict[str, Any]) -> None:
        if MANAGER not in self.space or not s["use_rollout_manager"]:
            owner = SimpleNamespace(
                sample_per_episode=s["sample_per_episode"], data_producer=SimpleNamespace(replicas=range(_policy_replicas(s)))
            )
            self.producer({"self": owner})


def _policy_replicas(s: dict[str, Any]) -> int:
    return int(s["policy_gpus"] // (s["policy_tp"] * s["policy_ep"] * s["policy_pp"]))


def _parallel(s: dict[str, Any], prefix: str) -> dict[str, Any]:
    if s["backend"] == "fsdp":
        return {"ulysses_sequence_parallel_size": s[f"{prefix}ulysses"]}
    sizes = {
        "tensor_model_parallel_size": s[f"{prefix}tp"], "pipeline_model_parallel_size": s[f"{prefix}pp"],
        "context_parallel_size": s[f"{prefix}cp"], "seq_length": 1,
    }  # fmt: skip
    if prefix:
        sizes |= {"expert_model_parallel_size": s["ref_ep"], "expert_tensor_parallel_size": s["ref_etp"]}
    return sizes


def _megatron(clones: Path) -> tuple[Any, Any]:
    from tests.upstream.rules.slime import MEGATRON, Quiet

    def file(path: str) -> File:
        return opened(clones / "NVIDIA+Megatron-LM" / "repo", MEGATRON, path)

    world = file("megatron/training/arguments.py").statements(
        "validate_args", "total_model_size = ", "assert args.world_size % total_model_size"
    )
    calculator = file("megatron/core/num_microbatches_calculator.py").load(
        ["NumMicroBatchesCalculator", "_round", "ConstantNumMicroBatchesCalculator"],
        {"logger": Quiet(), "ABC": object, "abstractmethod": None, "Optional": Quiet()},
    )
    return world, calculator["ConstantNumMicroBatchesCalculator"]

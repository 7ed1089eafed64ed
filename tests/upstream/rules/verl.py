"""verl: its checks in the order in which a run comes to them."""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.upstream.rules.source import SOURCES, File, Quiet, outcome


def draw(random: Random) -> dict[str, Any]:
    """Settings, more often round than not; keys are inputs of the calculator."""
    backend = random.choice(["fsdp", "fsdp", "fsdp2", "megatron"])
    batch = random.choice([32, 64, 128, 256, 512, random.randint(1, 300)])
    per_gpu = random.choice([1, 2, 4, 8, 8, 3])
    old = random.random() < 0.12 and backend != "megatron"
    return {
        "backend": backend, "train_batch_size": batch, "n": random.choice([1, 1, 4, 5, 8]),
        "ppo_mini_batch_size": random.choice([batch, batch // 2 or 1, batch // 4 or 1, 64, random.randint(1, 300)]),
        "ppo_micro_batch_size_per_gpu": per_gpu if backend == "megatron" or random.random() > 0.08 else None,
        "ppo_micro_batch_size": random.choice([1, 8, 16, 64]) if old else None,
        "log_prob_micro_batch_size_per_gpu": random.choice([None, 4, 8, 8, 8, 16]),
        "ref_log_prob_micro_batch_size_per_gpu": random.choice([None, 8, 8, 8]),
        "use_dynamic_bsz": random.random() < 0.3,
        "use_kl_loss": random.random() < 0.3, "use_kl_in_reward": random.random() < 0.1,
        "nnodes": random.choice([1, 1, 2, 4]), "n_gpus_per_node": random.choice([8, 8, 4, 2, 6]),
        "ulysses": random.choice([1, 1, 1, 2, 4]), "use_remove_padding": random.random() < 0.8,
        "tp": random.choice([1, 1, 2, 4]), "pp": random.choice([1, 1, 1, 2]), "cp": random.choice([1, 1, 1, 2]),
        "rollout_tp": random.choice([1, 1, 2, 2, 4]), "rollout_dp": random.choice([1, 1, 1, 2]),
        "rollout_pp": random.choice([1, 1, 1, 1, 2]), "use_v1": random.random() < 0.7,
    }  # fmt: skip


class Box(SimpleNamespace):
    """A configuration that is asked by attribute and by `get`."""

    def get(self, name: str, default: Any = None) -> Any:
        return getattr(self, name, default)


class Verl:
    """The functions, loaded once."""

    def __init__(self, clones: Path, commit: str) -> None:
        def file(path: str) -> File:
            one = File(clones / "verl-project+verl" / "repo", commit, path)
            SOURCES[path] = one.text
            return one

        actor = file("verl/workers/config/actor.py")
        self.made = actor.load(["ActorConfig.__post_init__"], {"MISSING": "???"})["__post_init__"]
        self.common = actor.load(["ActorConfig.validate"], {})["validate"]
        self.fsdp = actor.statements("FSDPActorConfig.validate", "self.ulysses_sequence_parallel_size > 1")
        self.space = file("verl/utils/config.py").load(["validate_config"], {"omega_conf_to_dataclass": lambda config: config})
        workers = file("verl/workers/engine_workers.py")
        self.per_gpu = workers.statements(
            "ActorRolloutRefWorker",
            "assert self.config.rollout.log_prob_micro_batch_size_per_gpu is not None",
            "assert self.config.actor.ppo_micro_batch_size_per_gpu is not None",
        )
        self.engine = workers.statements(
            "ActorRolloutRefWorker", "infer_tp = rollout_config", "assert self.world_size % infer_world_size"
        )
        self.mini = workers.statements(
            "TrainingWorker", "assert mini_batch_size % self.engine", "mini_batch_size_per_gpu = mini_batch_size //"
        )
        self.micro = file("verl/workers/engine/utils.py").statements(
            "prepare_micro_batches", "assert total_data_size % (force_group_size"
        )
        self.iterate = file("verl/utils/tensordict_utils.py").statements(
            "make_iterator", "assert tensordict.batch_size[0] % mini_batch_size"
        )
        self.chunk = file("verl/protocol.py").statements("DataProto.chunk", "only support equal chunk")

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        steps = [lambda: self._config(s), lambda: self._workers(s), lambda: self._step(s)]
        return next((error for error in map(outcome, steps) if error), None)

    def _actor(self, s: dict[str, Any]) -> Any:
        megatron = Box(tensor_model_parallel_size=s["tp"], pipeline_model_parallel_size=s["pp"], context_parallel_size=s["cp"])
        actor = Box(
            strategy=s["backend"], rollout_n=s["n"], use_dynamic_bsz=s["use_dynamic_bsz"], megatron=megatron,
            ppo_mini_batch_size=s["ppo_mini_batch_size"], ppo_micro_batch_size=s["ppo_micro_batch_size"],
            ppo_micro_batch_size_per_gpu=s["ppo_micro_batch_size_per_gpu"], loss_agg_mode="token-mean",
            use_kl_loss=s["use_kl_loss"],
        )  # fmt: skip
        if s["backend"] != "megatron":
            actor.ulysses_sequence_parallel_size = s["ulysses"]

        def validate(n_gpus: int, train_batch_size: int, model_config: Any) -> None:
            self.made(actor)
            self.common(actor, n_gpus, train_batch_size, model_config)
            if s["backend"] != "megatron":
                self.fsdp({"self": actor, "model_config": model_config})

        actor.validate = validate
        return actor

    def _config(self, s: dict[str, Any]) -> None:
        rollout = Box(
            n=s["n"], log_prob_micro_batch_size=None, log_prob_micro_batch_size_per_gpu=s["log_prob_micro_batch_size_per_gpu"],
            val_kwargs=Box(do_sample=False), name="sglang",
        )  # fmt: skip
        ref = Box(log_prob_micro_batch_size=None, log_prob_micro_batch_size_per_gpu=s["ref_log_prob_micro_batch_size_per_gpu"])
        model = Box(use_remove_padding=s["use_remove_padding"])
        config = Box(
            trainer=Box(nnodes=s["nnodes"], n_gpus_per_node=s["n_gpus_per_node"]),
            data=Box(train_batch_size=s["train_batch_size"]),
            actor_rollout_ref=Box(actor=self._actor(s), rollout=rollout, ref=ref, model=model), algorithm=Box(),
        )  # fmt: skip
        self.space["print"] = Quiet()
        self.space["validate_config"](config, s["use_kl_loss"] or s["use_kl_in_reward"], False)

    def _workers(self, s: dict[str, Any]) -> None:
        owner = Box(
            config=Box(
                actor=Box(ppo_micro_batch_size_per_gpu=s["ppo_micro_batch_size_per_gpu"]),
                rollout=Box(log_prob_micro_batch_size_per_gpu=s["log_prob_micro_batch_size_per_gpu"]),
            ),
            world_size=s["nnodes"] * s["n_gpus_per_node"],
        )
        if not s["use_dynamic_bsz"]:
            self.per_gpu({"self": owner})
        rollout = Box(
            tensor_model_parallel_size=s["rollout_tp"], data_parallel_size=s["rollout_dp"],
            pipeline_model_parallel_size=s["rollout_pp"],
        )  # fmt: skip
        self.engine({"self": owner, "rollout_config": rollout})

    def _step(self, s: dict[str, Any]) -> None:
        gpus = s["nnodes"] * s["n_gpus_per_node"]
        dp = gpus // (s["tp"] * s["pp"] * s["cp"]) if s["backend"] == "megatron" else gpus // s["ulysses"]
        samples = s["train_batch_size"] * s["n"]
        if not s["use_v1"]:
            self.chunk({"self": range(samples), "chunks": dp, "len": len})
        engine = SimpleNamespace(get_data_parallel_size=lambda: dp)
        space = {"self": SimpleNamespace(engine=engine), "mini_batch_size": s["ppo_mini_batch_size"] * s["n"]}
        mini = self.mini(space)["mini_batch_size_per_gpu"]
        if not s["use_v1"]:
            self.iterate({"tensordict": SimpleNamespace(batch_size=[samples // dp]), "mini_batch_size": mini})
        if not s["use_dynamic_bsz"] and s["ppo_micro_batch_size_per_gpu"] is not None:
            sizes = {
                "total_data_size": mini,
                "force_group_size": 1,
                "micro_batch_size_per_gpu": s["ppo_micro_batch_size_per_gpu"],
            }
            self.micro(sizes)

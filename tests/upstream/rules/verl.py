"""verl: its checks in the order in which a run comes to them."""

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.upstream.rules.source import File, Quiet, opened, outcome


def draw(random: Random, backends: list[str]) -> dict[str, Any]:
    """Settings, more often round than not; keys are inputs of the calculator."""
    backend = random.choice(["fsdp", "fsdp", *backends])
    batch = random.choice([32, 64, 128, 256, 512, random.randint(1, 300)])
    per_gpu = random.choice([1, 2, 4, 8, 8, 3])
    old = random.random() < 0.12 and backend != "megatron"
    return {
        "backend": backend, "train_batch_size": batch, "n": random.choice([1, 1, 4, 5, 8]),
        "ppo_mini_batch_size": random.choice([batch, batch // 2 or 1, batch // 4 or 1, 64, random.randint(1, 300)]),
        "ppo_micro_batch_size_per_gpu": per_gpu if random.random() > 0.08 else None,
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


WORKERS = "verl/workers/fsdp_workers.py"  # up to v0.7.1 the default; since v0.8.0 the engine workers alone
MEGATRON_WORKERS = "verl/workers/megatron_workers.py"
MULTIPLE = "_get_required_batch_multiple"
SIZES = ("ppo_mini_batch_size", "ppo_micro_batch_size", "ppo_micro_batch_size_per_gpu")
TRAINER = "verl/trainer/ppo/ray_trainer.py"


class Verl:
    """The functions of one release, loaded once; what a release does not have is None."""

    def __init__(self, clones: Path, commit: str) -> None:
        def file(path: str) -> File:
            one = File(clones / "verl-project+verl" / "repo", commit, path)
            return opened(one.clone, commit, path) if one.there else one

        config, trainer, legacy, megatron = map(file, ("verl/utils/config.py", TRAINER, WORKERS, MEGATRON_WORKERS))
        self.config = _validated(config, trainer, file("verl/workers/config/actor.py"))
        self.legacy = _normalized(legacy) if legacy.has("*= self.config.rollout.n") else None
        sized = config.has("megatron_dp") or trainer.has("megatron_dp")  # v0.4.0; Megatron before is not followed
        self.megatron = _normalized_megatron(megatron) if sized and megatron.there else None
        workers = None if legacy.there else file("verl/workers/engine_workers.py")
        self.engine = Engine(workers, file) if workers and workers.there else None
        rollout = workers or legacy
        self.rollout = (
            rollout.statements("ActorRolloutRefWorker", "infer_tp = ", "assert self.world_size % infer")
            if rollout.there
            else None
        )
        replica = file("verl/workers/rollout/replica.py")
        asynchronous = file("verl/trainer/config/rollout/rollout.yaml").has("\nmode: async")
        self.replica = (
            replica.statements("RolloutReplica.__init__", "self.world_size = (", "assert self.world_size %")
            if asynchronous
            else None
        )
        protocol = file("verl/protocol.py")
        self.chunk = protocol.statements("DataProto.chunk", "% chunks == 0") if protocol.has("% chunks == 0") else None
        self.iterate = protocol.statements("DataProto.make_iterator", "assert self.batch.batch_size[0] % mini_batch_size")
        self.prompts = not trainer.has("gen_batch.repeat(")  # up to v0.4.1 prompts are repeated after generation
        self.whole = not config.has("def validate_config")  # up to v0.5.0 a batch is cut for all GPUs
        v1 = file("verl/trainer/ppo/v1/trainer_base.py")
        self.multiple = v1.load([f"PPOTrainer.{MULTIPLE}"], {"math": math})[MULTIPLE] if v1.there else None
        self.backends = ["fsdp2"] if file("verl/trainer/main_ppo.py").has('"fsdp2"') or self.engine else []
        self.backends += ["megatron"] if self.engine or self.megatron else []

    def draw(self, random: Random) -> dict[str, Any]:
        """Settings that this release knows."""
        return draw(random, self.backends)

    def first_error(self, s: dict[str, Any]) -> str | None:
        """The first thing that stops a run with these settings."""
        steps = [lambda: self.config(s), lambda: self._workers(s)]
        steps += [lambda: self._engine_step(s)] if self.engine else [lambda: self._legacy_step(s)]
        return next((error for error in map(outcome, steps) if error), None)

    def _workers(self, s: dict[str, Any]) -> None:
        gpus = s["nnodes"] * s["n_gpus_per_node"]
        if self.legacy and s["backend"] != "megatron":
            self.legacy(s)
        if self.engine:
            self.engine.start(s)
        rollout = Box(
            tensor_model_parallel_size=s["rollout_tp"], data_parallel_size=s["rollout_dp"],
            pipeline_model_parallel_size=s["rollout_pp"],
        )  # fmt: skip
        owner = Box(world_size=gpus, config=Box(rollout=rollout))
        if self.rollout:
            self.rollout({"self": owner, "rollout_config": rollout})
        if self.replica:
            self.replica({"self": Box(config=rollout), "gpus_per_node": s["n_gpus_per_node"]})

    def _legacy_step(self, s: dict[str, Any]) -> None:
        gpus, dp = s["nnodes"] * s["n_gpus_per_node"], _dp(s)
        samples = s["train_batch_size"] * s["n"]
        fsdp = s["backend"] != "megatron"
        if not self.chunk:
            return  # v0.1 cuts without a check
        if fsdp and self.prompts:
            self.chunk({"self": range(s["train_batch_size"]), "chunks": gpus, "len": len})
        self.chunk({"self": range(samples), "chunks": gpus if fsdp and self.whole else dp, "len": len})
        if not fsdp:
            owner = Box(batch=Box(batch_size=[samples // dp]))
            self.iterate({"self": owner, "mini_batch_size": self.megatron(s)})

    def _engine_step(self, s: dict[str, Any]) -> None:
        dp, samples = _dp(s), s["train_batch_size"] * s["n"]
        if self.multiple and s["use_v1"]:
            actor = Box(ppo_mini_batch_size=s["ppo_mini_batch_size"], rollout=Box(n=s["n"]))
            config = Box(trainer=Box(critic_warmup=0), actor_rollout_ref=Box(actor=actor, rollout=actor.rollout))
            whole = self.multiple(Box(config=config, use_critic=False, global_steps=1), dp)
            samples += -samples % whole
            self.engine.step(s, samples // dp, dp, whole=True)
        else:
            self.chunk({"self": range(samples), "chunks": dp, "len": len})
            self.engine.step(s, samples // dp, dp, whole=False)


class Engine:
    """The workers of v0.8.0 and later."""

    def __init__(self, workers: File, file: Callable[[str], File]) -> None:
        self.per_gpu = workers.statements(
            "ActorRolloutRefWorker",
            "assert self.config.rollout.log_prob_micro_batch_size_per_gpu is not None",
            "assert self.config.actor.ppo_micro_batch_size_per_gpu is not None",
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

    def start(self, s: dict[str, Any]) -> None:
        """What a worker wants to be set."""
        actor = Box(ppo_micro_batch_size_per_gpu=s["ppo_micro_batch_size_per_gpu"])
        rollout = Box(log_prob_micro_batch_size_per_gpu=s["log_prob_micro_batch_size_per_gpu"])
        if not s["use_dynamic_bsz"]:
            self.per_gpu({"self": Box(config=Box(actor=actor, rollout=rollout))})

    def step(self, s: dict[str, Any], rows: int, dp: int, whole: bool) -> None:
        """Old log probs, those of the reference, the update, with so many rows on each rank."""
        self._split(s, rows, s["log_prob_micro_batch_size_per_gpu"])
        if s["use_kl_loss"] or s["use_kl_in_reward"]:
            self._split(s, rows, s["ref_log_prob_micro_batch_size_per_gpu"])
        engine = SimpleNamespace(get_data_parallel_size=lambda: dp)
        space = {"self": SimpleNamespace(engine=engine), "mini_batch_size": s["ppo_mini_batch_size"] * s["n"]}
        mini = self.mini(space)["mini_batch_size_per_gpu"]
        if not whole:
            self.iterate({"tensordict": SimpleNamespace(batch_size=[rows]), "mini_batch_size": mini})
        self._split(s, mini, s["ppo_micro_batch_size_per_gpu"])

    def _split(self, s: dict[str, Any], rows: int, micro: int | None) -> None:
        if not s["use_dynamic_bsz"] and micro is not None:
            self.micro({"total_data_size": rows, "force_group_size": 1, "micro_batch_size_per_gpu": micro})


def _dp(s: dict[str, Any]) -> int:
    gpus = s["nnodes"] * s["n_gpus_per_node"]
    return int(gpus // (s["tp"] * s["pp"] * s["cp"]) if s["backend"] == "megatron" else gpus // s["ulysses"])


Check = Callable[[dict[str, Any]], Any]


def _validated(config: File, trainer: File, actor: File) -> Check:
    """The checks of the configuration: a function since v0.6.0, a method of the trainer before, none in v0.1."""
    if config.has("def validate_config"):
        made = actor.load(["ActorConfig.__post_init__"], {"MISSING": "???"})["__post_init__"]
        common = actor.load(["ActorConfig.validate"], {})["validate"]
        fsdp = actor.statements("FSDPActorConfig.validate", "self.ulysses_sequence_parallel_size > 1")
        others = {"_validate_router_replay_config": Quiet()}  # v0.9.1: about no batch
        space = config.load(["validate_config"], {"omega_conf_to_dataclass": lambda config: config, "print": Quiet()} | others)

        def checked(s: dict[str, Any]) -> None:
            settings = _configuration(s)
            one = settings.actor_rollout_ref.actor

            def validate(n_gpus: int, train_batch_size: int, model_config: Any) -> None:
                made(one)
                common(one, n_gpus, train_batch_size, model_config)
                if s["backend"] != "megatron":
                    fsdp({"self": one, "model_config": model_config})

            one.validate = validate
            space["validate_config"](settings, s["use_kl_loss"] or s["use_kl_in_reward"], False)

        return checked
    if not trainer.has("def _validate_config"):
        return lambda s: None
    method = trainer.load(["RayPPOTrainer._validate_config"], {"print": Quiet()})["_validate_config"]

    def validated(s: dict[str, Any]) -> None:
        reference = s["use_kl_loss"] or s["use_kl_in_reward"]
        method(Box(config=_configuration(s), use_critic=False, use_reference_policy=reference))

    return validated


def _configuration(s: dict[str, Any]) -> Any:
    """As much of the configuration as the checks look at."""
    megatron = Box(tensor_model_parallel_size=s["tp"], pipeline_model_parallel_size=s["pp"], context_parallel_size=s["cp"])
    actor = Box(
        strategy=s["backend"], rollout_n=s["n"], use_dynamic_bsz=s["use_dynamic_bsz"], megatron=megatron,
        ppo_mini_batch_size=s["ppo_mini_batch_size"], ppo_micro_batch_size=s["ppo_micro_batch_size"],
        ppo_micro_batch_size_per_gpu=s["ppo_micro_batch_size_per_gpu"], loss_agg_mode="token-mean",
        use_kl_loss=s["use_kl_loss"],
    )  # fmt: skip
    if s["backend"] != "megatron":
        actor.ulysses_sequence_parallel_size = s["ulysses"]
    rollout = Box(
        n=s["n"], log_prob_micro_batch_size=None, log_prob_micro_batch_size_per_gpu=s["log_prob_micro_batch_size_per_gpu"],
        val_kwargs=Box(do_sample=False), name="sglang", multi_turn=Box(enable=False),
    )  # fmt: skip
    ref = Box(log_prob_micro_batch_size=None, log_prob_micro_batch_size_per_gpu=s["ref_log_prob_micro_batch_size_per_gpu"])
    return Box(
        trainer=Box(nnodes=s["nnodes"], n_gpus_per_node=s["n_gpus_per_node"]),
        data=Box(train_batch_size=s["train_batch_size"]), algorithm=Box(use_kl_in_reward=s["use_kl_in_reward"]),
        actor_rollout_ref=Box(actor=actor, rollout=rollout, ref=ref, model=Box(use_remove_padding=s["use_remove_padding"])),
        reward_model=Box(enable=False),
    )  # fmt: skip


def _normalized(workers: File) -> Check:
    """What the FSDP worker up to v0.7.1 makes of the sizes of the actor, with its assertions."""
    run = workers.statements(
        "ActorRolloutRefWorker.__init__", "ppo_mini_batch_size *=", "% self.config.actor.ppo_micro_batch_size_per_gpu"
    )

    def normalized(s: dict[str, Any]) -> None:
        gpus = s["nnodes"] * s["n_gpus_per_node"]
        mesh = SimpleNamespace(shape=[gpus], size=lambda: gpus)
        actor = Box(**{name: s[name] for name in SIZES})
        owner = Box(
            config=Box(actor=actor, rollout=Box(n=s["n"])), device_mesh=mesh, ulysses_sequence_parallel_size=s["ulysses"]
        )
        run({"self": owner})

    return normalized


def _normalized_megatron(workers: File) -> Callable[[dict[str, Any]], int]:
    """The mini-batch that each rank of Megatron takes up to v0.7.1."""
    run = workers.statements("ActorRolloutRefWorker.__init__", "ppo_mini_batch_size *=", "ppo_mini_batch_size //=")

    def normalized(s: dict[str, Any]) -> int:
        owner = Box(config=Box(actor=Box(ppo_mini_batch_size=s["ppo_mini_batch_size"]), rollout=Box(n=s["n"])))
        run({"self": owner, "mpu": SimpleNamespace(get_data_parallel_world_size=lambda: _dp(s))})
        return int(owner.config.actor.ppo_mini_batch_size)

    return normalized

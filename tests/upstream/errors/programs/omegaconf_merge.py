"""A configuration file against typed classes: misspelt key, wrong types, missing value, a reference to nothing."""

import traceback
from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING, OmegaConf
from omegaconf.errors import OmegaConfBaseException


@dataclass
class RuntimeConfig:
    sample_per_episode: int = 64
    train_micro_batch_size: int = MISSING
    learning_rate: float = 1e-6
    colocation: bool = False


@dataclass
class PolicyTrainerConfig:
    max_token_in_packing: int = 8192


@dataclass
class GrpoConfig:
    """Its models become objects when it is built, as late as ChatLearn builds them."""

    runtime_args: RuntimeConfig = field(default_factory=RuntimeConfig)
    models: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if trainer := self.models.get("policy_trainer"):
            PolicyTrainerConfig(**trainer)


for written in (
    "runtime_args.sample_per_episod=64",
    "runtime_args.sample_per_episode=abc",
    "runtime_args.learning_rate=fast",
    "runtime_args.colocation=maybe",
    "runtime_args.train_micro_batch_size=???",
    "models.policy_trainer.ulysses_size=2",
    "models.policy.seq_length=${models.policy_trainer.seq_length}",
):
    required = [] if "???" in written else ["runtime_args.train_micro_batch_size=1"]
    try:
        config = OmegaConf.merge(OmegaConf.structured(GrpoConfig), OmegaConf.from_dotlist([*required, written]))
        OmegaConf.to_object(config)
    except OmegaConfBaseException:
        traceback.print_exc()

"""A strategy that is not among those the dataclass allows."""

from dataclasses import dataclass
from typing import Literal

import dacite


@dataclass
class Strategy:
    strategy_name: Literal["megatron_train", "fsdp2_train"] = "megatron_train"


@dataclass
class Worker:
    strategy_args: Strategy


@dataclass
class Config:
    actor_train: Worker


dacite.from_dict(Config, {"actor_train": {"strategy_args": {"strategy_name": "deepspeed_train"}}})

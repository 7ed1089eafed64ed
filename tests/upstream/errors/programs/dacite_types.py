"""YAML values of another type than the field of the dataclass: dacite converts nothing."""

import traceback
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Union  # noqa: UP035

import dacite


@dataclass
class Config:
    rollout_batch_size: int = 0
    learning_rate: float = 0.0
    colocate: bool = False
    device_mapping: str = ""
    mapping: Union[List[int], str] = ""  # noqa: UP006,UP007
    save_steps: Optional[int] = None  # noqa: UP045
    system_envs: Dict[str, str] = field(default_factory=dict)  # noqa: UP006


for data in (
    {"rollout_batch_size": "64"},
    {"rollout_batch_size": 64.0},
    {"rollout_batch_size": None},
    {"learning_rate": "1e-6"},
    {"colocate": "yes please"},
    {"colocate": 1},
    {"device_mapping": [0, 1]},
    {"mapping": 8},
    {"save_steps": "100"},
    {"system_envs": None},
    {"rollout_batchsize": 64},
):
    try:
        dacite.from_dict(Config, data, dacite.Config(strict=True))
    except dacite.DaciteError:
        traceback.print_exc()

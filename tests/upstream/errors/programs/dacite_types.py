"""YAML values of another type than the field of the dataclass: dacite converts nothing."""

import traceback
from dataclasses import dataclass

import dacite


@dataclass
class Config:
    rollout_batch_size: int = 0
    learning_rate: float = 0.0
    colocate: bool = False
    device_mapping: str = ""


for data in (
    {"rollout_batch_size": "64"},
    {"learning_rate": "1e-6"},
    {"colocate": "yes please"},
    {"device_mapping": [0, 1]},
    {"rollout_batchsize": 64},
):
    try:
        dacite.from_dict(Config, data, dacite.Config(strict=True))
    except dacite.DaciteError:
        traceback.print_exc()

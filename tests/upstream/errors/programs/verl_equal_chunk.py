"""Ten samples for four workers."""

import traceback

import torch
from verl import DataProto
from verl.utils.tensordict_utils import chunk_tensordict

data = DataProto.from_dict({"responses": torch.zeros(10, 3)})
for split in (lambda: data.chunk(4), lambda: chunk_tensordict(data.batch, 4)):
    try:
        split()
    except AssertionError:
        traceback.print_exc()

"""Asking a TensorDict for a key with `in`."""

import torch
from tensordict import TensorDict

batch = TensorDict({"responses": torch.zeros(2, 3)}, batch_size=[2])
"responses" in batch  # noqa: B015

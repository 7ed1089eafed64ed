"""A prompt of 20 tokens where 10 fit, with `truncation: error`."""

import torch
from verl.utils.torch_functional import postprocess_data

tokens = torch.ones(1, 20, dtype=torch.long)
postprocess_data(tokens, tokens, max_length=10, pad_token_id=0, truncation="error")

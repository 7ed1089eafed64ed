"""A file of inductor's cache that another process has begun to write."""

import torch
from torch._inductor.codecache import CacheBase

torch._inductor.config.freezing = True
cache = CacheBase.get_local_cache_path()
cache.parent.mkdir(parents=True, exist_ok=True)
cache.write_text("")
with torch.no_grad():
    torch.compile(torch.nn.Linear(64, 64), mode="max-autotune-no-cudagraphs")(torch.ones(64, 64))

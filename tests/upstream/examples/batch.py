"""Whether a file sets batch sizes, told by its text alone, so that what a reader misses is seen."""

import re

# A name of a batch size with a value behind it: `--rollout-batch-size 8`, `data.train_batch_size=8`, `rollout_batch_size: 8`.
_SET = re.compile(
    r"(?:^|[\s.\"'(+\-])(?:train[_.]|rollout[_.-]|global[_-]|ppo_mini_|ppo_micro_|micro[_-]|train_global_|per_device_train_|generation_)"
    r"batch[_-]size(?:_per_gpu)?(?:=|:\s*|\s+)[\"']?[$0-9]|sample_per_episode[=:]\s*[\"']?[$0-9]"
)


def sets_batches(text: str) -> bool:
    """Whether some line that is no comment sets one."""
    return any(_SET.search(line) for line in text.splitlines() if not line.lstrip().startswith("#"))

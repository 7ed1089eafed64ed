"""Batch sizes that verl refuses before it starts, and a sample that is longer than a micro-batch may be."""

import traceback

import torch
from tensordict import TensorDict
from verl.utils.seqlen_balancing import rearrange_micro_batches
from verl.workers.config import FSDPActorConfig


def actor(**settings: object) -> FSDPActorConfig:
    return FSDPActorConfig(strategy="fsdp", rollout_n=1, use_dynamic_bsz=False, **settings)


def too_long() -> None:
    tokens = torch.ones(2, 20, dtype=torch.long)
    rearrange_micro_batches(TensorDict({"input_ids": tokens, "attention_mask": tokens}, batch_size=[2]), max_token_len=10)


for check in (
    actor,
    lambda: actor(ppo_micro_batch_size=4, ppo_micro_batch_size_per_gpu=4),
    lambda: actor(ppo_mini_batch_size=10, ppo_micro_batch_size=4).validate(n_gpus=1, train_batch_size=32, model_config={}),
    lambda: actor(ppo_mini_batch_size=64, ppo_micro_batch_size=8).validate(n_gpus=8, train_batch_size=32, model_config={}),
    lambda: actor(ppo_mini_batch_size=8, ppo_micro_batch_size=4).validate(n_gpus=8, train_batch_size=32, model_config={}),
    too_long,
):
    try:
        check()
    except (AssertionError, ValueError):
        traceback.print_exc()

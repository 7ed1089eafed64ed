"""A warm-up that is longer than the whole learning-rate schedule."""

from types import SimpleNamespace

from megatron.core.optimizer_param_scheduler import OptimizerParamScheduler

OptimizerParamScheduler(
    SimpleNamespace(param_groups=[]),
    init_lr=0.0, max_lr=1e-6, min_lr=0.0, lr_warmup_steps=20, lr_decay_steps=10, lr_decay_style="constant",
    start_wd=0.0, end_wd=0.0, wd_incr_steps=10, wd_incr_style="constant",
)  # fmt: skip

"""A run that resumes with another learning rate than its checkpoint's: taken from the checkpoint, refused, contradictory."""

import logging
import traceback
from types import SimpleNamespace

from megatron.core.optimizer_param_scheduler import OptimizerParamScheduler


def schedule(rate: float, **options: bool) -> OptimizerParamScheduler:
    return OptimizerParamScheduler(
        SimpleNamespace(param_groups=[]),
        init_lr=0.0, max_lr=rate, min_lr=0.0, lr_warmup_steps=0, lr_decay_steps=10, lr_decay_style="constant",
        start_wd=0.0, end_wd=0.0, wd_incr_steps=10, wd_incr_style="constant", **options,
    )  # fmt: skip


logging.basicConfig(level=logging.INFO, format="%(message)s")
checkpoint = schedule(1e-6).state_dict()
for options in (
    {"use_checkpoint_opt_param_scheduler": True},
    {"use_checkpoint_opt_param_scheduler": False},
    {"use_checkpoint_opt_param_scheduler": True, "override_opt_param_scheduler": True},
):
    try:
        schedule(2e-6, **options).load_state_dict(checkpoint)
    except AssertionError:
        traceback.print_exc()

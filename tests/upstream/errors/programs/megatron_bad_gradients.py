"""The check of gradient buckets before data-parallel communication, on buckets with NaN, with Inf, and much too large ones."""

import os
import traceback
from types import SimpleNamespace

import torch
from megatron.core.distributed import param_and_grad_buffer

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511", RANK="0", WORLD_SIZE="1")
torch.distributed.init_process_group("gloo")
torch.cuda.current_device = lambda: 0  # the message names the GPU; here is none

Group = getattr(param_and_grad_buffer, "_ParamAndGradBucketGroup", None) or param_and_grad_buffer.BucketGroup


def check(*values: float) -> None:
    """One bucket with these gradients, as a training step hands it over."""
    group = SimpleNamespace(buckets=[SimpleNamespace(grad_data=torch.tensor(values))])
    try:
        if hasattr(Group, "check_grads"):  # since core_v0.12.0
            Group.check_grads(group, check_for_nan_or_inf=True, check_for_large=True)
        else:
            Group.check_for_nan_in_grad(group)
    except (AssertionError, RuntimeError):
        traceback.print_exc()


try:
    from megatron.core import rerun_state_machine as rerun
except ImportError:  # up to core_v0.9.0
    check(float("nan"))
    raise SystemExit from None

rerun.initialize_rerun_state_machine(mode=rerun.RerunMode.DISABLED)  # --rerun-mode disabled, the default
check(float("nan"))
check(float("inf"))
for _ in range(101):  # the first hundred say what is usual
    check(1.0)
check(1e6)

machine = rerun.get_rerun_state_machine()
machine.mode = rerun.RerunMode.VALIDATE_RESULTS  # --rerun-mode validate_results, in a step after the first
machine.current_iteration, machine.state, machine.first_iteration_complete = 1, rerun.RerunState.INITIAL_RUN, True
check(float("nan"))

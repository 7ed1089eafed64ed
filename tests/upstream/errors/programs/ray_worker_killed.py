"""Ray workers that are killed from outside: an actor and a task."""

import os
import signal
import traceback

import ray


@ray.remote
class Worker:
    def train_step(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


@ray.remote(max_retries=0)
def generate() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
for call in (lambda: Worker.remote().train_step.remote(), generate.remote):
    try:
        ray.get(call())
    except ray.exceptions.RayError:
        traceback.print_exc()

"""Ray actors of verl and slime that are killed for the node's memory; a threshold of 1 % stands for a node nearly full."""

import os
import time
import traceback

os.environ["RAY_memory_usage_threshold"] = "0.01"
os.environ["RAY_memory_monitor_refresh_ms"] = "10000"

import ray

METHODS = {
    "WorkerDict": "actor_rollout_generate_sequences",
    "AgentLoopWorker": "generate_sequences",
    "TaskRunner": "run",
    "MegatronTrainRayActor": "train",
    "RolloutManager": "generate",
}


def grow(self: object) -> None:
    self.samples = b"." * 300_000_000
    time.sleep(60)


ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
for name, method in METHODS.items():
    actor = ray.remote(type(name, (), {method: grow})).remote()
    try:
        ray.get(getattr(actor, method).remote())
    except ray.exceptions.OutOfMemoryError:
        traceback.print_exc()
time.sleep(65)  # once a minute Ray sums up how many workers were killed

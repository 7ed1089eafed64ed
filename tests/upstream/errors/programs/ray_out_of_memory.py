"""A Ray worker that is killed for the node's memory; a threshold of 1 % stands for a node that is nearly full."""

import os
import time
import traceback

os.environ["RAY_memory_usage_threshold"] = "0.01"
os.environ["RAY_memory_monitor_refresh_ms"] = "10000"

import ray


@ray.remote
class PolicyTrainer:
    def model_setup(self) -> None:
        self.weights = b"." * 300_000_000
        time.sleep(60)


@ray.remote(max_retries=0)
def load_weights() -> None:
    time.sleep(60)


ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
for start in (lambda: PolicyTrainer.remote().model_setup.remote(), load_weights.remote):
    try:
        ray.get(start())
    except ray.exceptions.RayError:
        traceback.print_exc()
time.sleep(65)  # once a minute Ray sums up how many workers were killed

"""What Ray never gives: a worker that does not register, a placement group that fits nowhere."""

import logging
import sys

import ray
from ray.util.placement_group import placement_group

log = logging.getLogger("driver")


def unregistered() -> None:
    """The worker's Python sleeps instead of speaking to its raylet."""

    @ray.remote(runtime_env={"py_executable": "sh -c 'echo starting the engine; sleep 60' sh"})
    def train() -> None:
        pass

    ray.get(train.remote(), timeout=25)


def unplaced() -> None:
    """Eight GPUs are asked for and none is there."""
    group = placement_group([{"GPU": 8, "CPU": 1}], strategy="STRICT_PACK")
    ray.get(group.ready(), timeout=15)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s driver: %(message)s")
    ray.init(num_cpus=2, object_store_memory=100 * 2**20, include_dashboard=False)
    {"unregistered": unregistered, "unplaced": unplaced}[sys.argv[1]]()

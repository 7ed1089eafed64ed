"""A cluster of two raylets on one machine; the second is killed while an actor works on it."""

import logging
import os
import time

import ray
from ray.cluster_utils import Cluster

log = logging.getLogger("driver")


@ray.remote(resources={"second": 1}, num_cpus=0)
class Rollout:
    """Works on the second node."""

    def generate(self, step: int) -> int:
        """One step."""
        print(f"step {step}: rollout in process {os.getpid()}", flush=True)
        time.sleep(1)
        return step


def main() -> None:
    """Five steps, before the third of which the node goes."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 100 * 2**20})
    second = cluster.add_node(num_cpus=1, resources={"second": 1}, object_store_memory=100 * 2**20)
    ray.init(address=cluster.address)
    rollout = Rollout.remote()
    for step in range(1, 6):
        if step == 3:
            reply = rollout.generate.remote(step)
            time.sleep(0.3)
            second.kill_raylet()
            ray.get(reply)
        log.info("step %d: %d", step, ray.get(rollout.generate.remote(step)))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s driver: %(message)s")
    main()

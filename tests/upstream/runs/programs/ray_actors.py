"""Four Ray actors train in steps; one does what FAULT says."""

import logging
import os
import signal
import sys
import time

import ray

FAULT = sys.argv[1]
log = logging.getLogger("driver")


@ray.remote(num_cpus=0, max_restarts=0)
class TrainWorker:
    """One rank."""

    def __init__(self, rank: int) -> None:
        self.rank = rank
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
        logging.info("rank %d is ready", rank)

    def step(self, step: int) -> float:
        """One step."""
        logging.info("step %d: update", step)
        time.sleep(0.3)
        if self.rank == 2 and step == 3:
            if FAULT == "raise":
                {}["old_log_probs"]
            if FAULT == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if FAULT == "memory":
                held = []
                while True:
                    held.append(bytearray(200 * 2**20))
                    logging.info("holds %d MB", 200 * len(held))
                    time.sleep(0.1)
        return self.rank / step


def main() -> None:
    """Ten steps of four workers."""
    ray.init(num_cpus=4, object_store_memory=100 * 2**20, include_dashboard=False, log_to_driver=True)
    workers = [TrainWorker.remote(rank) for rank in range(4)]
    for step in range(1, 11):
        rewards = ray.get([worker.step.remote(step) for worker in workers])
        log.info("step %d: reward %.3f", step, sum(rewards))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s driver: %(message)s")
    main()

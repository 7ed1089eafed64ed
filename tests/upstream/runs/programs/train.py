"""A training loop on gloo, of which one rank does what FAULT says: `rank 2 step 3 kill`."""

import logging
import os
import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
_, BAD_RANK, _, BAD_STEP, FAULT = os.environ["FAULT"].split()
log = logging.getLogger("train")


def misbehave() -> None:
    """What goes wrong."""
    if FAULT == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if FAULT == "raise":
        raise KeyError("advantages")
    if FAULT == "hang":
        time.sleep(3600)
    if FAULT == "exit":
        sys.exit(0)
    if FAULT == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if FAULT == "memory":
        Path("/sys/fs/cgroup", os.environ["GROUP"], "cgroup.procs").write_text(str(os.getpid()))
        held = []
        while True:
            held.append(torch.ones(16 * 2**20))
            log.info("replay buffer holds %d MB", 64 * len(held))
    if FAULT == "save":
        torch.save({"w": torch.ones(4 * 2**20)}, Path(os.environ["CHECKPOINTS"], f"rank{RANK}.pt"))


def main() -> None:
    """Ten steps."""
    dist.init_process_group("gloo", timeout=timedelta(seconds=int(os.environ.get("LIMIT", "20"))))
    log.info("rank %d of %d is ready", RANK, SIZE)
    for step in range(1, 11):
        time.sleep(0.3)
        log.info("step %d: rollout", step)
        if (RANK, step) == (int(BAD_RANK), int(BAD_STEP)):
            misbehave()
        gradient = torch.full((1024,), float(RANK))
        log.info("step %d: update, all_reduce of the gradient", step)
        dist.all_reduce(gradient)
        log.info("step %d: loss %.3f", step, float(gradient.sum()) / step)
    dist.destroy_process_group()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format=f"%(asctime)s %(levelname)s [rank {RANK}] %(message)s")
    main()

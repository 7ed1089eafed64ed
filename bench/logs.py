"""Reading a large log: the terminal command and the log page against `grep`, which does the least one can do."""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, TimeoutError

from bench.cases import Case
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.compile import lookup_guide

ROOT = Path(__file__).resolve().parent.parent
MEGABYTE = 1_000_000
# A known error stands in the log once in so many lines.
LINES_PER_ERROR = 20_000
MINUTE = 60_000
# The log page: where it is, where a file is chosen, and what it shows when all of the file is read.
LOG_PAGE = "diagnose/"
LOG_INPUT = "[data-fg=log] [data-part=file]"
LOG_DONE = "[data-fg=log]:not([aria-busy]) .fg-log__finding"

_WORKERS = ("ActorWorker", "RolloutManager", "MegatronTrainRayActor", "PolicyTrainer", "SGLangEngine", "RewardWorker")
_LINES = (
    "[{day} {clock},{ms:03}][megatron_strategy.py:{n}] step {step}: loss {loss:.6f} grad_norm {grad:.4f} lr 1e-06",
    "[{day} {clock}] INFO scheduler.py:{n} Prefill batch. #new-seq: {small}, #new-token: {n}, #cached-token: {step}",
    "[{day} {clock} TP{small}] Decode batch. #running-req: {small}, #token: {n}, token usage: {loss:.2f}, throughput: {n}.1",
    "INFO:     10.12.{small}.{small}:{n} - \"POST /generate HTTP/1.1\" 200 OK",
    "W{day} {clock}.{ms:03} {n} torch/distributed/c10d_logger.py:{small}] barrier took {loss:.3f}s on rank {small}",
    "rollout {step}: {{'rollout/raw_reward': {loss:.4f}, 'rollout/response_lengths': {n}.25, 'rollout/truncated': 0.0}}",
    "/usr/local/lib/python3.12/dist-packages/torch/utils/checkpoint.py:{n}: UserWarning: None of the inputs have grad",
    "train/kl_loss: {loss:.6f} train/pg_clipfrac: {grad:.6f} perf/tokens_per_gpu_per_sec: {n} epoch {small}/{step}",
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """Seconds for the whole log; None with a reason when it could not be measured."""

    seconds: float | None
    reason: str = ""


@dataclass(frozen=True)
class LogTimes:
    """One log, read in three ways; `size` in bytes."""

    size: int
    grep: Reading
    terminal: Reading
    page: Reading


def write_log(file: Path, cases: Sequence[Case], size: int) -> int:
    """Write a log of at least `size` bytes: lines of training, and the tracebacks of the cases now and then.

    Returns:
        bytes written; the same for the same arguments.
    """
    written = 0
    with file.open("w", encoding="utf-8") as stream:
        for line in _lines([case.query for case in cases if case.kind == "traceback" and case.expect]):
            written += len(line.encode()) + 1
            stream.write(line + "\n")
            if written >= size:
                break
    return written


def _lines(errors: Sequence[str]) -> Iterator[str]:
    chance = random.Random(7)
    number = 0
    while True:
        number += 1
        worker = chance.choice(_WORKERS)
        prefix = f"({worker}(actor-{chance.randrange(64)}) pid={chance.randrange(9999, 99999)}, ip=10.6.6.{number % 16}) "
        if errors and number % LINES_PER_ERROR == 1:
            yield from (prefix + line for line in errors[number // LINES_PER_ERROR % len(errors)].splitlines())
        yield prefix + chance.choice(_LINES).format(
            day="2026-03-14", clock=f"{number // 36000 % 24:02}:{number // 600 % 60:02}:{number // 10 % 60:02}",
            ms=number % 1000, n=chance.randrange(1000, 60000), step=number // 500, small=chance.randrange(16),
            loss=chance.random(), grad=4 * chance.random(),
        )  # fmt: skip


def read_log(browser: Browser, base: str, catalog: Catalog, log: Path, repeats: int) -> LogTimes:
    """Read the log in each way `repeats` times and keep the best time."""
    anchors = log.with_suffix(".anchors")
    known = lookup_guide(catalog).signatures
    anchors.write_text("".join(f"{anchor}\n" for anchor in sorted({one.anchor for one in known})), encoding="utf-8")
    return LogTimes(
        size=log.stat().st_size,
        grep=_timed(["grep", "-c", "-F", "-f", str(anchors), str(log)], repeats),
        terminal=_timed([sys.executable, "-m", "fieldguide", "explain", str(log)], repeats),
        page=_page(browser, base, log, repeats),
    )


def _timed(command: Sequence[str], repeats: int) -> Reading:
    if shutil.which(command[0]) is None:
        return Reading(None, f"no {command[0]} here")
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, env=os.environ | {"LC_ALL": "C.UTF-8"}, capture_output=True, check=False)
        times.append(time.perf_counter() - start)
        if done.returncode > 1:
            return Reading(None, f"exit code {done.returncode}")
    return Reading(min(times))


def _page(browser: Browser, base: str, log: Path, repeats: int) -> Reading:
    """The log page: from the choice of the file to the page's word that it is done."""
    times = []
    for _ in range(repeats):
        context = browser.new_context(locale="en-US")
        page = context.new_page()
        try:
            response = page.goto(base + LOG_PAGE)
            if response is None or not response.ok:
                return Reading(None, "no such page yet")
            chooser = page.locator(LOG_INPUT).first
            chooser.wait_for(state="attached", timeout=MINUTE)
            start = time.perf_counter()
            chooser.set_input_files(log)
            page.locator(LOG_DONE).first.wait_for(state="attached", timeout=5 * MINUTE)
            times.append(time.perf_counter() - start)
        except TimeoutError as error:
            return Reading(None, str(error).splitlines()[0])
        finally:
            context.close()
    return Reading(min(times))

"""The log page: texts to paste, and what is read from it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.test_browser import Trouble

BATCH = "AssertionError: batch_size 32 < chunks 64"
STATUS = "[data-part=status]"
# What was put into the page has been laid out, and its handlers of events have run.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
FINDING = ".fg-log__finding"
# From here on `window.longest` is how many milliseconds the page did not answer at most.
WATCH = """
() => {
  window.longest = 0;
  let last = performance.now();
  setInterval(() => {
    window.longest = Math.max(window.longest, performance.now() - last);
    last = performance.now();
  }, 10);
}
"""
# Two errors that several frameworks know, one of slime's own before them.
TRACE = """Traceback (most recent call last):
  File "/home/alice/slime/slime/utils/data.py", line 12, in main
    train(args)
  File "/home/alice/slime/slime/train.py", line 40, in train
    actor.train(rollout_id)
  File "/home/alice/slime/slime/backends/megatron_utils/actor.py", line 633, in train
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB
[rank3]:[E1014 02:08:17] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE) ran for 600000 ms
Process group watchdog thread terminated with exception
ray.exceptions.RayActorError: The actor died unexpectedly before finishing this task.
        class_name: MegatronTrainRayActor
        ip: 10.20.30.40
HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123 CustomError: never seen on 10.20.30.40
"""


def opened(context: BrowserContext, address: str, path: str = "diagnose/") -> Iterator[Page]:
    """The log page, or another; afterwards nothing of it made trouble."""
    page = context.new_page()
    trouble = Trouble(address)
    trouble.watch(page)
    page.goto(address + path)
    yield page
    assert not trouble.found, "\n".join(trouble.found)


def choose(page: Page, data: bytes, name: str = "train.log") -> None:
    page.locator("[data-part=file]").set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})


def drop(page: Page, *paths: Path) -> None:
    """Drop files and folders on the page as a file manager does."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 200, "y": 200, "data": data})


def shown(page: Page) -> list[list[Any]]:
    """[entry, where] of each finding, in the order of the page."""
    return [
        [one.get_attribute("data-entry"), one.locator(".fg-log__where").inner_text()] for one in page.locator(FINDING).all()
    ]


def paste(page: Page, text: str) -> None:
    page.locator("[data-part=input]").fill(text)
    page.locator("[data-part=run]").click()
    expect(page.locator(FINDING).first).to_be_visible()

"""A running `make serve`, somebody who edits, and a reader who clicks all the time."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.pace import slower

ONE_PAGE, EVERY_PAGE = 3.0, 6.0  # seconds from saving to seeing
PATIENCE = 60  # seconds after which it will not be seen any more
WORD = "a word nobody wrote before"
READ = ("", "zh/", "about/", "zh/compare/", "status/", "assets/stylesheets/fieldguide.css")
SCRIPT = re.compile(r'<script src="/__live/live.js"[^>]*></script>')


@dataclass
class Live:
    """A running server and the checkout it serves.

    Attributes:
        saved: when the last edit began, and what browsers knew then.
        times: what was edited, seconds until it was seen.
        visits: (address, status, seconds by the slack at that time) of a reader who clicks all the time.
    """

    root: Path
    url: str
    saved: tuple[float, int] = (0.0, 0)
    times: list[tuple[str, float]] = field(default_factory=list)
    visits: list[tuple[str, int, float]] = field(default_factory=list)

    def get(self, address: str) -> tuple[int, str]:
        try:
            with urlopen(self.url + address, timeout=PATIENCE) as response:
                return response.status, response.read().decode(errors="replace")
        except HTTPError as error:
            return error.code, error.read().decode()

    def state(self, epoch: object = "", round_: object = "") -> dict[str, Any]:
        """What browsers are told: at once, or as soon as it is another than the one given."""
        found: dict[str, Any] = json.loads(self.get(f"__live/state?epoch={epoch}&round={round_}")[1])
        return found

    def problems(self) -> list[str]:
        return [f"{path}:{line}: {message}" for path, line, message in self.state()["problems"]]

    def save(self) -> None:
        """Files are about to change."""
        self.saved = time.monotonic(), self.state()["epoch"]

    def wait(self, done: Callable[[], bool], what: str) -> float:
        """Seconds from saving until it is done."""
        while not done():
            state = self.state()
            assert time.monotonic() - self.saved[0] < PATIENCE, f"{what}: not seen; problems: {state['problems']}"
            time.sleep(0.05)  # as exact as it is measured
        return time.monotonic() - self.saved[0]

    def told(self) -> bool:
        """Whether browsers have been told to come again."""
        return bool(self.state()["epoch"] != self.saved[1])

    def seen(self, what: str, address: str, text: str, within: float = ONE_PAGE) -> str:
        """Measure until browsers are told to come again and the page has the text."""
        page = ""

        def shown() -> bool:
            nonlocal page
            status, page = self.get(address) if self.told() else (0, "")
            return text in page or text == str(status)

        took = self.wait(shown, what)
        self.times.append((what, took))
        assert took <= within * slack(), f"{what}: seen after {took:.1f} s"
        return page

    def lists(self, what: str, problem: str) -> None:
        """The checks find it within seconds; they run while the page is there already."""
        took = self.wait(lambda: any(problem in one for one in self.problems()), f"{what}: {problem}")
        self.times.append((f"{what}: listed", took))

    @contextmanager
    def changed(self, files: Mapping[str, bytes | None]) -> Iterator[None]:
        """Files with another content, or none; afterwards they are as before, and the server knows it."""
        before = {name: file.read_bytes() if (file := self.root / name).exists() else None for name in files}
        self.write(files)
        try:
            yield
        finally:
            self.write(before)
            self.wait(self.told, f"{', '.join(files)} mended")

    def write(self, files: Mapping[str, bytes | None]) -> None:
        self.save()
        for name, content in files.items():
            if content is None:
                (self.root / name).unlink(missing_ok=True)
            else:
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                (self.root / name).write_bytes(content)

    @contextmanager
    def edited(self, name: str, change: Callable[[str], str]) -> Iterator[int]:
        """A file with another text; gives the number of its lines."""
        before = (self.root / name).read_text(encoding="utf-8")
        after = change(before)
        assert after != before, f"nothing changed in {name}"
        with self.changed({name: after.encode()}):
            yield after.count("\n")


def slack() -> float:
    """How much longer all takes where others work as well, now or in the last minute, or the machine is slow."""
    return max(slower(time.perf_counter), os.getloadavg()[0] / (os.cpu_count() or 1))


def is_up(live: Live) -> bool:
    with suppress(OSError):  # not there yet, or not yet quick enough
        return live.get("")[0] == 200
    time.sleep(0.1)
    return False


def used(live: Live) -> Iterator[Live]:
    """With a reader who has been everywhere before the first edit, and after the first checks."""
    over = Event()
    reader = Thread(target=_read, args=(live, over))
    reader.start()
    try:
        live.save()
        live.wait(lambda: live.state()["round"] > 0 and len(live.visits) > len(READ), "the first checks")
        yield live
    finally:
        over.set()
        reader.join()
        print("\n", *(f"{took:5.2f} s  {what}" for what, took in live.times), sep="\n")


def _read(live: Live, over: Event) -> None:
    for address in cycle(READ):
        start = time.monotonic()
        status, _ = live.get(address)
        took = time.monotonic() - start
        live.visits.append((address, status, took if took < ONE_PAGE else took / slack()))
        if over.wait(0.1):
            return


def added(text: str) -> Callable[[str], str]:
    return lambda before: f"{before}\n{text}\n"


def replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda before: before.replace(old, new, 1)

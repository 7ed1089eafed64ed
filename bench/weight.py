"""`python -m bench.weight`: what a page view costs a reader on a slow line and a slow machine, beside other sites' pages.

The line is 1.6 Mbit/s with 150 ms to the server and the processor four times slower, as Lighthouse takes a phone to be.
"""

import argparse
import gzip
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from bench.report import table
from bench.sites import build_site
from tests.browser import launched
from tests.server import served

BITS_PER_SECOND, ROUND_TRIP, SLOWDOWN = 1_600_000, 150, 4
SETTLE = 3000  # milliseconds after the load event in which a page may still move
PACKED = {".html", ".css", ".js", ".json", ".svg", ".xml", ".md", ".txt"}
# Largest contentful paint and layout shifts, as the browser itself counts them.
OBSERVE = """
window.seen = { paint: 0, shift: 0 };
new PerformanceObserver((list) => list.getEntries().forEach((e) => { window.seen.paint = e.startTime; }))
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (!e.hadRecentInput) window.seen.shift += e.value; }))
  .observe({ type: "layout-shift", buffered: true });
"""
OURS = (
    "",
    "diagnose/",
    "calculate/",
    "topics/",
    "topics/batch-size/",
    "topics/batch-size/#roll-batch-size-chunks",
    "glossary/slime/",
    "compare/",
    "errors/",
    "zh/topics/memory/",
)


@dataclass(frozen=True)
class View:
    """A cold view of one page.

    Attributes:
        paint: largest contentful paint, in milliseconds.
        shift: cumulative layout shift, without unit.
        script: milliseconds spent in scripts on the slowed processor.
        bytes: transferred, with headers, as the browser counts them.
        offsite: requests to other hosts; none of them is answered here.
    """

    paint: float
    shift: float
    script: float
    bytes: int
    requests: int
    offsite: int


class _Packing(SimpleHTTPRequestHandler):
    """Serves a folder as a static host does: text packed with gzip, connections kept."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        file = path / "index.html" if path.is_dir() else path
        if not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        if file.suffix in PACKED:
            content = gzip.compress(content, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def packed(folder: Path) -> AbstractContextManager[str]:
    """Serve `folder`; gives its address."""
    return served(partial(_Packing, directory=str(folder)))


def view(browser: Browser, base: str, path: str, slow: bool = True, settle: int = SETTLE) -> View:
    """Open a page in a new profile, on the slow line and processor or as they are, and wait until nothing moves any more."""
    context = browser.new_context(viewport={"width": 412, "height": 823}, device_scale_factor=1, locale="en-US")
    page = context.new_page()
    page.add_init_script(OBSERVE)
    offsite: list[str] = []

    def refuse(route: Route) -> None:
        offsite.append(route.request.url)
        route.abort()

    page.route(lambda url: not url.startswith((base, "data:", "blob:")), refuse)
    try:
        return _measured(page, base + path, offsite, slow, settle)
    finally:
        context.close()


def _measured(page: Page, address: str, offsite: Sequence[str], slow: bool, settle: int) -> View:
    session = page.context.new_cdp_session(page)
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    for command in ("Network.enable", "Performance.enable"):
        session.send(command)
    if slow:
        speed = BITS_PER_SECOND / 8
        line = {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": speed, "uploadThroughput": speed}
        session.send("Network.emulateNetworkConditions", line)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(address, wait_until="load", timeout=120_000)
    page.wait_for_timeout(settle)
    seen = page.evaluate("window.seen")
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return View(seen["paint"], seen["shift"], metrics["ScriptDuration"] * 1000, sum(sizes), len(sizes), len(offsite))


def typical(views: Sequence[View]) -> View:
    """The median of every figure."""
    return View(
        paint=statistics.median(one.paint for one in views),
        shift=max(one.shift for one in views),
        script=statistics.median(one.script for one in views),
        bytes=int(statistics.median(one.bytes for one in views)),
        requests=int(statistics.median(one.requests for one in views)),
        offsite=max(one.offsite for one in views),
    )


def row(name: str, one: View) -> list[str]:
    """One line of the table."""
    figures = [f"{one.paint:,.0f}", f"{one.shift:.3f}", f"{one.script:,.0f}", f"{one.bytes / 1000:,.0f}", str(one.requests)]
    return [name, *figures, str(one.offsite)]


def main(arguments: list[str] | None = None) -> int:
    """Measure our pages and those of the sites that `--peer` names, turn by turn.

    Returns:
        exit code: 0 when every page of ours paints within 1.5 s and shifts by no more than 0.02, 1 otherwise.
    """
    parser = argparse.ArgumentParser(prog="python -m bench.weight", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=FOLDER:PAGE", help="a built site and a page of it")
    parser.add_argument("--views", type=int, default=3, help="cold views of each page")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fieldguide-weight-") as folder, ExitStack() as stack:
        build_site(Path(folder), theme_search=False)
        browser = stack.enter_context(launched())
        base = stack.enter_context(packed(Path(folder)))
        targets = [(f"/{path}", base, path, True) for path in OURS]
        for peer in options.peer:
            name, _, place = peer.partition("=")
            directory, _, path = place.partition(":")
            targets.append((f"{name}: {path}", stack.enter_context(packed(Path(directory))), path, False))
        views: dict[str, list[View]] = {name: [] for name, *_ in targets}
        for _ in range(options.views):
            for name, address, path, _ours in targets:
                views[name].append(view(browser, address, path))
    measured = {name: typical(some) for name, some in views.items()}
    head = ["page, cold", "largest paint, ms", "layout shift", "script, ms", "kB", "requests", "off-site"]
    print(table([head, *(row(name, one) for name, one in measured.items())]))
    ours = [measured[name] for name, *_, own in targets if own]
    return 0 if all(one.paint <= 1500 and one.shift <= 0.02 for one in ours) else 1


if __name__ == "__main__":
    sys.exit(main())

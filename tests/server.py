"""A web server for the built site, as a static host would serve it: below a path, and unknown paths get 404.html."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar


class _Handler(SimpleHTTPRequestHandler):
    prefix = "/"
    seen: ClassVar[list[str] | None] = None
    body = b""

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(self.prefix) if path.startswith(self.prefix) else "/nowhere")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_error(HTTPStatus.METHOD_NOT_ALLOWED)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        if self.seen is not None:
            self.seen.append(f"{self.requestline}\n{self.headers}{self.body.decode(errors='replace')}")

    def log_message(self, format: str, *args: Any) -> None:
        pass


def serving(directory: Path, prefix: str = "/", seen: list[str] | None = None) -> AbstractContextManager[str]:
    """Serve `directory` below `prefix`; gives its address with a trailing slash.

    Args:
        seen: every request is added to it as it came: request line, headers and body.
    """
    handler = type("Handler", (_Handler,), {"prefix": prefix, "seen": seen})
    return served(partial(handler, directory=str(directory)), prefix)


@contextmanager
def served(handler: Callable[..., BaseHTTPRequestHandler], prefix: str = "/") -> Iterator[str]:
    """Run a server with this handler; yields the address of `prefix`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{prefix}"
    finally:
        server.shutdown()
        server.server_close()

"""The process that browsers talk to: it always answers, whatever the others do."""

import html
import json
import mimetypes
import posixpath
from collections.abc import Callable, Iterable
from hashlib import sha256
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, quote

from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileSystemEvent, FileSystemEventHandler

from fieldguide.site.publish.stylesheet import STYLESHEET
from scripts.serve.messages import Answer, Fault
from scripts.serve.team import Team

HERE = Path(__file__).parent
FOLDERS = ("docs", "catalog", "locales", "overrides", "fieldguide", "scripts")
FILES = ("mkdocs.yml", "pyproject.toml")
LINES = 40  # of problems in the terminal
WAIT = 30  # seconds that a browser's question for news is held back at most
Respond = Callable[[str, list[tuple[str, str]]], Any]


class Server(LiveReloadServer):
    """Pages on request, news for browsers, problems in the terminal."""

    def __init__(self, root: Path, host: str, port: int, team: Team) -> None:
        super().__init__(self._take_in, host, port, str(root), polling_interval=0.3)
        self._root = root
        self._team = team
        self._version = 0
        self._code = _code(root)  # that the workers run
        self._broken_code: list[Fault] = []
        self._problems: list[Fault] = []
        self._round = 0  # of what browsers are told of problems
        self._noted: dict[Fault, int] = {}  # → version at which it was last said
        self._to_check = Event()
        self._watch()
        self._to_check.set()

    def server_activate(self) -> None:
        super().server_activate()
        Thread(target=self._check, daemon=True).start()
        print(f"Serving on {self.url}", flush=True)

    def _watch(self) -> None:
        handler = FileSystemEventHandler()
        handler.on_any_event = self._notice  # type: ignore[method-assign]
        for folder in FOLDERS:
            self.observer.schedule(handler, str(self._root / folder), recursive=True)
        self.observer.schedule(handler, str(self._root), recursive=False)
        self._watched_paths = dict.fromkeys((*FOLDERS, *FILES), 1)  # what the base class asks whether to watch at all

    def _notice(self, event: FileSystemEvent) -> None:
        path = Path(str(event.src_path))
        passing = path.name.startswith(".") or path.name.endswith(("~", ".pyc")) or "__pycache__" in path.parts
        other = path.parent == self._root and path.name not in FILES
        if not event.is_directory and not passing and not other:
            with self._rebuild_cond:
                self._want_rebuild = True
                self._rebuild_cond.notify_all()

    def _take_in(self) -> None:
        """Files have changed: browsers are told to come again when this returns."""
        self._version += 1
        code = _code(self._root)
        self._broken_code = [] if code == self._code else self._team.renew(self._version)
        if not self._broken_code:
            self._code = code
        self._team.take_in(self._version)
        self._to_check.set()

    def _check(self) -> None:
        """Look for problems after each change, as long as the server runs."""
        while self._to_check.wait():
            self._to_check.clear()
            try:
                found = [*self._broken_code, *self._team.problems()]
            except Exception as error:
                found = [Fault("", 0, f"the checks have failed: {error!r}")]
            if not self._to_check.is_set():
                self._tell(list(dict.fromkeys(found)))

    def _tell(self, problems: list[Fault]) -> None:
        if problems != self._problems:
            more = [f"… and {len(problems) - LINES} more"] if len(problems) > LINES else []
            print(f"\n{len(problems) or 'no'} problem(s)", *problems[:LINES], *more, sep="\n", flush=True)
        with self._epoch_cond:
            self._problems = problems
            self._round += 1
            self._epoch_cond.notify_all()

    def _serve_request(self, environ: dict[str, Any], start_response: Respond) -> Iterable[bytes]:
        path = posixpath.normpath("/" + environ["PATH_INFO"].encode("latin-1").decode("utf-8", "ignore").lstrip("/"))
        address = path.lstrip("/") + ("/" if path != "/" and environ["PATH_INFO"].endswith("/") else "")
        if path == "/__live/state":
            return _respond(start_response, self._news(parse_qs(environ.get("QUERY_STRING", ""))))
        if file := self._file(path):
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return _respond(start_response, Answer(200, kind, file.read_bytes()))
        epoch = self._visible_epoch  # before the page is made: what changes meanwhile makes it come again
        answer = self._team.answer(address, self._version)
        self._note(answer)
        if answer.kind.startswith("text/html") and answer.status != HTTPStatus.FOUND:
            answer = answer._replace(body=with_script(answer, epoch))
        return _respond(start_response, answer)

    def _note(self, answer: Answer) -> None:
        """Say in the terminal what went wrong with a page, once a change."""
        for fault in answer.notes:
            if self._noted.get(fault) != self._version:
                self._noted[fault] = self._version
                print(f"\n{fault}", flush=True)

    def _news(self, query: dict[str, list[str]]) -> Answer:
        """Epoch of the site and problems, as soon as one of them is another than the browser knows."""
        known = tuple(query.get(name, [""])[0] for name in ("epoch", "round"))
        with self._epoch_cond:
            self._epoch_cond.wait_for(lambda: known != (str(self._visible_epoch), str(self._round)), WAIT)
            news = {"epoch": self._visible_epoch, "round": self._round, "problems": self._problems}
        return Answer(200, "application/json", json.dumps(news).encode())

    def _file(self, path: str) -> Path | None:
        """A file that is served as it is: one of ours, or of the theme."""
        if path.startswith("/__live/"):
            file = HERE / path.removeprefix("/__live/")
            return file if file.suffix in (".js", ".css") and file.is_file() else None
        as_it_is = path.startswith("/assets/") and path.lstrip("/") != STYLESHEET  # which a build completes
        folders = (self._root / "overrides", _theme()) if as_it_is else ()
        return next((file for folder in folders if (file := folder / path.lstrip("/")).is_file()), None)


def with_script(answer: Answer, epoch: int) -> bytes:
    """A page with the script that brings it up to date and shows problems."""
    data = {"epoch": epoch, "source": answer.source, "notes": json.dumps(answer.notes, ensure_ascii=False)}
    attributes = "".join(f' data-{name}="{html.escape(str(value))}"' for name, value in data.items())
    script = f'<script src="/__live/live.js"{attributes}></script>'.encode()
    before, end, after = answer.body.rpartition(b"</body>")
    return before + script + end + after if end else answer.body + script


def _respond(start_response: Respond, answer: Answer) -> list[bytes]:
    head = [("Content-Type", answer.kind), ("Cache-Control", "no-store")]
    if answer.status == HTTPStatus.FOUND:
        start_response("302 Found", [("Location", quote(answer.body))])
        return []
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", [*head, ("Content-Length", str(len(answer.body)))])
    return [answer.body]


def _theme() -> Path:
    spec = find_spec("material")
    return Path(spec.origin or "").parent / "templates" if spec else Path("nowhere")


def _code(root: Path) -> str:
    """A digest of all Python files."""
    digest = sha256()
    for file in sorted(file for folder in ("fieldguide", "scripts") for file in (root / folder).rglob("*.py")):
        digest.update(f"{file}\0".encode() + file.read_bytes())
    return digest.hexdigest()

"""Where an exception comes from, and the page that says so in place of the one that could not be made."""

import html
import traceback
from collections.abc import Iterator
from pathlib import Path

from scripts.serve.messages import Fault

HERE = Path(__file__).parent
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>This page cannot be shown</title>
<link rel="stylesheet" href="/__live/live.css">
</head>
<body class="live-fault">
<h1>This page cannot be shown</h1>
<p>{source}It comes back by itself as soon as the fault is mended.</p>
<ul>{faults}</ul>
<details><summary>Where it happened</summary><pre>{trace}</pre></details>
</body>
</html>
"""


def faults_of(root: Path, error: BaseException) -> list[Fault]:
    """What an exception, or one it was raised for, says is wrong, as near to the place as it is known."""
    chain = [*_chain(error)]
    for one in chain:
        if problems := getattr(one, "problems", None):
            return [Fault(problem.path.as_posix(), problem.line, problem.message) for problem in problems]
    for find in (_parsed, _called):
        for one in chain:
            for file, line in find(one):
                path = Path(file)
                if path.is_relative_to(root) and ".venv" not in path.parts:
                    return [Fault(path.relative_to(root).as_posix(), line, f"{type(one).__name__}: {_reason(one)}")]
    return [Fault("", 0, f"{type(error).__name__}: {error}")]


def fault_page(faults: list[Fault], error: BaseException, source: str) -> str:
    """A page that needs nothing of the theme, which may be what is broken."""
    items = "".join(f"<li>{html.escape(str(fault))}</li>" for fault in faults)
    trace = html.escape("".join(traceback.format_exception(error)))
    return _PAGE.format(source=f"Its text is <code>{html.escape(source)}</code>. " if source else "", faults=items, trace=trace)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it was raised for."""
    one: BaseException | None = error
    while one:
        yield one
        one = one.__cause__ or one.__context__


def _parsed(error: BaseException) -> Iterator[tuple[str, int]]:
    """The file that cannot be parsed: of YAML, of a template or of Python."""
    if mark := getattr(error, "problem_mark", None):
        yield mark.name, mark.line + 1
    name, line = getattr(error, "filename", None), getattr(error, "lineno", None)
    if isinstance(name, str):
        yield name, line or 0


def _called(error: BaseException) -> Iterator[tuple[str, int]]:
    """The calls that led there, the innermost first, ours left out; Jinja counts templates among them."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not Path(frame.filename).is_relative_to(HERE):
            yield frame.filename, frame.lineno or 0


def _reason(error: BaseException) -> str:
    return str(getattr(error, "problem", None) or error)

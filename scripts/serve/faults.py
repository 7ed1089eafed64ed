"""Where an exception comes from, and the page that says so in place of the one that could not be made."""

import html
import traceback
from collections.abc import Iterator
from pathlib import Path

from scripts.serve.messages import Fault

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
    """What an exception says is wrong, as near to the place as it is known."""
    for one in _chain(error):
        if problems := getattr(one, "problems", None):
            return [Fault(problem.path.as_posix(), problem.line, problem.message) for problem in problems]
    places = (_place(root, one) for one in _chain(error))
    path, line = next((place for place in places if place[0]), ("", 0))
    return [Fault(path, line, f"{type(error).__name__}: {error}")]


def fault_page(root: Path, error: BaseException, source: str) -> str:
    """A page that needs nothing of the theme, which may be what is broken."""
    items = "".join(f"<li>{html.escape(str(fault))}</li>" for fault in faults_of(root, error))
    trace = html.escape("".join(traceback.format_exception(error)))
    return _PAGE.format(source=f"Its text is <code>{html.escape(source)}</code>. " if source else "", faults=items, trace=trace)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it was raised for."""
    one: BaseException | None = error
    while one:
        yield one
        one = one.__cause__ or one.__context__


def _place(root: Path, error: BaseException) -> tuple[str, int]:
    """File below the checkout and line: of what cannot be parsed, or of the innermost call; empty when there is none."""
    mark = getattr(error, "problem_mark", None)
    parsed = [(mark.name, mark.line + 1)] if mark else [(getattr(error, "filename", None), getattr(error, "lineno", None))]
    calls = [(frame.filename, frame.lineno) for frame in reversed(traceback.extract_tb(error.__traceback__))]
    for file, line in [*parsed, *calls]:
        path = Path(file) if isinstance(file, str) else None
        if path and path.is_relative_to(root) and ".venv" not in path.parts:
            return path.relative_to(root).as_posix(), line or 0
    return "", 0

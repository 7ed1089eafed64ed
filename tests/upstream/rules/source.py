"""Pieces of upstream source that run without what they import: functions, classes, and single statements of a function."""

import ast
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from fieldguide.upkeep.releases.cache import default_folder


class Quiet:
    """Stands for a logger, a device, a tensor …: every attribute is itself, every call returns it."""

    def __getattr__(self, name: str) -> "Quiet":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> "Quiet":
        return self


@cache
def _place(clone: Path, revision: str) -> tuple[str, str]:
    """The repository that has a revision, and its name there: releases that the clone has no tag of are in the cache."""
    known = subprocess.run(
        ["git", "-C", str(clone), "cat-file", "-e", f"{revision}^{{commit}}"], check=False, capture_output=True
    )
    if known.returncode == 0:
        return str(clone), revision
    package = clone.parent.name.rpartition("+")[2].lower()
    return str(default_folder() / f"{package}.git"), revision.removeprefix("v")


@dataclass(frozen=True)
class File:
    """A file of a clone at a commit."""

    clone: Path
    commit: str
    path: str

    @cached_property
    def text(self) -> str:
        repository, revision = _place(self.clone, self.commit)
        command = ["git", "-C", repository, "show", f"{revision}:{self.path}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @property
    def there(self) -> bool:
        """Whether the commit has this file."""
        repository, revision = _place(self.clone, self.commit)
        command = ["git", "-C", repository, "cat-file", "-e", f"{revision}:{self.path}"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    def has(self, text: str) -> bool:
        """Whether the commit has this file, and the file this text."""
        return self.there and text in self.text

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    def named(self, dotted: str) -> Any:
        """A function or class, `Class.method` included."""
        node: Any = self.tree
        for part in dotted.split("."):
            node = next(one for one in ast.walk(node) if getattr(one, "name", None) == part)
        return node

    def load(self, names: list[str], namespace: dict[str, Any]) -> dict[str, Any]:
        """Execute definitions in a namespace that has what they use."""
        nodes = [self.named(name) for name in names]
        exec(self._code([_bare(node) for node in nodes]), namespace)
        return namespace

    def whole(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """Execute the file, import lines included."""
        exec(compile(self.text, self.path, "exec"), namespace)
        return namespace

    def statements(self, function: str, first: str, last: str | None = None) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """Statements of a function, from the one that holds `first` to the one of the same block that holds `last`."""
        block = next(block for block in _blocks(self.named(function)) if any(first in self._of(one) for one in block))
        start = next(index for index, one in enumerate(block) if first in self._of(one))
        end = next(index for index, one in enumerate(block) if index >= start and (last or first) in self._of(one))
        code = self._code(block[start : end + 1])

        def run(namespace: dict[str, Any]) -> dict[str, Any]:
            exec(code, namespace)
            return namespace

        return run

    def _of(self, node: ast.AST) -> str:
        first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 0)
        return "\n".join(self.lines[first - 1 : last])

    def _code(self, nodes: list[Any]) -> Any:
        return compile(ast.Module(body=nodes, type_ignores=[]), self.path, "exec")


class _Unimported(ast.NodeTransformer):
    """Imports inside a function go: what they bring is in the namespace."""

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)


def _bare(node: Any) -> Any:
    """A function without decorators, annotations, imports and defaults' types: what it does is all that is wanted."""
    node = _Unimported().visit(node)
    for one in ast.walk(node):
        if isinstance(one, ast.FunctionDef):
            one.returns = None
            one.decorator_list = [d for d in one.decorator_list if getattr(d, "id", "") in ("property", "staticmethod")]
            for argument in [*one.args.args, *one.args.kwonlyargs]:
                argument.annotation = None
    return node


def _blocks(node: ast.AST) -> Iterator[list[Any]]:
    """Every list of statements, the innermost first."""
    for child in ast.iter_child_nodes(node):
        yield from _blocks(child)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def outcome(run: Callable[[], Any]) -> str | None:
    """What a call printed when it failed: type and message, or the line where nothing else says what is wrong."""
    try:
        run()
    except TypeError as error:
        return f"TypeError: {error}: {_line(error)}"
    except (AssertionError, ValueError, RuntimeError, ZeroDivisionError) as error:
        return f"{type(error).__name__}: {error}" if str(error) else f"{type(error).__name__}: {_line(error)}"
    return None


class Sources(dict[str, str]):
    """Path → text of the files that failing asserts may stand in."""


SOURCES = Sources()


def opened(clone: Path, commit: str, path: str) -> File:
    """A file whose failing asserts can be quoted."""
    file = File(clone, commit, path)
    SOURCES[path] = file.text
    return file


def _line(error: BaseException) -> str:
    """The statement that failed, in one line."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    assert trace
    text = SOURCES[trace.tb_frame.f_code.co_filename]
    return _statement(text, trace.tb_lineno)


@cache
def _statement(text: str, line: int) -> str:
    around = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.stmt)]
    inside = [one for one in around if one.lineno <= line <= (one.end_lineno or one.lineno)]
    return " ".join((ast.get_source_segment(text, inside[-1]) or "").split())

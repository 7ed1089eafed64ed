"""What a package declares that it requires: setup.py, pyproject.toml, requirements files."""

import ast
import tomllib
from collections.abc import Iterator, Mapping

from fieldguide.runtime.doctor.requirement import requirement
from fieldguide.runtime.doctor.vocabulary import Found, Vocabulary

# What a package requires in any case; extras have their own names.
ALWAYS = ""

Declared = Mapping[str, list[Found]]


def declared(path: str, text: str, vocabulary: Vocabulary) -> Declared:
    """Extra → packages. A file that cannot be parsed declares nothing."""
    try:
        if path.endswith(".py"):
            rows = list(_setup(ast.parse(text)))
        elif path.endswith(".toml"):
            rows = list(_project(text))
        else:
            rows = [(ALWAYS, line.partition(" #")[0], number) for number, line in enumerate(text.splitlines(), 1)]
    except (SyntaxError, ValueError, TypeError, AttributeError):
        return {}
    found: dict[str, list[Found]] = {}
    for extra, wanted, line in rows:
        python = wanted.removeprefix("python_requires")
        one = Found("python", python, line=line) if python != wanted else requirement(wanted, vocabulary, line)
        if one and not any(other.package == one.package for other in found.get(extra, ())):
            found.setdefault(extra, []).append(one)
    return found


def _setup(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """Extra, requirement and line of what `setup()` is given."""
    values = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def strings(node: ast.expr) -> Iterator[ast.Constant]:
        if isinstance(node, ast.Name):
            node = values.get(node.id, node)
        for one in ast.walk(node) if isinstance(node, ast.List | ast.Tuple | ast.BinOp) else ():
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one
            elif isinstance(one, ast.Name) and one is not node:
                yield from strings(one)

    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "setup":
            for keyword in call.keywords:
                yield from _keyword(keyword, values, strings)


def _keyword(keyword: ast.keyword, values: Mapping[str, ast.expr], strings: "object") -> Iterator[tuple[str, str, int]]:
    assert callable(strings)
    node = keyword.value
    if keyword.arg == "python_requires" and isinstance(node, ast.Constant):
        yield ALWAYS, f"python_requires{node.value!s}", node.lineno
    elif keyword.arg == "install_requires":
        yield from ((ALWAYS, one.value, one.lineno) for one in strings(node))
    elif keyword.arg == "extras_require":
        node = values.get(node.id, node) if isinstance(node, ast.Name) else node
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant):
                yield from ((str(key.value), one.value, one.lineno) for one in strings(value))


def _project(text: str) -> Iterator[tuple[str, str, int]]:
    """Extra, requirement and line of `[project]`."""
    project = tomllib.loads(text).get("project", {})
    lines = text.splitlines()
    if python := project.get("requires-python"):
        yield ALWAYS, f"python_requires{python}", _line(lines, "requires-python", 1)
    extras = {ALWAYS: project.get("dependencies", []), **project.get("optional-dependencies", {})}
    for extra, wanted in extras.items():
        start = _line(lines, f"{extra} =", 1) if extra else _line(lines, "dependencies =", 1)
        for one in wanted:
            yield extra, one, _line(lines, one, start)


def _line(lines: list[str], text: str, start: int) -> int:
    """The first line from `start` on that holds the text, in either kind of quotes."""
    wanted = text.replace("'", '"')
    return next((at for at, line in enumerate(lines, 1) if at >= start and wanted in line.replace("'", '"')), start)

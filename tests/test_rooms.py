"""Each room of the code imports only what it may: what a node carries must stay small, and the content outlives its tools."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOMS = {
    # The command that a node runs: the standard library, a scanner, readers of YAML, Bash and versions.
    "runtime": {"runtime", "ahocorasick_rs", "packaging", "tree_sitter", "tree_sitter_bash", "yaml"},
    # The wheel carries it: `data` asks the content only in a checkout, `agent_tools` is imported where the extra is there.
    "commands": {"runtime", "commands", "shtab"},
    "content": {"runtime", "content", "markdown_it", "packaging", "pydantic", "yaml"},
}
LONGEST = 400  # lines of a Python file
LONGEST_SCRIPT = 300


def imported(file: Path) -> Iterator[str]:
    """Rooms of ours and packages of others that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            package, *rest = name.split(".")
            if package == "fieldguide":
                yield rest[0]
            elif package not in sys.stdlib_module_names:
                yield package


# Files of a room that may import more.
MORE = {"data.py": {"content"}, "agent_tools.py": {"mcp", "pydantic"}}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    files = [file for file in (ROOT / "fieldguide" / room).rglob("*.py") if file.parent.name != "authors"]
    found = {(file.name, name) for file in files for name in imported(file)}
    assert {one for one in found if one[1] not in ROOMS[room] | MORE.get(one[0], set())} == set()


def test_nothing_below_the_command_line_imports_mkdocs() -> None:
    found = {file.name for file in (ROOT / "fieldguide").rglob("*.py") if "mkdocs" in imported(file)}
    assert found <= {"configuration.py"}  # reads mkdocs.yml with its loader, for !ENV


@pytest.mark.parametrize(
    ("folders", "pattern", "most"),
    [
        (("fieldguide", "scripts", "tests", "bench"), "*.py", LONGEST),
        (("overrides/assets/javascripts",), "*.js", LONGEST_SCRIPT),
    ],
)
def test_no_file_is_too_long(folders: tuple[str, ...], pattern: str, most: int) -> None:
    sizes = {
        file.relative_to(ROOT).as_posix(): len(file.read_text(encoding="utf-8").splitlines())
        for folder in folders
        for file in (ROOT / folder).rglob(pattern)
    }
    assert {name: size for name, size in sizes.items() if size > most} == {}

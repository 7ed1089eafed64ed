"""Change single fields of a YAML file and leave every other character as it is: comments, quotes, order."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import yaml

from fieldguide.upkeep.extract.write import replace_file

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Path = tuple[str | int, ...]


@dataclass(frozen=True, order=True)
class _Edit:
    start: int
    end: int
    text: str


def edited(root: FilePath, fields: Mapping[FilePath, Mapping[Path, str | int | None]]) -> dict[FilePath, str]:
    """The text of each file below `root` with its fields set, see `edit_yaml`; nothing is written."""
    return {path: edit_yaml((root / path).read_text(encoding="utf-8"), changed) for path, changed in fields.items()}


def write_texts(root: FilePath, texts: Mapping[FilePath, str]) -> None:
    """Write files below `root`, all of which were made before the first is written."""
    for path, text in texts.items():
        (root / path).parent.mkdir(exist_ok=True)
        replace_file(root / path, text)


def edit_yaml(text: str, fields: Mapping[Path, str | int | None]) -> str:
    """`text` with fields set to new scalars, added where they are missing, or taken out.

    Args:
        fields: path from the top, list indexes included, as ("keys", 3, "source", "line") → value; None takes it out.

    Raises:
        KeyError: the mapping that should hold the field is not there.
    """
    root = yaml.compose(text, Loader=_Loader)
    edits: list[_Edit] = []
    for path, value in fields.items():
        node = _descend(root, path[:-1])
        edits.extend(_edits(text, node, str(path[-1]), value))
    return _applied(text, edits)


def _descend(node: Any, path: Path) -> yaml.MappingNode:
    for step in path:
        children = dict(enumerate(node.value)) if isinstance(step, int) else {key.value: value for key, value in node.value}
        node = children[step]
    if not isinstance(node, yaml.MappingNode):
        raise KeyError(path)
    return node


def _edits(text: str, node: yaml.MappingNode, name: str, value: str | int | None) -> Iterable[_Edit]:
    index = next((number for number, (key, _) in enumerate(node.value) if key.value == name), None)
    if index is None:
        if value is not None:
            yield _added(text, node, name, value)
    elif value is None:
        yield _removed(text, node, index)
    else:
        old = node.value[index][1]
        yield _Edit(old.start_mark.index, old.end_mark.index, scalar(value))


def _added(text: str, node: yaml.MappingNode, name: str, value: str | int) -> _Edit:
    last = node.value[-1][1].end_mark.index
    if node.flow_style:
        return _Edit(last, last, f", {name}: {scalar(value)}")
    end = text.find("\n", last)
    end = len(text) if end < 0 else end
    return _Edit(end, end, f"\n{' ' * node.value[0][0].start_mark.column}{name}: {scalar(value)}")


def _removed(text: str, node: yaml.MappingNode, index: int) -> _Edit:
    key, value = node.value[index]
    if not node.flow_style:
        start = text.rfind("\n", 0, key.start_mark.index) + 1
        end = text.find("\n", value.end_mark.index)
        return _Edit(start, len(text) if end < 0 else end + 1, "")
    if index:
        return _Edit(node.value[index - 1][1].end_mark.index, value.end_mark.index, "")
    following = node.value[1][0].start_mark.index if len(node.value) > 1 else value.end_mark.index
    return _Edit(key.start_mark.index, following, "")


def _applied(text: str, edits: Iterable[_Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def scalar(value: str | int) -> str:
    """A value as YAML writes it inside a flow mapping, in double quotes where plain text would mean something else.

    >>> scalar(12), scalar("12"), scalar("a, b"), scalar("2026-01-01"), scalar("a/b.py")
    ('12', '"12"', '"a, b"', '"2026-01-01"', 'a/b.py')
    """
    plain = str(yaml.safe_dump([value], default_flow_style=True, width=100_000, allow_unicode=True)).strip()[1:-1]
    return plain if plain == str(value) else json.dumps(value, ensure_ascii=False)

"""`catalog/keys/<framework>.yml` as text: one style, the same records give the same bytes."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from fieldguide.content.catalog.models import Key, Source
from fieldguide.content.writing import write_whole

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*([ ./-][A-Za-z0-9_]+)*")
# What YAML reads as something else than a string.
_NOT_TEXT = re.compile(r"(?i)true|false|null|yes|no|on|off|y|n|none|inf|nan")


def as_yaml(head: str, keys: Iterable[Key]) -> str:
    """The whole file below its comment lines `head`."""
    return head + "keys:\n" + "".join(f"{_record(key)}\n" for key in keys)


def _record(key: Key) -> str:
    return "\n".join(f"{'    ' if row else '  - '}{line}" for row, line in enumerate(_lines(key)))


def _lines(key: Key) -> list[str]:
    rows: list[tuple[str, str | None]] = [
        ("name", text(key.name)),
        ("id", key.id and text(key.id)),
        ("kind", key.kind.value),
        ("type", text(key.type)),
        ("default", None if key.default is None else json.dumps(key.default, ensure_ascii=False)),
        ("required", "true" if key.required else None),
        ("choices", _many(key.choices)),
        ("paths", _many(key.paths)),
        ("spellings", _many(key.spellings)),
        ("group", text(key.group)),
        ("since", key.since and text(key.since)),
        ("later", _pairs(key.later)),
        ("removed", key.removed and text(key.removed)),
        ("renamed_to", key.renamed_to and text(key.renamed_to)),
        ("declared", key.declared and text(key.declared)),
        ("used", str(key.used) if key.used else None),
        ("help", key.help and json.dumps(key.help, ensure_ascii=False)),
        ("source", _source(key.source)),
    ]
    return [f"{name}: {value}" for name, value in rows if value]


def _many(values: Sequence[str]) -> str | None:
    return "[" + ", ".join(text(value) for value in values) + "]" if values else None


def _pairs(values: Mapping[str, str]) -> str | None:
    return "{" + ", ".join(f"{text(key)}: {text(value)}" for key, value in values.items()) + "}" if values else None


def _source(source: Source) -> str:
    rows: list[tuple[str, str | None]] = [
        ("repo", text(source.repo)),
        ("path", text(source.path)),
        ("line", str(source.line) if source.line else None),
        ("contains", source.contains and json.dumps(source.contains, ensure_ascii=False)),
        ("commit", source.commit and text(source.commit)),
    ]
    return "{" + ", ".join(f"{name}: {value}" for name, value in rows if value) + "}"


def text(value: str) -> str:
    """A string as YAML, in quotes only where it needs them.

    >>> text("roll/configs/base_config.py"), text("1e5"), text("no"), text("v0.2.0")
    ('roll/configs/base_config.py', '"1e5"', '"no"', 'v0.2.0')
    """
    plain = _PLAIN.fullmatch(value) and not _NOT_TEXT.fullmatch(value)
    return value if plain else json.dumps(value, ensure_ascii=False)


def head_of(file: Path) -> str:
    """The comment lines at the top of a file; empty when there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    end = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(lines[:end])


def replace_file(file: Path, content: str) -> bool:
    """Write a file anew.

    Returns:
        whether the content is new.
    """
    if file.exists() and file.read_text(encoding="utf-8") == content:
        return False
    write_whole(file, content.encode())
    return True

"""The two indexes at the back: rows in order; Typst finds the pages."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fieldguide.book.links import label_of
from fieldguide.content.catalog.store import Owned
from fieldguide.content.guide import Guide
from fieldguide.content.listing import IndexRow, index_rows
from fieldguide.content.signature import display_signature


@dataclass(frozen=True)
class Letter:
    """The rows below one letter.

    Attributes:
        anchor: id that the site gives the letter, without page.
        rows: for the template, see `error_index` and `key_index`.
    """

    letter: str
    anchor: str
    rows: tuple[dict[str, Any], ...]

    def as_data(self, label: str | None) -> dict[str, Any]:
        return {"letter": self.letter, "label": label, "rows": list(self.rows)}


def error_index(guide: Guide, entries: Collection[str], any_framework: str) -> list[Letter]:
    """Every error text of these entries once, A to Z.

    Rows: `text`, as marked in the pages, and `owners`, the frameworks whose entries explain it.
    """
    merged: dict[str, list[IndexRow]] = defaultdict(list)
    for row in index_rows(guide):
        if row.entry in entries:
            merged[display_signature(row.signature.text)].append(row)
    letters: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for text, rows in merged.items():
        names = dict.fromkeys(_name(guide, row.framework, any_framework) for row in rows)
        letters[rows[0].letter].append({"text": text, "owners": list(names)})
    return [Letter(one, f"errors-{'other' if one == '#' else one.lower()}", tuple(rows)) for one, rows in letters.items()]


def key_index(guide: Guide, keys: Iterable[Owned], pages: Collection[str], any_framework: str) -> list[Letter]:
    """Every key by name, A to Z; one name that several frameworks have is one row.

    Rows: `name` and `keys`, per framework its `owner`, `ids` and `labels`, the places that define them if the book has them.
    """
    merged: dict[str, list[Owned]] = defaultdict(list)
    for owned in sorted(keys, key=lambda one: (_sort(one.key.display), one.owner)):
        merged[owned.key.display].append(owned)
    letters: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, same in merged.items():
        owners = dict.fromkeys(owned.owner for owned in same)
        groups = [_keys(guide, [one for one in same if one.owner == owner], pages, any_framework) for owner in owners]
        row = {"name": name, "keys": groups}
        letters[_sort(name)[:1].upper()].append(row)
    return [Letter(one, f"keys-{one.lower()}", tuple(rows)) for one, rows in letters.items()]


def _keys(guide: Guide, same: Sequence[Owned], pages: Collection[str], any_framework: str) -> dict[str, Any]:
    """Keys of one name in one glossary."""
    homes = [(guide.page_of_key[owned.id], owned.id) for owned in same]
    labels = [label_of(page, id_) for page, id_ in homes if page in pages]
    return {"ids": [owned.id for owned in same], "owner": _name(guide, same[0].owner, any_framework), "labels": labels}


def _name(guide: Guide, framework: str, any_framework: str) -> str:
    known = guide.catalog.framework.get(framework)
    return known.name if known else any_framework


def _sort(name: str) -> str:
    return name.lstrip("-_").lower().replace("-", "_")


def letters_data(letters: Sequence[Letter], page: str | None) -> list[dict[str, Any]]:
    """For the template; `page` gives the letters the labels that links to the site's page of error texts lead to."""
    return [one.as_data(label_of(page, one.anchor) if page else None) for one in letters]

"""The guide while it is being written: what cannot be read stays as it was."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from fieldguide.content.catalog.load import load_catalog
from fieldguide.content.catalog.store import Catalog, Located
from fieldguide.content.document import Document, parse_document
from fieldguide.content.guide import Guide, load_documents, load_words
from fieldguide.content.problems import ContentError, Problem


def load_anyway(root: Path, last: Guide | None) -> Guide:
    """Read everything below `root`; a file, record or page with a fault is taken from `last`, the guide before the change.

    Returns:
        the guide, with the faults of all its files.

    Raises:
        ContentError: something is so broken that it needs `last`, and there is none.
    """
    faults: list[Problem] = []
    catalog = _catalog(root, last, faults)
    documents = {
        language: {name: _document(root, language, name, pages, faults) for name in pages}
        for language, pages in load_documents(root).items()
    }
    words = _words(root, last, faults)
    return Guide(root, catalog, documents, words, tuple(faults))


def _catalog(root: Path, last: Guide | None, faults: list[Problem]) -> Catalog:
    try:
        catalog, found = load_catalog(root)
    except ContentError as error:
        faults.extend(error.problems)
        if last is None:
            raise
        return last.catalog
    if last and found:
        found = sorted(set(found) - set(catalog.faults()))  # those of the files themselves
        catalog = completed(catalog, last.catalog, {problem.path for problem in found})
        found.extend(catalog.faults())
    faults.extend(found)
    return catalog


def completed(catalog: Catalog, former: Catalog, faulty: Collection[Path]) -> Catalog:
    """The catalog with the records that files with faults had before."""
    found: dict[str, Any] = {"symbols": catalog.symbols or former.symbols, "broken": catalog.broken}
    for name in {field.name for field in fields(catalog)} - set(found):
        found[name] = _restored(getattr(catalog, name), getattr(former, name), faulty)
    return Catalog(**found)


def _restored(now: Sequence[Located[Any]], before: Sequence[Located[Any]], faulty: Collection[Path]) -> Sequence[Located[Any]]:
    known = {_name(item) for item in now}
    lost = [item for item in before if item.path in faulty and _name(item) not in known]
    return sorted([*now, *lost], key=lambda item: (item.path, item.line)) if lost else now


def _name(item: Located[Any]) -> tuple[Path, str]:
    record = item.record
    return item.path, str(getattr(record, "id", None) or getattr(record, "name", None) or record)


def _document(root: Path, language: str, name: str, pages: Mapping[str, Document], faults: list[Problem]) -> Document:
    """A page that is not UTF-8 is read with marks for what cannot be read."""
    try:
        return pages[name]
    except ContentError as error:
        faults.extend(error.problems)
        path = error.problems[0].path
        return parse_document(path, name, language, (root / path).read_text(encoding="utf-8", errors="replace"))


def _words(root: Path, last: Guide | None, faults: list[Problem]) -> Mapping[str, Mapping[str, str]]:
    try:
        return load_words(root)
    except ContentError as error:
        faults.extend(error.problems)
        if last is None:
            raise
        return last.words

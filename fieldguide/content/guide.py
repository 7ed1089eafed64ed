"""The whole guide in memory: catalog, pages of both languages, words of the interface."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml

from fieldguide.content.addresses import FIRST, LANGUAGES
from fieldguide.content.catalog.load import load_catalog, read_once
from fieldguide.content.catalog.store import Catalog, Owned
from fieldguide.content.document import Document, Section, parse_document
from fieldguide.content.edition import Edition, edition
from fieldguide.content.keys import KeyIndex
from fieldguide.content.problems import ContentError, Problem
from fieldguide.content.remembered import Remembered

# Page of a glossary for the keys whose group has no page.
OTHER_KEYS = "other"


@dataclass(frozen=True)
class Guide:
    """Catalog, documents by language and name, interface words by language; `faults` are those of the catalog."""

    root: Path
    catalog: Catalog
    documents: Mapping[str, Mapping[str, Document]]
    words: Mapping[str, Mapping[str, str]]
    faults: tuple[Problem, ...] = ()

    @cached_property
    def keys(self) -> KeyIndex:
        return KeyIndex(self.catalog, self.home_of.keys())

    @cached_property
    def home_of(self) -> dict[str, str]:
        """Heading id → name of the page that has it (the same in every language: parity is checked)."""
        return {id_: doc.name for doc in self.documents[FIRST].values() for id_ in doc.by_id}

    @cached_property
    def page_of_key(self) -> dict[str, str]:
        """Key id → its page: the one with its heading, else its group's, else that of all small groups of the glossary."""
        found = {}
        for owned in self.catalog.owned_keys:
            group = f"glossary/{owned.owner}/{owned.key.group}"
            found[owned.id] = self.home_of.get(owned.id) or (
                group if group in self.documents[FIRST] else f"glossary/{owned.owner}/{OTHER_KEYS}"
            )
        return found

    @cached_property
    def keys_on(self) -> dict[str, list[Owned]]:
        """Page of a glossary → its keys."""
        return self._by_page(self.catalog.owned_keys)

    @cached_property
    def rows_of(self) -> dict[str, list[Owned]]:
        """Page of a glossary → the keys without a heading there: rows of the catalog block `keys <glossary> <group>`."""
        return self._by_page(owned for owned in self.catalog.owned_keys if owned.id not in self.home_of)

    def _by_page(self, keys: Iterable[Owned]) -> dict[str, list[Owned]]:
        found: dict[str, list[Owned]] = defaultdict(list)
        for owned in keys:
            found[self.page_of_key[owned.id]].append(owned)
        return dict(found)

    def entry_document(self, language: str, entry: str) -> Document:
        """The page of an entry."""
        return self.documents[language][self.catalog.page_of(entry)]

    def section(self, language: str, id_: str) -> Section | None:
        """The section that carries an id, or None."""
        home = self.home_of.get(id_)
        document = self.documents[language].get(home) if home else None
        return document.by_id.get(id_) if document else None

    def framework_at(self, document: Document, index: int) -> str | None:
        """Framework of the section at `index`: its own, that of an enclosing heading, or the page's."""
        level = 7
        for section in reversed(document.sections[: index + 1]):
            if section.level >= level:
                continue
            level = section.level
            if owner := self.section_framework(section):
                return owner
        return document.meta.get("framework")

    def section_framework(self, section: Section) -> str | None:
        """Framework that a heading names itself, by `data-fw` or by being an entry or key."""
        if section.framework:
            return section.framework
        if entry := self.catalog.entry.get(section.id):
            return entry.framework
        owned = self.catalog.key_by_id.get(section.id)
        return owned.owner if owned else self.catalog.broken.get(section.id) or None

    @cached_property
    def mentions(self) -> dict[str, list[str]]:
        """Key id → ids of the entries whose text or code names it."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for document in self.documents[FIRST].values():
            entry = document.sections[0].id if document.sections else ""
            if entry in self.catalog.entry:
                for index in range(len(document.sections)):
                    for owned in self._keys_in(document, index):
                        found[owned.id][entry] = None
        return {key: list(entries) for key, entries in found.items()}

    def _keys_in(self, document: Document, index: int) -> list[Owned]:
        section, framework = document.sections[index], self.framework_at(document, index)
        keys = []
        for code in section.codes:
            resolved = None if code.opted_out else self.keys.resolve(code.text, code.framework or framework)
            if isinstance(resolved, Owned):
                keys.append(resolved)
        for fence in section.fences:
            keys.extend(self.keys.in_code(fence.text, framework))
        return keys


def load_guide(root: Path) -> Guide:
    """Read everything below `root`; the same object comes back while no file has changed.

    Raises:
        ContentError: frameworks.yml has faults.
    """
    return _load(root, _fingerprint(root))


def load_sound_guide(root: Path) -> Guide:
    """The same, for what cannot work with records left out.

    Raises:
        ContentError: the catalog has faults.
    """
    guide = load_guide(root)
    if guide.faults:
        raise ContentError(guide.faults)
    return guide


def _content_files(root: Path) -> list[Path]:
    patterns = ("catalog/**/*.yml", "docs/**/*.md", "locales/*.yml")
    return sorted(file for pattern in patterns for file in root.glob(pattern))


def _fingerprint(root: Path) -> tuple[tuple[Path, Edition], ...]:
    return tuple((file, edition(file)) for file in _content_files(root))


@lru_cache(maxsize=2)
def _load(root: Path, _key: object) -> Guide:
    catalog, faults = load_catalog(root)
    return Guide(root, catalog, load_documents(root), load_words(root), tuple(faults))


def load_documents(root: Path) -> dict[str, Mapping[str, Document]]:
    """The pages by language and name."""
    return {language: _Pages(root, language) for language in LANGUAGES}


def load_words(root: Path) -> dict[str, dict[str, str]]:
    """The words of the interface by language and name.

    Raises:
        ContentError: a file of them cannot be read.
    """
    files = {language: root / "locales" / f"{language}.yml" for language in LANGUAGES}
    return {language: _words(root, file, edition(file)) for language, file in files.items()}


@lru_cache(maxsize=len(LANGUAGES))
def _words(root: Path, file: Path, _edition: Edition) -> dict[str, str]:
    path = file.relative_to(root)
    try:
        words = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or error
        raise ContentError([Problem(path, mark.line + 1 if mark else 0, f"cannot be read: {reason}")]) from error
    if not isinstance(words, dict):
        raise ContentError([Problem(path, 1, "must be lines of `name: words`")])
    return words


class _Pages(Mapping[str, Document]):
    """The pages of one language by name, each parsed when it is first asked for: reading a log needs a few of them."""

    def __init__(self, root: Path, language: str) -> None:
        self._root = root
        self._language = language
        base = root / "docs" / language
        self._files = {file.relative_to(base).with_suffix("").as_posix(): file for file in sorted(base.rglob("*.md"))}
        self._parsed: dict[str, Document] = {}

    def __getitem__(self, name: str) -> Document:
        if name not in self._parsed:
            file = self._files[name]
            self._parsed[name] = _document(self._root, file, edition(file), name, self._language)
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@Remembered
def _document(root: Path, file: Path, _edition: Edition, name: str, language: str) -> Document:
    """One page, which is read again when it has changed."""
    path = file.relative_to(root)
    try:
        source = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ContentError([Problem(path, error.object.count(b"\n", 0, error.start) + 1, "not UTF-8")]) from error
    return parse_document(path, name, language, source)


# What reading a guide remembers: nearly all of the time that it takes.
READ: tuple[Remembered[Any], ...] = (_document, read_once)

"""From a key as somebody wrote it to the key it means.

`max_tokens_per_gpu`, `--max-tokens-per-gpu`, `models.policy_trainer.packing`, `packing=True` and `RAY_DEBUG=legacy`
are all ways to write one; which framework is meant follows from where it stands.
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from fieldguide.content.catalog.models import KeyKind
from fieldguide.content.catalog.store import Catalog, Owned
from fieldguide.runtime.guide import SHARED

# A key, then nothing or a value: `a.b=1`, `--flag 8`, `key: value`, `"KEY": "1"`.
_WRITTEN = re.compile(r"^(?:[\"']?((?:--)?[A-Za-z][\w.+*-]*)[\"']?\s*(?:[=:].*)?|(--[a-z][\w.-]*)\s.*)$")
_FLAG = re.compile(r"^--[a-z][a-z0-9]*([-_.][a-z0-9]+)*$")
_ENV = re.compile(r"^[A-Z][A-Z0-9]*(_[A-Za-z0-9]+)+$")
_SNAKE = re.compile(r"^[a-z][\w]*(\.[A-Za-z*][\w]*)*$")
_FILE = re.compile(r"\.(py|md|ya?ml|sh|json|txt|rst|log|pt|toml|cu|cpp|slurm|html|safetensors)$")
_IN_CODE = re.compile(r"--[a-z][\w.-]*\w|[A-Za-z_][\w.]*(?=\s*[:=])|\b[A-Za-z]+_\w+(?:\.\w+)*")


@dataclass(frozen=True)
class Unknown:
    """It reads like a key, but the catalog has none of that name here."""

    text: str
    closest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ambiguous:
    """Several frameworks have it and the place does not say which is meant."""

    text: str
    owners: tuple[str, ...]


def written_name(text: str) -> str | None:
    """The key part of an inline code, or None when it cannot be one.

    >>> written_name("enforce_eager=True"), written_name("--save /ckpt"), written_name("a < b")
    ('enforce_eager', '--save', None)
    """
    match = _WRITTEN.match(text.strip())
    return (match.group(1) or match.group(2)) if match else None


def looks_like_key(name: str) -> bool:
    """Flags, environment variables and snake_case names do; plain words and file names do not."""
    if _FILE.search(name):
        return False
    return bool(_FLAG.match(name) or _ENV.match(name) or (_SNAKE.match(name) and "_" in name))


class KeyIndex:
    """Look-up of keys by every way to write them."""

    def __init__(self, catalog: Catalog, told: Collection[str] | None = None) -> None:
        """Args:
        told: ids of the keys with words of their own; None: all. Of the others, a name that is an everyday word
            (`type`, `path`) counts only as part of a dotted place.
        """
        self._catalog = catalog
        self._told = told

    @cached_property
    def _exact(self) -> dict[str, list[Owned]]:
        index: dict[str, list[Owned]] = defaultdict(list)
        for owned in self._catalog.owned_keys:
            everyday = self._told is not None and owned.id not in self._told and owned.key.kind is KeyKind.YAML
            for spelling in {*_spellings(owned)}:
                if not (everyday and spelling.isalpha()):
                    index[spelling].append(owned)
        return index

    @cached_property
    def _by_last(self) -> dict[str, list[tuple[tuple[str, ...], Owned]]]:
        index: dict[str, list[tuple[tuple[str, ...], Owned]]] = defaultdict(list)
        for owned in self._catalog.owned_keys:
            for path in owned.key.paths:
                segments = tuple(path.split("."))
                index[segments[-1]].append((segments, owned))
        return index

    def resolve(self, text: str, framework: str | None) -> Owned | Unknown | Ambiguous | None:
        """What `text` means in a place that belongs to `framework` (None: to no single one).

        Returns:
            the key; Unknown or Ambiguous when it reads like a key and cannot be resolved; None when it is no key.
        """
        name = written_name(text)
        if name is None:
            return None
        candidates = self._candidates(name)
        chosen = self._choose(candidates, framework)
        if chosen is not None:
            return chosen
        if not looks_like_key(name) or self._declared_otherwise(name, text):
            return None
        if framework is None and len(candidates) > 1:
            return Ambiguous(name, tuple(sorted({owned.owner for owned in candidates})))
        return Unknown(name, tuple(self._closest(name, framework)))

    def is_broken(self, name: str) -> bool:
        """Whether the record of this key has a fault that is reported elsewhere."""
        return name.lstrip("-").replace("-", "_") in self._catalog.broken

    def _declared_otherwise(self, name: str, text: str) -> bool:
        return name in self._catalog.symbols or text in self._catalog.symbols or self.is_broken(name)

    def in_code(self, code: str, framework: str | None) -> list[Owned]:
        """Keys that a code block sets, each once, in order."""
        found: dict[str, Owned] = {}
        for match in _IN_CODE.finditer(code):
            chosen = self._choose(self._candidates(match.group()), framework)
            if chosen is not None:
                found.setdefault(chosen.id, chosen)
        return list(found.values())

    def _candidates(self, name: str) -> list[Owned]:
        exact = self._exact.get(name) or []
        if exact or "." not in name:
            return exact
        written = name.split(".")
        found = [(path, owned) for path, owned in self._by_last.get(written[-1], []) if _ends_with(path, written)]
        found.sort(key=lambda one: "*" in one[0][-len(written) :])  # a place spelled out before one with `*`
        return [owned for _, owned in found]

    def _choose(self, candidates: list[Owned], framework: str | None) -> Owned | None:
        if framework is None:
            return candidates[0] if len({owned.id for owned in candidates}) == 1 else None
        for owner in (self._catalog.glossary_of(framework), SHARED):
            chosen = next((owned for owned in candidates if owned.owner == owner), None)
            if chosen is not None:
                return chosen
        return None

    def _closest(self, name: str, framework: str | None) -> Iterator[str]:
        owner = self._catalog.glossary_of(framework) if framework else None
        known = {
            spelling: keys[0].id
            for spelling, keys in self._exact.items()
            if owner is None or any(owned.owner in (owner, SHARED) for owned in keys)
        }
        close = difflib.get_close_matches(name, sorted(known), n=6, cutoff=0.75)
        once = {known[spelling]: spelling for spelling in reversed(close)}
        yield from [spelling for spelling in close if spelling in once.values()][:2]


def _spellings(owned: Owned) -> Iterator[str]:
    key = owned.key
    yield key.name
    yield key.display
    if key.kind is KeyKind.FLAG:
        yield "--" + key.name
    yield from key.spellings
    yield from key.paths


def _ends_with(path: tuple[str, ...], written: list[str]) -> bool:
    if len(written) > len(path):
        return False
    return all(a in ("*", b) for a, b in zip(path[-len(written) :], written, strict=True))


def resolve_keys(index: KeyIndex, names: tuple[str, ...], framework: str) -> list[Owned]:
    """The keys that these spellings mean in a framework; what is no key is left out.

    In an entry for every framework, a key that several declare means each of theirs.
    """
    found: list[Owned] = []
    for name in names:
        resolved = index.resolve(name, None if framework == SHARED else framework)
        owners = resolved.owners if isinstance(resolved, Ambiguous) else ()
        found += [one for one in (resolved, *(index.resolve(name, owner) for owner in owners)) if isinstance(one, Owned)]
    return found

"""Keys of the frameworks: `keys.json` and `<language>-keys.json`, which `fieldguide.content.whole` writes."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from fieldguide.runtime.guide import SHARED, read_piece
from fieldguide.runtime.nearest import nearest_names
from fieldguide.runtime.rank.keys import bare, last_part


@dataclass(frozen=True)
class Key:
    """A setting of a framework as its source declares it.

    Attributes:
        name: as it is typed; `spellings` are other ways to.
        owner: the framework, or `any` for what several share.
        kind: `yaml`, `flag` or `env`.
        default: source text; None where the source states none.
        paths: dotted places in the YAML; `*` stands for one segment. `later`: those that came after the key, with the release.
        since, removed: releases, the first with it and the first without; empty where not known.
        help: upstream's own words.
        source: the line that declares it, and its address.
        entries: ids of those that list or mention it.
        page: address below the root of the site.
        words: what the glossary says, as Markdown; many keys have none.
    """

    id: str
    name: str
    owner: str
    kind: str
    type: str
    source: tuple[str, str]
    page: str
    default: str | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()
    since: str = ""
    later: Mapping[str, str] = field(default_factory=dict)
    removed: str = ""
    renamed_to: str = ""
    help: str = ""
    entries: tuple[str, ...] = ()
    words: str = ""

    @property
    def written(self) -> Iterator[str]:
        """Every way to write it, without dashes and in small letters."""
        return map(bare, (self.name, *self.spellings, *self.paths))

    def record(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)


@dataclass(frozen=True)
class Keys:
    """All of them, in the order of the catalog."""

    all: tuple[Key, ...]

    @cached_property
    def _by_name(self) -> Mapping[str, list[Key]]:
        found: dict[str, list[Key]] = {}
        for key in self.all:
            for name in dict.fromkeys(key.written):
                found.setdefault(name, []).append(key)
        return found

    def named(self, written: str, framework: str | None = None) -> list[Key]:
        """The keys that somebody means by a name, a flag, a dotted place or the end of one, also with a value behind it; those
        of the very name come first.

        Args:
            framework: whose keys count, with those that several share; None: all.
        """
        name = bare(written.partition("=")[0])
        found = self._by_name.get(name) or self._ending(name)
        meant = (key for key in found if framework is None or key.owner in (framework, SHARED))
        return sorted(meant, key=lambda key: bare(key.name) != name)

    def _ending(self, name: str) -> list[Key]:
        """Keys with a place that a dotted name is the end of, or that it ends in, as Hydra's overrides do."""
        if "." not in name:
            return []
        return [key for key in self._by_name.get(last_part(name), ()) if any(_ends(bare(path), name) for path in key.paths)]

    def nearest(self, written: str, framework: str | None = None, most: int = 3) -> list[str]:
        """Names of the keys that are spelled most like one that is not known."""
        among = {bare(key.name): key.name for key in self.all if framework is None or key.owner in (framework, SHARED)}
        name = last_part(bare(written.partition("=")[0]))
        return [among[one] for one in nearest_names(name, among, most)]


def _ends(path: str, name: str) -> bool:
    """Whether a dotted name is the end of a place.

    >>> _ends("*.strategy_config.tp", "actor_train.strategy_config.tp"), _ends("a.b.c", "b.c"), _ends("a.b.c", "x.c")
    (True, True, False)
    """
    place, written = path.split("."), name.split(".")
    same = zip(reversed(place), reversed(written), strict=False)
    return len(written) <= len(place) and all(one in ("*", other) for one, other in same)


def read_keys(folder: Path, language: str) -> Keys:
    """Read `keys.json` and `<language>-keys.json`.

    Raises:
        FormatError: one has another structure.
        OSError: there is none.
    """
    data, words = (read_piece(folder, name) for name in ("keys", f"{language}-keys"))
    return Keys(tuple(_key(record, words) for record in data["keys"]))


def _key(record: Mapping[str, Any], words: Mapping[str, Any]) -> Key:
    made: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}
    made |= {"page": words["prefix"] + record["page"], "words": words["words"].get(record["id"], "")}
    return Key(**made)

"""Entries whole: `<language>-entries.json`, which `fieldguide.content.whole` writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fieldguide.runtime.guide import read_piece


@dataclass(frozen=True)
class Entry:
    """An entry from its title to its sources as `markdown`; `checked` is what it was checked against."""

    framework: str
    checked: str
    markdown: str


@dataclass(frozen=True)
class Entries:
    """The entries of a language by id; `aliases` are former ids."""

    by_id: Mapping[str, Entry]
    aliases: Mapping[str, str]

    def id_of(self, written: str) -> str | None:
        """The id that somebody wrote, also a former one, or as the end of an address; None if there is none.

        >>> Entries({"slime-oom": Entry("slime", "", "")}, {"slime-mem": "slime-oom"}).id_of("/e/slime-mem/")
        'slime-oom'
        """
        name = written.strip().rstrip("/").rpartition("/")[2].lower()
        name = self.aliases.get(name, name)
        return name if name in self.by_id else None


def read_entries(folder: Path, language: str) -> Entries:
    """Read `<language>-entries.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    data = read_piece(folder, f"{language}-entries")
    return Entries({id_: Entry(*row) for id_, row in data["entries"].items()}, data["aliases"])

"""What an extractor hands back."""

from dataclasses import dataclass

from fieldguide.content.catalog.models import KeyKind


@dataclass(frozen=True)
class Declared:
    """One declaration of one key.

    Attributes:
        name: as the code spells it, a flag without dashes and with underscores.
        type: as the source writes it; `flag` for a switch without value; empty when the declaration does not say.
        default: source text; None when none is stated.
        help: upstream's own words.
        declared: class, parser function or YAML file that declares it.
        paths: dotted places in the YAML, `*` for one segment.
        spellings: other ways to write it.
        reset: it only changes the default of a flag that a library declares.
        path, line, contains: where, and text that stands on that line.
    """

    name: str
    kind: KeyKind
    type: str
    default: str | None
    required: bool
    choices: tuple[str, ...]
    help: str | None
    declared: str
    paths: tuple[str, ...]
    spellings: tuple[str, ...]
    path: str
    line: int
    contains: str
    reset: bool = False

    @property
    def tokens(self) -> frozenset[str]:
        """What stays the same from version to version: the dotted places; without any, declarer and name."""
        if self.kind is KeyKind.FLAG:
            return frozenset({f"--{self.name}"})
        return frozenset(self.paths) or frozenset({f"{self.declared}:{self.name}"})


@dataclass(frozen=True)
class Extraction:
    """All declarations of one revision, and what kept others from being read.

    Attributes:
        files: files that were read.
        problems: `path:line: reason`, or what was looked for and not there.
        absent: classes that a configuration starts with today and that are not there.
    """

    declared: tuple[Declared, ...] = ()
    files: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def one_line(text: str) -> str:
    """White space collapsed.

    >>> one_line(" a\\n   b ")
    'a b'
    """
    return " ".join(text.split())


def shown(line: str) -> str:
    """What of a source line is kept to find it again."""
    return line.strip()[:80].rstrip()

"""Cases of `cases.yml`, transcripts of their runs, and what a transcript has to show."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from fieldguide.content.catalog.models import Signature
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.compile import lookup_guide
from fieldguide.content.signature import signature_regex
from fieldguide.runtime.dialect import expression
from fieldguide.runtime.match import find, in_one_line

HERE = Path(__file__).resolve().parent
TRANSCRIPTS = HERE / "transcripts"
# Packages that have another name than their repository in the catalog.
PACKAGES = {"megatron": "megatron-core"}


@dataclass(frozen=True)
class Case:
    """A program that brings an error about.

    Attributes:
        program: file in `programs/`.
        entries: ids of those that explain what it prints; several when they share the text.
        sets: package sets it runs with, files in `sets/`.
        varies: words of signatures that one version prints in some runs only, or for other causes too.
    """

    program: str
    entries: tuple[str, ...]
    sets: tuple[str, ...]
    varies: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return Path(self.program).stem

    def may_vary(self, signature: Signature) -> bool:
        return any(words in signature.text for words in self.varies)

    def transcript(self, set_name: str) -> Path:
        return TRANSCRIPTS / f"{self.name}-{set_name}.txt"


@dataclass(frozen=True)
class Reason:
    """Why some signatures are not reproduced: all of some repositories, or those with certain words in them."""

    why: str
    of: tuple[str, ...] = ()
    containing: tuple[str, ...] = ()

    def covers(self, signature: Signature) -> bool:
        return (not self.of or signature.of in self.of) and (
            not self.containing or any(words in signature.text for words in self.containing)
        )


@dataclass(frozen=True)
class Manifest:
    """The whole of `cases.yml`."""

    cases: tuple[Case, ...]
    not_reproduced: tuple[Reason, ...]


@dataclass(frozen=True)
class Transcript:
    """What a program printed, and with which versions.

    Attributes:
        head: lines before the text, each a `# name: value`.
    """

    head: dict[str, str]
    text: str

    @cached_property
    def versions(self) -> dict[str, str]:
        return dict(pair.rsplit(" ", 1) for pair in self.head["versions"].split(", "))  # type: ignore[misc]

    def written(self) -> str:
        return "".join(f"# {name}: {value}\n" for name, value in self.head.items()) + "\n" + self.text


def load_manifest() -> Manifest:
    """Read `cases.yml`; an unknown or missing field is a TypeError."""
    data = yaml.safe_load((HERE / "cases.yml").read_text(encoding="utf-8"))
    return Manifest(
        tuple(Case(**_frozen(case)) for case in data["cases"]),
        tuple(Reason(**_frozen(reason)) for reason in data["not_reproduced"]),
    )


def _frozen(record: dict[str, Any]) -> dict[str, Any]:
    """Lists as tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def read_transcript(path: Path) -> Transcript:
    """A recorded run."""
    head, _, text = path.read_text(encoding="utf-8").partition("\n\n")
    return Transcript(dict(line.removeprefix("# ").split(": ", 1) for line in head.splitlines()), text)  # type: ignore[misc]


def numbers(version: str) -> tuple[int, ...]:
    """`core_v0.12.3` → (0, 12, 3)."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def version_of(signature: Signature, transcript: Transcript) -> str:
    """Version of the program that prints the signature; empty if the run has none of it."""
    return transcript.versions.get(PACKAGES.get(signature.of, signature.of), "")


def holds_for(signature: Signature, version: str) -> bool:
    """Whether this version is one that the catalog gives for the wording."""
    found, since, until = numbers(version), numbers(signature.since or ""), numbers(signature.until or "")
    return not found or (since <= found and (not until or found[: len(until)] <= until))


class Judge:
    """Looks at transcripts with the matcher that readers use."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._guide = lookup_guide(catalog)

    def matched(self, entry: str, text: str) -> list[Signature]:
        """Signatures of the entry that stand in the text, over line ends too, as the scanner looks for them."""
        cleaned = self._guide.cleaned(text)
        known = {signature_regex(one.text): one for one in self._catalog.signatures_of[entry]}
        return [one for pattern, one in known.items() if expression(pattern).search(cleaned)]

    def first(self, text: str, framework: str | None = None) -> str | None:
        """Entry that a text is answered with, in the log of a framework if one is given; `any` has none."""
        hint = f"{self._catalog.framework[framework].hints[0]}\n" if framework in self._catalog.framework else ""
        found = find(in_one_line(hint + text), self._guide)
        return found[0].signature.entry if found else None

    def problems(self, case: Case, text: str) -> Iterator[str]:
        """What is wrong with what a program printed."""
        for entry in case.entries:
            if not (found := self.matched(entry, text)):
                yield f"no signature of {entry} matches"
                continue
            framework = self._catalog.entry[entry].framework
            if framework in self._catalog.framework and (first := self.first(text, framework)) != entry:
                yield f"in a log of {framework} it leads to {first} and not to {entry}"
            if not all(signature.generic for signature in found) and (first := self.first(text)) not in case.entries:
                yield f"it leads to {first} and not to {' or '.join(case.entries)}"

    def version_problems(self, case: Case, runs: Sequence[Transcript]) -> Iterator[str]:
        """A wording that one version prints must be printed by just those versions for which the catalog says so."""
        for entry in case.entries:
            matched = [(run, self.matched(entry, run.text)) for run in runs]
            for signature in dict.fromkeys(found for _, signatures in matched for found in signatures):
                if case.may_vary(signature):
                    continue
                by_version: dict[str, list[bool]] = {}
                for run, signatures in matched:
                    by_version.setdefault(version_of(signature, run), []).append(signature in signatures)
                for version, printed in by_version.items():
                    if any(printed) != holds_for(signature, version):
                        does = "prints" if any(printed) else "does not print"
                        yield f"{signature.of} {version} {does} {signature.text!r} ({signature.since} to {signature.until})"

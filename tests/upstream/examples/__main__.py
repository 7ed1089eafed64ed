"""What `check` makes of everything that the frameworks ship.

    python -m tests.upstream.examples path/to/clones [--list KIND]

A clone is `owner+name`, `owner+name/repo` or `name` in that folder. A table comes out, one line for each framework and
release; `--list alarm` (or open, other, unread) names the files of that kind. Exit code 1 when an alarm is not among those
known to be upstream's own fault (`faults.yml`), or less than 95 of 100 files with batch settings are read.
"""

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from fieldguide.content.catalog.models import Framework
from fieldguide.content.compile import lookup_guide
from fieldguide.content.guide import load_guide
from fieldguide.runtime.calculate.beside import beside
from fieldguide.runtime.calculate.judge import judge
from fieldguide.runtime.calculate.settings import SettingsError
from fieldguide.runtime.guide import Guide
from tests.upstream.examples.batch import sets_batches

ROOT = Path(__file__).resolve().parents[3]
FAULTS = Path(__file__).parent / "faults.yml"
FOLDERS = ("examples", "scripts", "template")
KINDS = (".sh", ".slurm", ".yaml", ".yml")
RELEASES = 3
LEAST = 0.95
COLUMNS = ("files", "batch", "read", "fine", "alarm", "open", "other", "unread")


@dataclass(frozen=True)
class Seen:
    """What became of one file.

    Attributes:
        kind: fine, alarm, open, other (a program that the rules are not about) or unread.
        batch: whether it sets batch sizes.
        read: whether some of those were taken.
        said: what fires, what is open, or why nothing was read.
    """

    path: str
    kind: str
    batch: bool
    read: bool
    said: str


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="tests.upstream.examples", description=__doc__.splitlines()[0])
    parser.add_argument("clones", type=Path)
    parser.add_argument("--list", action="append", default=[], choices=COLUMNS[3:], help="name the files of a kind")
    options = parser.parse_args(arguments)
    catalog = load_guide(ROOT).catalog
    guide, wrong = lookup_guide(catalog), False
    known = faults()
    print("| framework | release | " + " | ".join(COLUMNS) + " | read of batch |\n|" + "---|" * (len(COLUMNS) + 3))
    for framework in catalog.framework.values():
        clone = clone_of(options.clones, framework.repository)
        for release, revision in revisions(framework) if clone else ():
            seen = [*look(guide, framework, release, clone, revision)] if clone else []
            print(row(framework, release, seen), flush=True)
            for one in seen:
                if one.kind in options.list:
                    print(f"    {one.kind}: {one.path}: {one.said}")
            wrong |= any(one.kind == "alarm" and (framework.id, release, one.path) not in known for one in seen)
            wrong |= framework.id in guide.definitions and share(seen) < LEAST
    return int(wrong)


def faults() -> set[tuple[str, str, str]]:
    """Framework, release and path of each alarm that is right."""
    listed = yaml.safe_load(FAULTS.read_text(encoding="utf-8"))["faults"]
    return {(one["framework"], release, path) for one in listed for release in one["releases"] for path in one["paths"]}


def clone_of(folder: Path, repository: str) -> Path | None:
    """The clone of `owner/name`; None when there is none."""
    name = repository.replace("/", "+")
    places = (folder / name / "repo", folder / name, folder / repository.rpartition("/")[2])
    return next((one for one in places if one.is_dir()), None)


def revisions(framework: Framework) -> list[tuple[str, str]]:
    """Releases by their tags, and the commit that was checked. Archives of the package index leave the examples out."""
    tags = [(one.tag, one.tag) for one in framework.releases if one.commit][-RELEASES:]
    return [*tags, (f"{(framework.commit or '')[:7]}", framework.commit or "")]


def look(guide: Guide, framework: Framework, release: str, clone: Path, revision: str) -> Iterator[Seen]:
    """Every file of a revision."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        unpack(clone, revision, root)
        for file in sorted(root.rglob("*")):
            if file.suffix in KINDS and file.is_file():
                yield look_at(guide, framework, release, root, file)


def unpack(clone: Path, revision: str, root: Path) -> None:
    """The folders of a revision as files."""
    listed = subprocess.run(["git", "ls-tree", "--name-only", revision], cwd=clone, check=True, capture_output=True, text=True)
    wanted = [name for name in FOLDERS if name in listed.stdout.split()]
    made = subprocess.run(["git", "archive", revision, *wanted], cwd=clone, check=True, capture_output=True)
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(root, filter="data")


def look_at(guide: Guide, framework: Framework, release: str, root: Path, file: Path) -> Seen:
    """One file, judged by the rules of its release."""
    path = file.relative_to(root).as_posix()
    text = file.read_text(encoding="utf-8", errors="replace")
    batch = sets_batches(text)
    definition = guide.definitions.get(framework.id)
    tag = release if definition and release in definition.versions else None
    try:
        made = judge(guide, text, {}, release=tag, sources=beside(file))
    except SettingsError as error:
        return Seen(path, "unread", batch, False, error.problem)
    read = any("batch_size" in name or "sample_per" in name for name in made.settings.fields)
    if made.outcome.first:
        return Seen(
            path, "alarm", batch, read, f"{made.outcome.first.rule}: {made.outcome.first.text or made.outcome.first.formula}"
        )
    if not made.is_judged:
        return Seen(path, "other", batch, True, made.program or "")
    if made.problems or made.lacks:
        said = ", ".join([*made.problems, *(f"{name}={made.settings.fields.get(name)}" for name in made.lacks)])
        return Seen(path, "open", batch, read, f"{made.definition.framework}: {said}; {', '.join(made.missing)}")
    return Seen(path, "fine", batch, read, made.definition.framework)


def share(seen: list[Seen]) -> float:
    """How many of the files with batch settings were read."""
    batch = [one for one in seen if one.batch]
    return sum(one.read for one in batch) / len(batch) if batch else 1


def row(framework: Framework, release: str, seen: list[Seen]) -> str:
    """One line of the table."""
    kinds = Counter(one.kind for one in seen)
    counts = [len(seen), sum(one.batch for one in seen), sum(one.batch and one.read for one in seen)]
    cells = [framework.name, release, *map(str, counts), *(str(kinds[kind]) for kind in COLUMNS[3:]), f"{share(seen):.0%}"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

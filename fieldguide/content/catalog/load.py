"""Read `catalog/` into typed records, with every fault reported at its file and line."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.catalog.models import (
    Bug,
    Built,
    Calculator,
    Change,
    Cleaning,
    Command,
    Concept,
    Diagram,
    Entry,
    Framework,
    Grammar,
    Key,
    Mask,
    Model,
    Need,
    Newest,
    Pair,
    Program,
    Reading,
    Refused,
    Release,
    Repository,
    Rule,
    RunReading,
    Shorthand,
    Synonyms,
    Tracked,
)
from fieldguide.content.catalog.models.words import TEXTS
from fieldguide.content.catalog.store import Catalog, Located
from fieldguide.content.edition import Edition, edition
from fieldguide.content.problems import ContentError, Problem
from fieldguide.content.remembered import Remembered

# The C parser is several times faster; wheels of PyYAML carry it, a source build may not.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=Repository)

# Instead of the name of a list: the file is one record, such as an entry.
ALONE = ""


def load_catalog(root: Path) -> tuple[Catalog, list[Problem]]:
    """Read the whole catalog below `root`/catalog.

    Returns:
        the records that are sound, and every fault of every file. Records with a fault are remembered by id, so that
        later checks neither miss what else is wrong nor report what only follows from the fault.

    Raises:
        ContentError: frameworks.yml has faults; nothing else can be judged without it.
    """
    problems: list[Problem] = []
    broken: dict[str, str] = {}
    base = root / "catalog"

    def read(files: Sequence[Path], field: str, model: type[M]) -> list[Located[M]]:
        found: list[Located[M]] = []
        for file in files:
            records, faults, lost = read_once(root, file, edition(file), field, model)
            found.extend(records)
            problems.extend(faults)
            broken.update(lost)
        return found

    frameworks = read([base / "frameworks.yml"], "frameworks", Framework)
    libraries = read([base / "frameworks.yml"], "libraries", Repository)
    if problems:
        raise ContentError(problems)

    def released(known: Sequence[Located[R]]) -> list[Located[R]]:
        """Repositories with the releases that `catalog/releases/` has of them."""
        found = []
        for one in known:
            file = base / "releases" / f"{one.record.id}.yml"
            releases = (
                tuple(item.record for item in read([file], "releases", Release)) if file.exists() else one.record.releases
            )
            found.append(replace(one, record=one.record.model_copy(update={"releases": releases})))
        return found

    def existing(name: str) -> list[Path]:
        return [base / name] if (base / name).exists() else []

    checks = [base / "checks.yml"] if (base / "checks.yml").exists() else []
    catalog = Catalog(
        frameworks=released(frameworks),
        libraries=released(libraries),
        programs=read([base / "frameworks.yml"], "programs", Program),
        entries=read(sorted((base / "entries").rglob("*.yml")), ALONE, Entry),
        keys=read(sorted((base / "keys").glob("*.yml")), "keys", Key),
        rules=read(sorted((base / "rules").glob("*.yml")), "rules", Rule),
        calculators=read(sorted((base / "calculators").glob("*.yml")), "calculators", Calculator),
        diagrams=read([base / "diagrams.yml"], "diagrams", Diagram) if (base / "diagrams.yml").exists() else [],
        concepts=read([base / "concepts.yml"], "concepts", Concept),
        cleaning=read([base / "cleaning.yml"], "cleaning", Cleaning),
        places=read([base / "cleaning.yml"], "places", Cleaning),
        settings=read([base / "cleaning.yml"], "settings", Cleaning),
        masks=read([base / "masks.yml"], "masks", Mask),
        shorthand=read([base / "masks.yml"], "shorthand", Shorthand),
        grammar=read([base / "grammar.yml"], ALONE, Grammar),
        scan=read([base / "scan.yml"], ALONE, Reading),
        run=read(existing("run.yml"), ALONE, RunReading),
        synonyms=read([base / "synonyms.yml"], "synonyms", Synonyms),
        newest=read(checks, "repositories", Newest),
        changes=read(checks, "changes", Change),
        destroying=read([base / "commands.yml"], "destroys", Command) if (base / "commands.yml").exists() else [],
        tracked=read(existing("packages.yml"), "packages", Tracked),
        versions=read(sorted((base / "versions").glob("*.yml")), "releases", Built),
        needs=read(existing("needs.yml"), "needs", Need),
        pairs=read(existing("pairs.yml"), "pairs", Pair),
        bugs=read(sorted((base / "bugs").glob("*.yml")), "bugs", Bug),
        refused=read(sorted((base / "bugs" / "refused").glob("*.yml")), "refused", Refused),
        symbols=_read_symbols(root, base / "symbols.yml", problems),
        broken=broken,
    )
    problems.extend(catalog.faults())
    return catalog, problems


@Remembered
def read_once(
    root: Path, file: Path, _edition: Edition, field: str, model: type[M]
) -> tuple[tuple[Located[M], ...], tuple[Problem, ...], dict[str, str]]:
    """Records, faults and broken ids of one file, which is read again when it has changed."""
    problems: list[Problem] = []
    broken: dict[str, str] = {}
    return tuple(_read_file(root, file, field, model, problems, broken)), tuple(problems), broken


def _read_file(
    root: Path, file: Path, field: str, model: type[M], problems: list[Problem], broken: dict[str, str]
) -> Iterator[Located[M]]:
    place = file.relative_to(root)
    if field == ALONE and place.parts[1] == "entries" and len(place.parts) != len(("catalog", "entries", "topic", "id.yml")):
        problems.append(Problem(place, 1, "an entry's file is catalog/entries/<topic>/<id>.yml"))
        broken[file.stem] = ""
        return
    node = _compose(root, file, problems)
    if node is None:
        if field == ALONE:
            broken[file.stem] = ""  # the entry that the file is named after
        return
    if field == ALONE:
        yield from _record(place, node, model, problems, broken)
        return
    items = _child(node, field)
    if items is None or not isinstance(items, yaml.SequenceNode):
        problems.append(Problem(place, node.start_mark.line + 1, f"needs a list named {field!r}"))
        return
    for item in items.value:
        yield from _record(place, item, model, problems, broken)


def _record(
    place: Path, node: yaml.Node, model: type[M], problems: list[Problem], broken: dict[str, str]
) -> Iterator[Located[M]]:
    data = _construct(node)
    try:
        yield Located(TypeAdapter(model).validate_python(data), place, node.start_mark.line + 1)
    except ValidationError as error:
        if isinstance(data, dict):
            broken[str(data.get("id") or data.get("name"))] = str(data.get("framework", ""))
        problems.extend(Problem(place, _line_of(node, fault["loc"]), _describe(model, fault)) for fault in _faults(error))


def _faults(error: ValidationError) -> Iterator[dict[str, Any]]:
    """Faults at the places of the file, without the "too short" of a list whose only fault is in its items."""
    faults: list[dict[str, Any]] = [
        {**fault, "loc": tuple(part for part in fault["loc"] if part != TEXTS)} for fault in error.errors()
    ]
    for fault in faults:
        inner = any(other["loc"][: len(fault["loc"])] == fault["loc"] and other is not fault for other in faults)
        if fault["type"] != "too_short" or not inner:
            yield fault


def _describe(model: type[Model], fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden" and len(fault["loc"]) == 1:
        known = {*model.model_fields, *(LANGUAGES if TEXTS in model.model_fields else ())} - {TEXTS}
        message = f"unknown field (known: {', '.join(sorted(known))})"
    return f"{model.__name__.lower()} field {where!r}: {message}" if where else message


def _compose(root: Path, file: Path, problems: list[Problem]) -> yaml.MappingNode | None:
    place = file.relative_to(root)
    try:
        node = yaml.compose(file.read_text(encoding="utf-8"), Loader=_Loader)
    except FileNotFoundError:
        problems.append(Problem(place, 0, "file is missing"))
        return None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        problems.append(Problem(place, mark.line + 1 if mark else 0, f"not valid YAML: {reason}"))
        return None
    if not isinstance(node, yaml.MappingNode):
        problems.append(Problem(place, 1, "must be a mapping at the top"))
        return None
    problems.extend(_duplicate_fields(place, node))
    return node


def _duplicate_fields(place: Path, node: yaml.Node) -> Iterator[Problem]:
    """YAML parsers keep the last of two equal fields in silence; here that is a fault."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield Problem(place, key.start_mark.line + 1, f"field {key.value!r} stands twice")
            seen.add(key.value)
            yield from _duplicate_fields(place, value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _duplicate_fields(place, value)


def _construct(node: yaml.Node) -> Any:
    return yaml.constructor.SafeConstructor().construct_document(node)


def _child(node: yaml.Node, part: object) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        item: yaml.Node = node.value[part]
        return item
    return None


def _line_of(node: yaml.Node, loc: Sequence[object]) -> int:
    """Line of the deepest part of `loc` that exists; for a mapping value, the line of its key."""
    line = node.start_mark.line + 1
    for part in loc:
        if isinstance(node, yaml.MappingNode):
            line = next((key.start_mark.line + 1 for key, _ in node.value if key.value == str(part)), line)
        child = _child(node, part)
        if child is None:
            break
        if isinstance(node, yaml.SequenceNode):
            line = child.start_mark.line + 1
        node = child
    return line


def _read_symbols(root: Path, file: Path, problems: list[Problem]) -> frozenset[str]:
    """Names that look like keys but are not: functions, metrics, file names, values."""
    node = _compose(root, file, problems)
    if node is None:
        return frozenset()
    data = _construct(node)
    return frozenset(str(name) for names in data.values() for name in names)

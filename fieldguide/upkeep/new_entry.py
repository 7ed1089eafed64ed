"""`make new-entry`: asks four questions and writes a stub of an entry - catalog record and a page per language.

What the author has to write stands in the stub behind `FILL IN:`; `checks.stubs` refuses it until it is gone.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.catalog.models import ID_PATTERN, Entry
from fieldguide.content.checks.stubs import MARK
from fieldguide.content.compile import lookup_guide
from fieldguide.content.guide import Guide
from fieldguide.content.signature import SignatureError, display_signature, parse_signature
from fieldguide.runtime.guide import SHARED
from fieldguide.runtime.match import find

_SHORTEST = 3


class DraftError(ValueError):
    """An answer that cannot be used; the message names the question."""


@dataclass(frozen=True)
class Draft:
    """The answers.

    Attributes:
        framework: id of a framework, or `any`.
        id: of the new entry.
        topic: folder below `topics/` it goes to.
        printed_by: repository that prints the error: the framework itself unless it is `any`.
        error: text of the error as a signature; empty for a how-to.
    """

    framework: str
    id: str
    topic: str
    printed_by: str
    error: str


def ask(guide: Guide, given: Mapping[str, str | None], read: Callable[[str], str]) -> Draft:
    """Take the answers that are given and ask for the others, again until they can be used.

    Args:
        read: prints a prompt and returns a line, as `input` does.

    Raises:
        DraftError: a given answer cannot be used, or the input ends before every question has its answer.
    """
    answers: dict[str, str] = {}
    for name in ("framework", "id", "topic", "printed_by", "error"):
        if name == "printed_by" and answers["framework"] != SHARED:
            answers[name] = given.get(name) or answers["framework"]
        else:
            answers[name] = _answer(guide, name, given.get(name), answers, read)
    return Draft(**answers)


def _answer(guide: Guide, name: str, given: str | None, answers: Mapping[str, str], read: Callable[[str], str]) -> str:
    while True:
        try:
            value = _tidy(name, read(_prompt(guide, name, answers)) if given is None else given)
        except EOFError:
            raise DraftError(f"{name}: no answer") from None
        fault = _fault(guide, name, value, answers)
        if not fault:
            return value
        if given is not None:
            raise DraftError(f"{name}: {fault}")
        print(f"  {fault}")


def _tidy(name: str, value: str) -> str:
    """An answer without the white space around it; an error as one line, as signatures are written."""
    value = " ".join(value.split())
    return value.removeprefix("AssertionError: ") if name == "error" else value


def _prompt(guide: Guide, name: str, answers: Mapping[str, str]) -> str:
    match name:
        case "framework":
            return f"Framework ({', '.join([*guide.catalog.framework, SHARED])}): "
        case "id":
            return f"Id, for ever ({_prefix(guide, answers['framework'])}-…): "
        case "topic":
            return f"Topic ({', '.join(_topics(guide))}): "
        case "printed_by":
            return f"Printed by ({', '.join(guide.catalog.repository)}): "
        case _:
            return "Error, one line, with {int}, {num}, {word}, {path} or {any} for what changes (empty: a how-to): "


def _fault(guide: Guide, name: str, value: str, answers: Mapping[str, str]) -> str | None:
    """Why an answer cannot be used; None when it can."""
    match name:
        case "framework":
            return _one_of(value, [*guide.catalog.framework, SHARED])
        case "id":
            return _id_fault(guide, value, _prefix(guide, answers["framework"]))
        case "topic":
            return _one_of(value, _topics(guide))
        case "printed_by":
            return _one_of(value, [*guide.catalog.repository])
        case _:
            return _error_fault(guide, value, answers["printed_by"])


def _one_of(value: str, known: list[str]) -> str | None:
    return None if value in known else f"{value!r} is none of {', '.join(known)}"


def _prefix(guide: Guide, framework: str) -> str:
    return guide.catalog.framework[framework].prefix if framework in guide.catalog.framework else SHARED


def _topics(guide: Guide) -> list[str]:
    """Topics that both languages have."""
    pages = set.intersection(*(set(guide.documents[language]) for language in LANGUAGES))
    return sorted(found.group(1) for page in pages if (found := re.fullmatch("topics/([^/]+)/index", page)))


def _id_fault(guide: Guide, value: str, prefix: str) -> str | None:
    if not re.match(ID_PATTERN, value):
        return f"{value!r} is no id: small letters, digits and single hyphens"
    if not value.startswith(f"{prefix}-"):
        return f"the id must start with {prefix}-"
    catalog = guide.catalog
    if value in catalog.entry or value in catalog.broken or value in catalog.aliases or value in catalog.key_by_id:
        return f"{value!r} is taken by an entry or a key"
    home = guide.home_of.get(value)
    return f"{value!r} is taken by a heading of {home}.md" if home else None


def _error_fault(guide: Guide, value: str, printed_by: str) -> str | None:
    if not value:
        return None
    if len(value) < _SHORTEST:
        return "too short: half of all tracebacks contain it; take the code line with it"
    try:
        parse_signature(value)
    except SignatureError as error:
        return str(error)
    for entry in guide.catalog.entry.values():
        if any((signature.text, signature.of) == (value, printed_by) for signature in entry.signatures):
            return f"entry {entry.id} has this error; add to its answer"
    return None


def known_for(guide: Guide, draft: Draft) -> list[str]:
    """Entries that the guide finds for the error already."""
    sample = "".join("1" if piece.placeholder else piece.text for piece in parse_signature(draft.error))
    return [match.signature.entry for match in find(sample, lookup_guide(guide.catalog))]


def pinned_source(guide: Guide, draft: Draft) -> str:
    """Where the cited lines have to stand: repository and commit, or package and version."""
    repository = guide.catalog.repository[draft.printed_by]
    place = repository.repository or repository.name
    return f"{place} at {repository.commit[:10]}" if repository.commit else f"{place} {repository.version}"


def write_stub(guide: Guide, draft: Draft) -> list[Path]:
    """Write the record and a page per language, each a file of its own; when one cannot be written none is.

    Returns:
        the files.

    Raises:
        OSError: a file cannot be written, or is there already.
    """
    record = Path("catalog/entries") / draft.topic / f"{draft.id}.yml"
    texts = {record: _record(draft)}
    for language in LANGUAGES:
        texts[Path("docs") / language / "topics" / draft.topic / f"{draft.id}.md"] = _page(guide, language, draft)
    Entry.model_validate(yaml.safe_load(texts[record]))
    _write(guide.root, texts)
    return list(texts)


def _write(root: Path, texts: Mapping[Path, str]) -> None:
    made: list[Path] = []
    try:
        for path, text in texts.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8") as stream:
                made.append(file)
                stream.write(text)
    except OSError:
        for file in made:
            file.unlink(missing_ok=True)
        raise


def _record(draft: Draft) -> str:
    lines = [
        f"id: {draft.id}",
        f"framework: {draft.framework}",
        f"kind: {'error' if draft.error else 'howto'}",
        "status: holds",
    ]
    if draft.error:
        text = json.dumps(draft.error, ensure_ascii=False)  # JSON's quotes and escapes are YAML's too
        lines += ["signatures:", f"  - {{text: {text}, of: {draft.printed_by}}}"]
    path, contains = f"{MARK} file in the repository", f"{MARK} text of the cited line; add line: and its number"
    lines += ["sources:", f'  - {{repo: {draft.printed_by}, path: "{path}", contains: "{contains}"}}']
    return "\n".join(lines) + "\n"


def _page(guide: Guide, language: str, draft: Draft) -> str:
    words = guide.words[language]
    title = _escaped(display_signature(draft.error)) if draft.error else f"{MARK} {words['stub_title']}"
    parts = ("fix", "cost", "confirm", "why") if draft.error else ("answer",)
    paragraphs = [f"**{words[f'label_{part}']}**{words['label_after']}{MARK} {words[f'stub_{part}']}" for part in parts]
    head = f'---\nshort: "{MARK} {words["stub_short"]}"\n---\n# {title} {{ #{draft.id} }}'
    return "\n\n".join([head, *paragraphs]) + "\n"


def _escaped(text: str) -> str:
    """Text as Markdown that shows it unchanged in a heading."""
    return re.sub(r"<(?=[A-Za-z/!])", "&lt;", re.sub(r"([\\`*_\[\]{}])", r"\\\1", text))

"""What is asked for by name or in words, as a terminal shows it and as records for programs: entries, keys, search."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fieldguide.runtime.about import About
from fieldguide.runtime.entries import Entries
from fieldguide.runtime.explain import BOLD, DIM, RESET
from fieldguide.runtime.guide import SHARED, Answers, Guide
from fieldguide.runtime.keys import Key
from fieldguide.runtime.nearest import nearest_names
from fieldguide.runtime.rank.answer import search
from fieldguide.runtime.rank.finder import BUG_ID, Finder


@dataclass(frozen=True)
class Whole:
    """An entry or a known bug.

    Attributes:
        checked: what an entry was checked against; of a bug, which releases have it.
        markdown: from title to sources.
    """

    id: str
    title: str
    short: str
    checked: str
    page: str
    markdown: str


def whole(written: str, entries: Entries, answers: Answers, about: About) -> Whole | None:
    """The entry that somebody names, or the row of the bug ledger; None if there is none."""
    if id_ := entries.id_of(written):
        entry, answer = entries.by_id[id_], answers.entries[id_]
        return Whole(id_, answer.title, answer.short, entry.checked, about.page(answer.page), entry.markdown)
    bug = written.strip().removeprefix(BUG_ID)
    if bug in answers.entries:
        answer = answers.entries[bug]
        text = f"# {answer.title}\n\n{answer.short}\n\n{answer.fix}\n"
        return Whole(bug, answer.title, answer.short, answer.short, about.page(answer.page), text)
    return None


def nearest_ids(written: str, answers: Answers) -> list[str]:
    """Ids of entries and known bugs that are spelled most like one that there is not."""
    return nearest_names(written.strip().lower(), answers.entries)


@dataclass(frozen=True)
class Row:
    """A result of a search; `exact`: the text is this entry's error, and the entry applies."""

    id: str
    kind: str
    title: str
    short: str
    framework: str
    page: str
    exact: bool


def found(
    text: str, guide: Guide, answers: Answers, finder: Finder, about: About, framework: str | None = None, most: int = 8
) -> list[Row]:
    """What the search box of the site lists for a text, best first.

    Args:
        framework: that the reader runs: what is only for others is left out.
    """
    rows = []
    for one in search(text, guide, finder, framework)[:most]:
        document = finder.documents[one.document]
        answer = answers.entries.get(document.id.removeprefix(BUG_ID))
        short = answer.short if answer else document.short or document.text
        rows.append(
            Row(document.id, document.kind, document.title, short, document.framework, about.page(document.location), one.exact)
        )
    return rows


def rows_text(rows: Sequence[Row], words: Mapping[str, str], colour: bool) -> str:
    """Results for a reader."""
    bold, dim, reset = (BOLD, DIM, RESET) if colour else ("", "", "")

    def block(row: Row) -> Iterator[str]:
        mark = f"  [{words['find_exact']}]" if row.exact else ""
        yield f"{bold}{row.title}{reset}{mark}"
        if row.short:
            yield f"  {row.short}"
        yield f"  {dim}{' · '.join(filter(None, (row.id, row.page)))}{reset}"

    return "\n\n".join("\n".join(block(row)) for row in rows)


def key_text(key: Key, guide: Guide, words: Mapping[str, str], about: About, colour: bool) -> str:
    """A key for a reader."""
    bold, dim, reset = (BOLD, DIM, RESET) if colour else ("", "", "")
    lines = [f"{bold}{key.name}{reset} · {_owner(key, guide, words)}"]
    lines += [f"  {words[name]}{words['colon']}{fact}" for name, fact in _facts(key, words) if fact]
    if key.words:
        lines += ["", *(f"  {line}".rstrip() for line in key.words.splitlines())]
    if key.help:
        lines += ["", f"  {words['key_help']}{words['colon']}{key.help}"]
    lines.append("")
    if key.entries:
        lines.append(f"  {words['find_entries']}{words['colon']}{words['calc_separator'].join(key.entries)}")
    lines.append(f"  {dim}{' '.join(filter(None, key.source))}{reset}")
    lines.append(f"  {dim}{about.page(key.page)}{reset}")
    return "\n".join(lines)


def _owner(key: Key, guide: Guide, words: Mapping[str, str]) -> str:
    if key.owner == SHARED:
        return words["find_any"]
    return next((one.name for one in guide.frameworks if one.id == key.owner), key.owner)


def _facts(key: Key, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Name of a word, and what stands behind it; empty where there is nothing to say."""
    comma = words["calc_separator"]
    yield "key_type", key.type
    stated = words["key_no_default"] if key.default is None else key.default
    yield "key_default", words["key_required"] if key.required else stated
    yield "key_choices", comma.join(key.choices)
    places = [f"{path} ({words['key_since']} {key.later[path]})" if path in key.later else path for path in key.paths]
    yield "key_set_in", comma.join(places) if key.kind == "yaml" else words[f"key_kind_{key.kind}"]
    spans = (("key_since", key.since), ("key_removed", key.removed), ("key_renamed_to", key.renamed_to))
    yield "key_versions", comma.join(f"{words[name]} {fact}" for name, fact in spans if fact)


def key_record(key: Key, about: About) -> dict[str, Any]:
    """A key for programs: `page` is its whole address where the site's is known."""
    return key.record() | {"page": about.page(key.page)}

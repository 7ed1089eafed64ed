"""Compile the guide: everything that a lookup needs, decided here once, as JSON that browser and terminal only interpret.

What is written is described by `fieldguide.runtime.guide`, which reads it in Python.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fieldguide.content.about import compile_about
from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.answer import fix_of
from fieldguide.content.bugs import bug_address, facts, in_order, remedy, standing
from fieldguide.content.catalog.models import Bug, Cleaning, Mask
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.definition import define
from fieldguide.content.dialect import portable
from fieldguide.content.document import plain_inline
from fieldguide.content.full_text import compile_search
from fieldguide.content.guide import Guide
from fieldguide.content.run import compile_run, methods_of
from fieldguide.content.signature import display_signature, distinctive, escape, literal_words, signature_regex
from fieldguide.content.versions import compile_versions
from fieldguide.content.whole import compile_entries, compile_key_words, compile_keys
from fieldguide.content.writing import write_json
from fieldguide.runtime import guide as runtime

# What the interface words are called that a terminal says.
_WORDS = ("explain_", "calc_", "when_", "doctor_", "bug_", "colon", "comma", "find_", "key_", "run_", "agent_")
_SHORTHAND = re.compile(r"<([a-z]+)>")


@dataclass(frozen=True)
class Compiled:
    """What the files hold. The same in every language: `guide.json`, `versions.json`, `run.json`, `keys.json`, `about.json`; by
    language: `<language>.json` (`answers`), `<language>-search.json`, `<language>-entries.json`, `<language>-keys.json`.
    """

    guide: Mapping[str, Any]
    versions: Mapping[str, Any]
    run: Mapping[str, Any]
    keys: Mapping[str, Any]
    about: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Any]]
    search: Mapping[str, Mapping[str, Any]]
    entries: Mapping[str, Mapping[str, Any]]
    key_words: Mapping[str, Mapping[str, Any]]


def compile_guide(guide: Guide) -> Compiled:
    """Compile everything.

    Args:
        guide: without faults.
    """

    def each(compiled: Callable[[Guide, str], dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {language: compiled(guide, language) for language in LANGUAGES}

    return Compiled(
        guide=compile_catalog(guide.catalog),
        versions=compile_versions(guide.catalog),
        run=compile_run(guide.catalog),
        keys=compile_keys(guide),
        about=compile_about(guide.catalog),
        answers=each(_answers),
        search=compile_search(guide),
        entries=each(compile_entries),
        key_words=each(compile_key_words),
    )


def write_compiled(compiled: Compiled, folder: Path) -> list[Path]:
    """Write the files, the same bytes for the same guide.

    Returns:
        the files written.
    """
    files = {"guide": compiled.guide, "versions": compiled.versions, "run": compiled.run}
    files |= {"keys": compiled.keys, "about": compiled.about}
    for language in compiled.answers:
        files[language] = compiled.answers[language]
        files[f"{language}-search"] = compiled.search[language]
        files[f"{language}-entries"] = compiled.entries[language]
        files[f"{language}-keys"] = compiled.key_words[language]
    return [write_json(folder / f"{name}.json", content) for name, content in files.items()]


def lookup_guide(catalog: Catalog) -> runtime.Guide:
    """The guide as a lookup sees it."""
    return runtime.as_guide(compile_catalog(catalog))


def compile_catalog(catalog: Catalog) -> dict[str, Any]:
    """What no language changes."""
    scan = catalog.scan[0].record
    return {
        "format": runtime.FORMAT,
        "cleaning": [_rule(item.record) for item in catalog.cleaning],
        "places": [_rule(item.record) for item in catalog.places],
        "settings": [_rule(item.record) for item in catalog.settings],
        "masks": compile_masks(catalog),
        "synonyms": [item.record.words for item in catalog.synonyms],
        "frameworks": [
            {"id": one.id, "name": one.name, "glossary": one.glossary, "hints": one.hints} for one in catalog.framework.values()
        ],
        "programs": [{"id": one.id, "name": one.name, "hints": one.hints} for one in catalog.program.values()],
        "entries": [[entry.id, entry.framework] for entry in catalog.entry.values()],
        "bugs": [[one.id, catalog.framework_of_bug(one.id), *facts(catalog, one)] for one in in_order(catalog)],
        "signatures": [
            *_signatures(catalog, scan.words, scan.genericWeight),
            *_bug_signatures(catalog, scan.words, scan.genericWeight),
        ],
        "errorName": portable(scan.errorName),
        "echoes": scan.echoes,
        "hintBonus": scan.hintBonus,
        "scan": {"limits": scan.limits, "gaps": scan.gaps, "archives": scan.archives},
        "grammar": compile_grammar(catalog),
        "calculators": compile_calculators(catalog),
    }


def compile_grammar(catalog: Catalog) -> dict[str, Any]:
    """How settings are read."""
    grammar = catalog.grammar[0].record
    patterns = {one.name: one.compiled for one in grammar.patterns}
    return {
        "patterns": patterns,
        "separators": grammar.separators,
        "limits": grammar.limits,
        "configFiles": grammar.configFiles,
        "configNames": grammar.configNames,
    }


def compile_calculators(catalog: Catalog) -> dict[str, Any]:
    """Every calculator by framework, in the order of the frameworks."""
    return {name: asdict(define(catalog, name)) for name in catalog.framework if name in catalog.calculator}


def _rule(rule: Cleaning) -> list[Any]:
    return [portable(rule.pattern), rule.parts]


def compile_masks(catalog: Catalog) -> list[list[Any]]:
    """What reports must not hold, as rules."""
    packages = {name for repository in catalog.repository.values() for name in repository.packages}
    more = {"packages": sorted(packages)}
    pieces = {
        one.record.name: one.record.pattern or _any_of([*one.record.alternatives, *more.get(one.record.name, ())])
        for one in catalog.shorthand
    }

    def written(mask: Mask) -> str:
        return _SHORTHAND.sub(lambda m: pieces.get(m[1], m[0]), mask.pattern)

    masks = [item.record for item in catalog.masks]
    return [[portable(written(mask), mask.fold), mask.parts] for mask in masks]


def _any_of(texts: list[str]) -> str:
    return "|".join(map(escape, texts))


def _signatures(catalog: Catalog, words: int, generic_weight: int) -> Iterator[list[Any]]:
    """Rows of `Signature` in `fieldguide.runtime.guide`, in catalog order."""
    position = {entry: at for at, entry in enumerate(catalog.entry)}
    for entry, signatures in catalog.signatures_of.items():
        for one in signatures:
            weight: float = _said(one.text)
            if one.generic or one.ordinary:
                weight = min(weight, generic_weight)
            kind = runtime.GENERIC * one.generic + runtime.OUTPUT * one.ordinary + runtime.ECHO * one.echo
            kind += runtime.FOREIGN * catalog.is_foreign(entry, one)
            yield _row(position[entry], one.text, weight, kind, words)


def _bug_signatures(catalog: Catalog, words: int, generic_weight: int) -> Iterator[list[Any]]:
    """The same rows of the bug ledger; its rows are numbered after the entries.

    An entry's own text says more than a row's, however long; a text of many programs says less. What a framework's row
    prints may be printed by others, too: it is an answer only where the framework is named.
    """
    for position, bug in enumerate(in_order(catalog), len(catalog.entry)):
        foreign = runtime.FOREIGN * (catalog.framework_of_bug(bug.id) != runtime.SHARED)
        for text in bug.errors:
            weight = round(generic_weight + min(_said(text), 900) / 1000, 3)
            yield _row(position, text, weight, runtime.BUG + foreign, words)


def _said(text: str) -> int:
    """Literal characters of a signature, white space aside."""
    return sum(map(len, literal_words(text)))


def _row(position: int, text: str, weight: float, kind: int, words: int) -> list[Any]:
    key, others = distinctive(text, words)
    anchor = max(literal_words(text), key=len)
    return [position, display_signature(text), signature_regex(text), weight, kind, anchor, key, others]


def _answers(guide: Guide, language: str) -> dict[str, Any]:
    return {
        "format": runtime.FORMAT,
        "language": language,
        "entries": {entry: _answer(guide, language, entry) for entry in guide.catalog.entry},
        "bugs": {item.record.id: _bug_answer(guide, language, item.record) for item in guide.catalog.bugs},
        "methods": compile_methods(guide, language),
        "words": {name: text for name, text in guide.words[language].items() if name.startswith(_WORDS)},
    }


def _answer(guide: Guide, language: str, entry: str) -> dict[str, str]:
    document = guide.entry_document(language, entry)
    return {
        "title": plain_inline(document.title),
        "short": plain_inline(document.short),
        "page": page_address(language, guide.catalog.page_of(entry)),
        "fix": fix_of(guide, language, entry),
    }


def compile_methods(guide: Guide, language: str) -> dict[str, dict[str, str]]:
    """Way to end → the page that leads on."""
    return {
        way: {"title": plain_inline(guide.documents[language][page].title), "page": page_address(language, page)}
        for way, page in methods_of(guide.catalog).items()
    }


def _bug_answer(guide: Guide, language: str, bug: Bug) -> dict[str, str]:
    words = guide.words[language]
    return {
        "title": plain_inline(bug.words(language).what),
        "short": plain_inline(standing(guide.catalog, bug, words)),
        "page": bug_address(guide.catalog, bug, language),
        "fix": remedy(guide.catalog, bug, language, words),
    }

"""Compile the guide: everything that a lookup needs, decided here once, as JSON that browser and terminal only interpret.

What is written is described by `fieldguide.runtime.guide`, which reads it in Python.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.answer import fix_of
from fieldguide.content.catalog.models import Cleaning, Mask
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.definition import define
from fieldguide.content.dialect import portable
from fieldguide.content.document import plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.ranking import HEAD, TEXT, compile_rows, score
from fieldguide.content.searchable import Searchable, searchable
from fieldguide.content.signature import display_signature, distinctive, escape, literal_words, signature_regex
from fieldguide.content.versions import compile_versions
from fieldguide.content.writing import write_json
from fieldguide.runtime import guide as runtime
from fieldguide.runtime.rank.documents import unpack

# What the interface words are called that a terminal says.
_WORDS = ("explain_", "calc_", "when_", "doctor_")
_SHORTHAND = re.compile(r"<([a-z]+)>")


@dataclass(frozen=True)
class Compiled:
    """`guide` and `versions` are the same in every language; by language, `answers` are `<language>.json` and `search` are
    `<language>-search.json`.
    """

    guide: Mapping[str, Any]
    versions: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Any]]
    search: Mapping[str, Mapping[str, Any]]


def compile_guide(guide: Guide) -> Compiled:
    """Compile everything.

    Args:
        guide: without faults.
    """
    answers = {language: _answers(guide, language) for language in LANGUAGES}
    return Compiled(compile_catalog(guide.catalog), compile_versions(guide.catalog), answers, compile_search(guide))


def write_compiled(compiled: Compiled, folder: Path) -> list[Path]:
    """Write the files, the same bytes for the same guide.

    Returns:
        the files written.
    """
    search = {f"{language}-search": content for language, content in compiled.search.items()}
    files = {"guide": compiled.guide, "versions": compiled.versions, **compiled.answers, **search}
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
        "masks": compile_masks(catalog),
        "synonyms": [item.record.words for item in catalog.synonyms],
        "frameworks": [
            {"id": one.id, "name": one.name, "glossary": one.glossary, "hints": one.hints} for one in catalog.framework.values()
        ],
        "programs": [{"id": one.id, "name": one.name, "hints": one.hints} for one in catalog.program.values()],
        "entries": [[entry.id, entry.framework] for entry in catalog.entry.values()],
        "signatures": list(_signatures(catalog, scan.words, scan.genericWeight)),
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
            literals = literal_words(one.text)
            weight = sum(map(len, literals))
            if one.generic or one.ordinary:
                weight = min(weight, generic_weight)
            kind = runtime.GENERIC * one.generic + runtime.OUTPUT * one.ordinary + runtime.ECHO * one.echo
            kind += runtime.FOREIGN * catalog.is_foreign(entry, one)
            key, others = distinctive(one.text, words)
            shown, pattern = display_signature(one.text), signature_regex(one.text)
            yield [position[entry], shown, pattern, weight, kind, max(literals, key=len), key, others]


def compile_search(guide: Guide) -> dict[str, dict[str, Any]]:
    """What full-text search needs, by language.

    Returns:
        `{"format", "documents", "asked", "more", "head", "text", "others"}`: entries, how people ask for each, the rest packed,
        and rows of the index: what the head of each entry says, what its answer says, and what is said of the rest.
    """
    order = list(guide.catalog.entry)
    found = {language: searchable(guide, language, order) for language in LANGUAGES}
    wordings = ["\n".join(display_signature(one.text) for one in guide.catalog.signatures_of.get(entry, ())) for entry in order]
    # Who pastes English words into the Chinese site finds what the English page calls it, and the other way round.
    called = {
        language: [
            "\n".join((one["title"], asked, one["short"]))
            for one, asked in zip(found[language].entries, found[language].asked, strict=True)
        ]
        for language in LANGUAGES
    }
    return {
        language: _search(found[language], wordings, [called[other] for other in LANGUAGES if other != language])
        for language in LANGUAGES
    }


def _search(found: Searchable, wordings: Sequence[str], others: Sequence[Sequence[str]]) -> dict[str, Any]:
    fields = [
        {
            "title": record["title"],
            "short": record["short"],
            "asked": found.asked[at],
            "keys": "\n".join(record["keys"]),
            "wordings": wordings[at],
            "other": "\n".join(words[at] for words in others),
            "text": found.answers[at],
        }
        for at, record in enumerate(found.entries)
    ]
    entries = len(fields)
    fields += [{"title": one.title, "keys": "\n".join(one.keys), "text": one.text} for one in unpack(found.more)]
    head, text = score(fields, HEAD), score(fields, TEXT)
    own, rest = range(entries), range(entries, len(fields))
    return {
        "format": runtime.FORMAT,
        "documents": found.entries,
        "asked": found.asked,
        "more": found.more,
        "head": compile_rows([head], own),
        "text": compile_rows([text], own),
        "others": compile_rows([head, text], rest),
    }


def _answers(guide: Guide, language: str) -> dict[str, Any]:
    return {
        "format": runtime.FORMAT,
        "language": language,
        "entries": {entry: _answer(guide, language, entry) for entry in guide.catalog.entry},
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

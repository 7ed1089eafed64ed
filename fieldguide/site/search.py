"""The search data of the site, in the pieces in which a browser wants it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.compile import compile_catalog, compile_methods
from fieldguide.content.full_text import compile_search
from fieldguide.content.guide import Guide
from fieldguide.content.run import compile_run
from fieldguide.content.writing import write_json

WORDS = (
    "bug_known", "bug_run_bug", "bug_run_fix", "bug_run_none", "exact_match", "topic_key", "topic_page", "report_error",
    "all_errors", "if_you_run",
)  # fmt: skip
# What the log page says of a whole run.
RUN_WORDS = ("run_", "log_run_", "explain_told", "colon", "comma", "language_tag")
# What the first answer needs of the compiled guide, and of each signature; the log page loads the rest.
FOUND_WITH = (
    "format", "cleaning", "places", "settings", "synonyms", "frameworks", "programs", "entries", "errorName", "echoes",
    "hintBonus",
)  # fmt: skip
# Columns of a signature's row: those that find it in a text, and those with which a log is scanned.
FOUND_BY, SHOWN, SCANNED = (0, 2, 3, 4, 5), 1, 6


def guide_piece(compiled: Mapping[str, Any]) -> dict[str, Any]:
    """What the first answer needs of the compiled guide."""
    rows = [[row[column] for column in FOUND_BY] for row in _own(compiled)]
    return {**{name: compiled[name] for name in FOUND_WITH}, "signatures": rows}


def scan_piece(compiled: Mapping[str, Any]) -> dict[str, Any]:
    """What the log page needs besides."""
    keys = [row[SCANNED:] for row in _own(compiled)]
    return {"scan": compiled["scan"], "masks": compiled["masks"], "keys": keys}


def bugs_piece(compiled: Mapping[str, Any]) -> dict[str, Any]:
    """The bug ledger: what finds its rows in a text, and the releases with each."""
    rows = compiled["signatures"][len(_own(compiled)) :]
    found = [[row[column] for column in FOUND_BY] for row in rows]
    return {"entries": compiled["bugs"], "signatures": found, "keys": [row[SCANNED:] for row in rows]}


def run_words(guide: Guide, language: str) -> dict[str, Any]:
    """What is said of the logs of a whole run: words, and for each way to end the method that leads on."""
    words = {name: text for name, text in guide.words[language].items() if name.startswith(RUN_WORDS)}
    return {"words": words, "methods": compile_methods(guide, language)}


def _own(compiled: Mapping[str, Any]) -> list[list[Any]]:
    """Rows of the signatures of entries."""
    return [row for row in compiled["signatures"] if row[0] < len(compiled["entries"])]


def write_search_data(guide: Guide, site: Path) -> list[Path]:
    """Write `search/guide.json` and `search/<language>.json`, with which entries can be searched, and what follows later.

    That is `search/<language>-text.json`, how people ask and the text of the answers, `search/<language>-more.json`, keys and
    other sections, `search/bugs.json` and `search/<language>-bugs.json`, the bug ledger, and `search/scan.json`, with which
    logs are read; those of a whole run with `search/run.json` and `search/<language>-run.json`, what is said of it.

    Returns:
        the files written.
    """
    compiled = compile_catalog(guide.catalog)
    pieces = {"guide": guide_piece(compiled), "scan": scan_piece(compiled), "bugs": bugs_piece(compiled)}
    pieces["run"] = compile_run(guide.catalog)
    shown = [row[SHOWN] for row in _own(compiled)]
    search = compile_search(guide)
    for language in LANGUAGES:
        made = search[language]
        pieces[language] = {
            "language": language,
            "prefix": page_address(language, "index"),
            "words": {name: guide.words[language][name] for name in WORDS},
            "documents": made["documents"],
            "head": made["head"],
        }
        pieces[f"{language}-text"] = {"asked": made["asked"], "shown": shown, "index": made["text"]}
        pieces[f"{language}-more"] = {**made["more"], "index": made["others"]}
        pieces[f"{language}-bugs"] = {**made["bugs"], "index": made["known"]}
        pieces[f"{language}-run"] = run_words(guide, language)
    return [write_json(site / "search" / f"{name}.json", content) for name, content in pieces.items()]

"""The search data of the site, in the pieces in which a browser wants it."""

from pathlib import Path
from typing import Any

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.compile import compile_catalog, compile_search
from fieldguide.content.guide import Guide
from fieldguide.content.writing import write_json

WORDS = ("exact_match", "topic_key", "topic_page", "report_error", "all_errors", "if_you_run")
# What the first answer needs of the compiled guide, and of each signature; the log page loads the rest.
FOUND_WITH = (
    "format", "cleaning", "places", "synonyms", "frameworks", "programs", "entries", "errorName", "echoes", "hintBonus",
)  # fmt: skip
SIGNATURE = 6


def write_search_data(guide: Guide, site: Path) -> list[Path]:
    """Write `search/guide.json` and `search/<language>.json`, with which entries can be searched, and what follows later.

    That is `search/<language>-text.json`, the index of the answers' text, `search/<language>-more.json`, keys and other
    sections, and `search/scan.json`, with which logs are read.

    Returns:
        the files written.
    """
    compiled = compile_catalog(guide.catalog)
    rows = compiled["signatures"]
    pieces: dict[str, Any] = {
        "guide": {**{name: compiled[name] for name in FOUND_WITH}, "signatures": [row[:SIGNATURE] for row in rows]},
        "scan": {"scan": compiled["scan"], "masks": compiled["masks"], "keys": [row[SIGNATURE:] for row in rows]},
    }
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
        pieces[f"{language}-text"] = made["text"]
        pieces[f"{language}-more"] = {**made["more"], "index": made["others"]}
    return [write_json(site / "search" / f"{name}.json", content) for name, content in pieces.items()]

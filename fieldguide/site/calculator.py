"""What the calculator page carries for its scripts."""

from collections.abc import Callable
from typing import Any

from fieldguide.content.addresses import page_address
from fieldguide.content.compile import compile_calculators, compile_grammar
from fieldguide.content.guide import Guide

RULES = "topics/batch-size/index"  # the page with the tables of all rules


def page_data(guide: Guide, language: str, title: Callable[[str], str]) -> dict[str, Any]:
    """Definitions, where keys, rules and entries stand (below the root of the site), and the words of one language.

    Args:
        guide: with the calculators.
        language: of the page.
        title: id of an entry → its title as plain text.
    """
    calculators = compile_calculators(guide.catalog)
    known = calculators.values()
    keys = sorted({one["key"] for definition in known for one in definition["inputs"] if one["key"]})
    entries = sorted({case["entry"] for definition in known for case in definition["cases"]})
    return {
        "calculators": calculators,
        "grammar": compile_grammar(guide.catalog),
        "places": {
            "keys": {key: f"{page_address(language, guide.page_of_key[key])}#{key}" for key in keys},
            "entries": {entry: [page_address(language, guide.catalog.page_of(entry)), title(entry)] for entry in entries},
            "rules": page_address(language, RULES),
        },
        "words": {name: text for name, text in guide.words[language].items() if name.startswith(("calc_", "when_"))},
    }

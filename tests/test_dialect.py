"""Patterns that Python and JavaScript read alike; what only one of them knows is refused."""

import re
from pathlib import Path

import pytest

from fieldguide.content.catalog.load import load_catalog
from fieldguide.content.dialect import DialectError, portable

WRITTEN = [
    (r"a\s+b", r"a[ \t\n\r\f\v]+b"),
    (r"[^\s,]", r"[^ \t\n\r\f\v,]"),
    (r"\S", r"[^ \t\n\r\f\v]"),
    (r"x.y", r"x[^\n]y"),
    (r"end$", r"end(?![^\n]|\n)"),
    (r"\d{1,3}(?:,\d+)*?\b", r"\d{1,3}(?:,\d+)*?\b"),
    (r"(?<!a)b(?=c)", r"(?<!a)b(?=c)"),
    ("[\u200b‘]", "[\u200b‘]"),
]
REFUSED = {
    "(?i)a": "a flag",
    "(?P<name>a)": "a group with a name",
    "(?>a)": "an atomic group",
    "a++": "a possessive quantifier",
    "a{,3}": "a bound that JavaScript takes literally",
    r"\Aa\Z": "ends of the text in Python's way",
    r"\p{L}": "a property of Unicode",
    r"\-": "an escape that JavaScript's u does not know",
    r"(a)\1": "a reference back",
    "[^]": "JavaScript's any character",
    r"[\S,]": "a complement inside a class",
    "[[:alpha:]]": "a class of POSIX",
    "(?<=a|bc)d": "a look-behind of two lengths",
    "a(": "no expression at all",
}


@pytest.mark.parametrize(("pattern", "made"), WRITTEN)
def test_what_is_written_out(pattern: str, made: str) -> None:
    assert portable(pattern) == made


def test_small_and_capital_letters_alike() -> None:
    made = portable(r"\bkey[a-f_]\d", fold=True)
    assert made == r"\b[kK][eE][yY][a-fA-F_]\d"
    assert re.search(made, "KEYb1", re.ASCII)


@pytest.mark.parametrize("pattern", REFUSED, ids=REFUSED.values())
def test_what_is_refused(pattern: str) -> None:
    with pytest.raises(DialectError):
        portable(pattern)


def test_a_pattern_of_the_catalog_is_refused_with_file_and_line(small: Path) -> None:
    file = small / "catalog" / "cleaning.yml"
    text = file.read_text(encoding="utf-8")
    line = next(number for number, one in enumerate(text.splitlines(), 1) if "pattern:" in one)
    file.write_text(re.sub(r"pattern: .*", "pattern: '(?i)colour'", text, count=1), encoding="utf-8")
    problem = next(one for one in load_catalog(small)[1] if one.path.name == "cleaning.yml")
    assert abs(problem.line - line) <= 1 and "(?i)" in problem.message

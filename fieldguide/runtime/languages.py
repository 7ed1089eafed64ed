"""The languages that the guide is in."""

from collections.abc import Mapping
from typing import Literal, get_args

# Everything else that is to be known of a language stands in locales/<language>.yml; mkdocs.yml must name the same ones.
Language = Literal["en", "zh"]
LANGUAGES: tuple[str, ...] = get_args(Language)
# The language that sections are written in first and that is served at the root; the others reflect it.
FIRST = LANGUAGES[0]


def language_of(environment: Mapping[str, str]) -> str:
    """The language that environment variables ask for; the first one for any that the guide is not in.

    >>> language_of({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}), language_of({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    asked = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "")
    return next((one for one in LANGUAGES if asked.startswith(one)), FIRST)

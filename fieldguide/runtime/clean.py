"""Take out of a text what differs from run to run; the rules are data in `catalog/cleaning.yml`."""

import re
from collections.abc import Sequence
from functools import lru_cache

from fieldguide.content.catalog.models import Cleaning


def clean(text: str, rules: Sequence[Cleaning]) -> str:
    """Apply each rule in turn, as `overrides/assets/javascripts/match/cleaning.js` does."""
    for rule in rules:
        text = _compiled(rule.pattern).sub(lambda _match, rule=rule: rule.replace, text)  # type: ignore[misc]
    return text


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

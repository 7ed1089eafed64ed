"""The names nearest to one that is not known."""

import difflib
from collections.abc import Iterable


def nearest_names(written: str, known: Iterable[str], most: int = 3) -> list[str]:
    """At most so many of the known names, the nearest first; those that hold all of what was written, the shortest first, then
    those that are spelled alike.

    >>> nearest_names("slime-om", ["slime-oom", "verl-oom", "slime-resume"]), nearest_names("oom", ["verl-oom", "oom-a"])
    (['slime-oom', 'slime-resume'], ['oom-a', 'verl-oom'])
    """
    names = list(dict.fromkeys(known))
    holding = sorted((one for one in names if written and written in one), key=lambda one: (len(one), one))
    alike = difflib.get_close_matches(written, names, n=most, cutoff=0.6)
    return list(dict.fromkeys((*holding[:most], *alike)))[:most]

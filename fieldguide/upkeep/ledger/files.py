"""Which files of a repository a program runs."""

import re

_BESIDE = re.compile(r"(^|/)(tests?|docs?|\.github|docker)/|\.(md|rst|ipynb|txt)$|(^|/)test_[^/]*$")


def is_beside(path: str) -> bool:
    """Whether a file is a test, documentation or the like, which no program runs.

    >>> is_beside("tests/test_loss.py"), is_beside("verl/trainer/main_ppo.py")
    (True, False)
    """
    return bool(_BESIDE.search(path))

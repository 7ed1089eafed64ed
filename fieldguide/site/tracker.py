"""Addresses in the repository that the guide is built from: edit a page, open a prefilled issue form."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

BRANCH = "main"


@dataclass(frozen=True)
class Tracker:
    """The repository's web site, without a slash at the end."""

    url: str

    def edit(self, path: str) -> str:
        """Where a file is edited.

        >>> Tracker("https://x.org/o/r").edit("docs/en/about.md")
        'https://x.org/o/r/edit/main/docs/en/about.md'
        """
        return f"{self.url}/edit/{BRANCH}/{path}"

    def form(self, name: str, **fields: str) -> str:
        """An issue form of `.github/ISSUE_TEMPLATE` with some of its fields filled in.

        >>> Tracker("https://x.org/o/r").form("wrong-answer", entry="slime-oom")
        'https://x.org/o/r/issues/new?template=wrong-answer.yml&entry=slime-oom'
        """
        return f"{self.url}/issues/new?{urlencode({'template': f'{name}.yml', **fields})}"


def find_tracker(environment: Mapping[str, str] = os.environ) -> Tracker | None:
    """The repository that REPO_URL names; None where the build does not know it: no such links then."""
    url = environment.get("REPO_URL", "").rstrip("/")
    return Tracker(url) if url else None

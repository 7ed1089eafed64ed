"""Addresses of pages below the root of the site, and the languages they are in."""

import posixpath
from urllib.parse import urlsplit

from fieldguide.runtime.languages import FIRST as FIRST
from fieldguide.runtime.languages import LANGUAGES as LANGUAGES

OTHERS = LANGUAGES[1:]


def page_address(language: str, name: str) -> str:
    """Address of a page below the site root.

    >>> page_address("zh", "topics/memory"), page_address("en", "index"), page_address("en", "topics/index")
    ('zh/topics/memory/', '', 'topics/')
    """
    path = "" if name == "index" else name.removesuffix("/index")
    parts = ([] if language == FIRST else [language]) + ([path] if path else [])
    return "".join(f"{part}/" for part in parts)


def twin_address(address: str, language: str) -> str:
    """The same page in a language, from its address below the site root in any.

    >>> twin_address("zh/topics/memory/", "en"), twin_address("topics/memory/", "zh"), twin_address("", "zh")
    ('topics/memory/', 'zh/topics/memory/', 'zh/')
    """
    head, _, rest = address.partition("/")
    return page_address(language, "index") + (rest if head in OTHERS else address)


def permalink_address(entry: str, language: str = FIRST) -> str:
    """Short address of an entry below the site root: the first language's leads to the reader's, another one's to that one.

    >>> permalink_address("slime-oom"), permalink_address("slime-oom", "zh")
    ('e/slime-oom/', 'zh/e/slime-oom/')
    """
    return f"{page_address(language, 'index')}e/{entry}/"


def thread_url(repository: str, number: int | str, kind: str = "issues") -> str:
    """Address of an issue of a repository on GitHub, or of a pull request (`kind` is `pull`)."""
    return f"https://github.com/{repository}/{kind}/{number}"


def commit_url(repository: str, commit: str) -> str:
    """Address of a commit on GitHub."""
    return f"https://github.com/{repository}/commit/{commit}"


def site_link(language: str, page: str, href: str) -> str:
    """Address below the root of the site for a link on `page`; other sites stay.

    >>> site_link("zh", "topics/memory", "rollout.md#slime-stop"), site_link("en", "topics/memory", "#slime-oom")
    ('zh/topics/rollout/#slime-stop', 'topics/memory/#slime-oom')
    """
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return href
    name = posixpath.normpath(posixpath.join(posixpath.dirname(page), parts.path)) if parts.path else page
    return page_address(language, name.removesuffix(".md")) + (f"#{parts.fragment}" if parts.fragment else "")

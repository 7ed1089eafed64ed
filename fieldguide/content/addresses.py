"""Addresses of pages below the root of the site, and the languages they are in."""

LANGUAGES = ("en", "zh")
# As search engines and browsers name them (BCP 47).
TAGS = {"en": "en", "zh": "zh-Hans"}


def page_address(language: str, name: str) -> str:
    """Address of a page below the site root.

    >>> page_address("zh", "topics/memory"), page_address("en", "index"), page_address("en", "topics/index")
    ('zh/topics/memory/', '', 'topics/')
    """
    path = "" if name == "index" else name.removesuffix("/index")
    parts = ([] if language == LANGUAGES[0] else [language]) + ([path] if path else [])
    return "".join(f"{part}/" for part in parts)


def permalink_address(entry: str, language: str = LANGUAGES[0]) -> str:
    """Short address of an entry below the site root: the first language's leads to the reader's, another one's to that one.

    >>> permalink_address("slime-oom"), permalink_address("slime-oom", "zh")
    ('e/slime-oom/', 'zh/e/slime-oom/')
    """
    return f"{page_address(language, 'index')}e/{entry}/"

"""Compare two builds of the site: has each page of one its twin in the other, with the same ids?

    python -m scripts.compare_sites dist/.mkdocs dist/.properdocs

Exit code 1 when a page or an id is on one side only; every one of them is printed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from lxml import html


def addresses(site: Path) -> set[str]:
    """Every address that a link can name: pages as `topics/memory/`, ids as `topics/memory/#slime-oom`.

    Ids that begin with `__` are the theme's, for its own buttons: no link names them.
    """
    return {address for page in site.rglob("*.html") for address in _addresses(site, page)}


def _addresses(site: Path, page: Path) -> Iterator[str]:
    name = page.relative_to(site).as_posix().removesuffix("index.html")
    yield name
    for id_ in html.document_fromstring(page.read_bytes()).xpath("//@id[not(starts-with(., '__'))]"):
        yield f"{name}#{id_}"


def differences(first: Path, second: Path) -> list[str]:
    """One line per address that only one of the two sites has."""
    one, other = addresses(first), addresses(second)
    return [f"only in {first}: {address}" for address in sorted(one - other)] + [
        f"only in {second}: {address}" for address in sorted(other - one)
    ]


def main(arguments: list[str]) -> int:
    """Print what differs, or how much is equal."""
    first, second = map(Path, arguments)
    found = differences(first, second)
    shared = addresses(first) & addresses(second)
    print("\n".join(found))
    print(f"{len([one for one in shared if '#' not in one])} pages and {len(shared)} addresses in both, {len(found)} differ")
    return 1 if found or not shared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

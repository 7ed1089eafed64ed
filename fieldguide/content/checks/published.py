"""What was published stays: ids as they are or as the alias of what took their place, addresses as a place or as a row that
leads to it. Other sites link to them."""

from collections.abc import Iterator
from pathlib import Path

from fieldguide.content.addresses import FIRST
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.checks.entries import unlisted
from fieldguide.content.guide import Guide
from fieldguide.content.history import entry_ids, git
from fieldguide.content.listing import generated_ids
from fieldguide.content.problems import Problem

# One a line; `python -m fieldguide record-ids` adds to them before a release, nothing is ever taken out.
RECORD = Path("catalog/published-ids.txt")
ADDRESSES = Path("catalog/published-addresses.txt")


def check_published(guide: Guide) -> Iterator[Problem]:
    """Ids of the record, and of the entries of every tagged release, that lead nowhere today."""
    if guide.catalog.broken:
        return  # an id or alias may stand in a record that could not be read
    known = known_ids(guide.catalog)
    for id_, (path, line) in {**tagged_ids(guide.root), **recorded_ids(guide.root)}.items():
        if id_ not in known:
            yield Problem(path, line, f"id {id_!r} was published and is gone; make it an alias of what took its place")
    there, elsewhere = set(addresses(guide)), _unlisted_ids(guide)
    for address, (path, line) in _recorded(guide.root, ADDRESSES).items():
        if address not in there and address.partition("#")[2] not in elsewhere:
            yield Problem(path, line, f"address {address!r} was published and leads nowhere: {_advice(guide, address)}")


def _unlisted_ids(guide: Guide) -> set[str]:
    """Ids of entries that are reported already: their old addresses are back when their topic lists them."""
    return {id_ for entry in unlisted(guide) for id_ in (entry, *guide.catalog.entry[entry].aliases)}


def _advice(guide: Guide, address: str) -> str:
    page, _, anchor = address.partition("#")
    if page not in guide.documents[FIRST]:
        return f"there is no page {page}.md"
    return f"put `{{ #{anchor} }}` on {page}.md, or an alias in the catalog"


def addresses(guide: Guide) -> list[str]:
    """Every place that a link can name: `topics/memory/index` for a page, `topics/memory/index#slime-oom` for an id on it."""
    made = generated_ids(guide)
    found = []
    for name, document in guide.documents[FIRST].items():
        aliases = [alias for alias, id_ in guide.catalog.aliases.items() if id_ in document.by_id]
        blocks = [made.get(block.removeprefix("/// catalog |").strip(), ()) for s in document.sections for block in s.blocks]
        ids = {*document.by_id, *aliases, *(id_ for block in blocks for id_ in block)}
        found += [name, *(f"{name}#{id_}" for id_ in sorted(ids))]
    return found


def known_ids(catalog: Catalog) -> set[str]:
    """Ids and aliases of all entries and keys."""
    return {*catalog.entry, *catalog.key_by_id, *catalog.aliases}


def recorded_ids(root: Path) -> dict[str, tuple[Path, int]]:
    """Id → its line in the record; nothing where there is no record yet."""
    return _recorded(root, RECORD)


def _recorded(root: Path, record: Path) -> dict[str, tuple[Path, int]]:
    file = root / record
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {line.strip(): (record, number) for number, line in enumerate(lines, 1) if line.strip()}


def tagged_ids(root: Path) -> dict[str, tuple[Path, int]]:
    """Id → the release it stands in, for the entries of every tag `v…`; nothing outside a git checkout."""
    found: dict[str, tuple[Path, int]] = {}
    for tag in git(root, "tag", "--list", "v*").split():
        lines = git(root, "grep", "-h", "-E", "^ *(- )?id: ", tag, "--", "catalog/entries").splitlines()
        found |= dict.fromkeys(entry_ids(lines), (Path(f"{tag}:catalog/entries"), 0))
    return found


def record_ids(guide: Guide) -> dict[Path, list[str]]:
    """Add every id and every address that is not in its record yet.

    Returns:
        record → what was added.
    """
    known = {RECORD: known_ids(guide.catalog), ADDRESSES: set(addresses(guide))}
    added = {record: sorted(now - set(_recorded(guide.root, record))) for record, now in known.items()}
    for record, new in added.items():
        lines = sorted([*_recorded(guide.root, record), *new])
        (guide.root / record).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return added

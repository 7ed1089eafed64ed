"""feed.xml: what is new or changed, newest first: an Atom feed (RFC 4287) of entries and one of known bugs per language."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lxml import etree

from fieldguide.content.addresses import FIRST, LANGUAGES, page_address
from fieldguide.content.bugs import bug_address
from fieldguide.content.catalog.models import Entry
from fieldguide.content.document import STAMP, plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.history import commit_time, edits, entry_ids, shallow_commits
from fieldguide.site.answers import bug_html, fix_html
from fieldguide.site.configuration import Site
from fieldguide.site.publish.catalog import plain_title

FILE = "feed.xml"
LENGTH = 50
RECORDS = Path("catalog/entries")
BUGS = Path("catalog/bugs")
_ATOM = "http://www.w3.org/2005/Atom"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Change:
    """Commit times of an entry's last change and of its first record; `published` is None where history begins after it."""

    entry: str
    updated: int
    published: int | None


@dataclass(frozen=True)
class Item:
    """One thing of a feed; times in seconds since 1970, `content` is HTML with links relative to the root of the site."""

    id: str
    title: str
    address: str
    updated: int
    published: int | None
    category: str
    content: str


@dataclass(frozen=True)
class Dates:
    """What the log says.

    Attributes:
        changed: file → commit time of its last change, stamps aside.
        recorded: id of an entry → time of the commit that wrote it into the catalog. An entry keeps it when its record moves
            to another file, and as an alias.
    """

    changed: Mapping[Path, int]
    recorded: Mapping[str, int | None]


def write_feeds(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write `feed.xml`, entries, and `bugs/feed.xml`, known bugs, of every language below its root. Without full history a
    warning says what the feeds lack.

    Returns:
        the files written.
    """
    dates = read_dates(guide.root)
    if not dates.recorded:
        _log.warning("feed.xml has no entries: there is no git history to take their dates from")
    elif shallow_commits(guide.root):
        _log.warning("feed.xml lacks entries: this clone is shallow, fetch its whole history (git fetch --unshallow)")
    written = []
    for language in LANGUAGES:
        changes = sorted(_changes(guide, language, dates), key=lambda change: (-change.updated, change.entry))
        written.append(folder / page_address(language, "index") / FILE)
        items = [_item(guide, site, language, change) for change in changes[:LENGTH]]
        written[-1].write_bytes(atom(guide, site, language, FILE, site.names[language], items))
        if guide.catalog.bugs:
            title = f"{site.names[language]}{guide.words[language]['colon']}{guide.words[language]['bug_ledger']}"
            written.append(folder / page_address(language, "bugs/index") / FILE)
            written[-1].parent.mkdir(parents=True, exist_ok=True)
            written[-1].write_bytes(atom(guide, site, language, f"bugs/{FILE}", title, _bugs(guide, site, language)))
    return written


def read_dates(root: Path) -> Dates:
    """Dates of all entries, and of files that are there no more."""
    changed: dict[Path, int] = {}
    recorded: dict[str, int | None] = {}
    for edit in edits(root, RECORDS.as_posix(), *(f"docs/{language}/topics" for language in LANGUAGES)):
        written = [line for line in (*edit.added, *edit.removed) if line and not STAMP.match(line)]
        if edit.path and edit.time and written:
            changed[edit.path] = max(edit.time, changed.get(edit.path, 0))
        if edit.path and edit.path.is_relative_to(RECORDS):
            recorded |= dict.fromkeys(entry_ids(edit.added), edit.time)  # the oldest commit comes last
    return Dates(changed, recorded)


def _changes(guide: Guide, language: str, dates: Dates) -> Iterator[Change]:
    """When each entry's words and facts were written; entries of unknown time are left out."""
    for item in guide.catalog.entries:
        entry, words = item.record, guide.entry_document(language, item.record.id).path
        known = [dates.changed[path] for path in (words, item.path) if path in dates.changed]
        if known:
            first = [dates.recorded[id_] for id_ in (entry.id, *entry.aliases) if id_ in dates.recorded]
            since = [time for time in first if time is not None]
            yield Change(entry.id, max(known), min(since) if since and len(since) == len(first) else None)


def _item(guide: Guide, site: Site, language: str, change: Change) -> Item:
    record: Entry = guide.catalog.entry[change.entry]
    return Item(
        id=site.permalink(record.id),
        title=plain_title(guide, language, record.id),
        address=site.page(language, guide.catalog.page_of(record.id)),
        updated=change.updated,
        published=change.published,
        category=record.framework,
        content=fix_html(guide, language, record.id),
    )


def _bugs(guide: Guide, site: Site, language: str) -> list[Item]:
    """Rows of the bug ledger, those that were written down last first; of one commit those that upstream mended last."""
    written: dict[str, int] = {}
    for edit in edits(guide.root, BUGS.as_posix()):
        if edit.path and edit.time and edit.path.parent == BUGS:
            written |= dict.fromkeys(entry_ids(edit.added), edit.time)  # the oldest commit comes last
    rows = [item.record for item in guide.catalog.bugs if item.record.id in written]
    newest = sorted(rows, key=lambda bug: (-written[bug.id], -(bug.pr or 0), bug.id))[:LENGTH]
    return [
        Item(
            id=site.url + bug_address(guide.catalog, bug, FIRST),
            title=plain_inline(bug.words(language).what),
            address=site.url + bug_address(guide.catalog, bug, language),
            updated=written[bug.id],
            published=written[bug.id],
            category=guide.catalog.repository_of_bug[bug.id],
            content=bug_html(guide, language, bug),
        )
        for bug in newest
    ]


def atom(guide: Guide, site: Site, language: str, file: str, title: str, items: Sequence[Item]) -> bytes:
    """A feed as XML; `file` is its name below the root of the language."""
    home = site.page(language, "index")
    feed = etree.Element(f"{{{_ATOM}}}feed", {_LANG: guide.words[language]["language_tag"]}, nsmap={None: _ATOM})
    newest = max((item.updated for item in items), default=commit_time(guide.root) or 0)
    own = home if file == FILE else home + file
    for name, text in (("id", own), ("title", title), ("subtitle", site.descriptions[language])):
        _add(feed, name, text)
    _add(feed, "updated", _time(newest))
    _add(feed, "link", rel="self", type="application/atom+xml", href=home + file)
    _add(feed, "link", rel="alternate", type="text/html", href=home)
    _add(_add(feed, "author"), "name", site.names[language])
    _add(feed, "rights", site.copyrights[language])
    for item in items:
        _add_item(feed, site, guide.words[language]["language_tag"], item)
    return bytes(etree.tostring(feed, encoding="utf-8", xml_declaration=True, pretty_print=True))


def _add_item(feed: etree._Element, site: Site, tag: str, item: Item) -> None:
    entry = _add(feed, "entry")
    _add(entry, "id", item.id)
    _add(entry, "title", item.title)
    _add(entry, "link", rel="alternate", type="text/html", hreflang=tag, href=item.address)
    if item.published is not None:
        _add(entry, "published", _time(item.published))
    _add(entry, "updated", _time(item.updated))
    _add(entry, "category", term=item.category)
    content = _add(entry, "content", item.content, type="html")
    content.set(_BASE, site.url)


def _add(parent: etree._Element, name: str, text: str | None = None, **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    element.text = text
    return element


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

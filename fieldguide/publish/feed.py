"""feed.xml: the entries that are new or changed, newest first, one Atom feed (RFC 4287) per language."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lxml import etree

from fieldguide.catalog.models import Entry
from fieldguide.document import STAMP
from fieldguide.find.fixes import fix_html
from fieldguide.guide import LANGUAGES, TAGS, Guide
from fieldguide.history import commit_time, line_times, shallow_commits
from fieldguide.publish.catalog import plain_title
from fieldguide.site import Site
from fieldguide.theme import page_address

FILE = "feed.xml"
LENGTH = 50
_ATOM = "http://www.w3.org/2005/Atom"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Change:
    """Commit times of an entry's newest and oldest line; `published` is None where history is cut off before it."""

    entry: str
    updated: int
    published: int | None


def write_feeds(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write `feed.xml` of every language at its root. Without full history a warning says what the feeds lack.

    Returns:
        the files written.
    """
    facts = {item.path for item in guide.catalog.entries}
    words = {guide.entry_document(language, entry).path for entry in guide.catalog.entry for language in LANGUAGES}
    paths = sorted(facts | words)
    with ThreadPoolExecutor() as pool:  # git works, Python waits
        times = dict(zip(paths, pool.map(lambda path: line_times(guide.root, path), paths), strict=True))
    if not any(times.values()):
        _log.warning("feed.xml has no entries: there is no git history to take their dates from")
    elif shallow_commits(guide.root):
        _log.warning("feed.xml lacks entries: this clone is shallow, fetch its whole history (git fetch --unshallow)")
    written = []
    for language in LANGUAGES:
        changes = sorted(_changes(guide, language, times), key=lambda change: (-change.updated, change.entry))
        written.append(folder / page_address(language, "index") / FILE)
        written[-1].write_bytes(atom(guide, site, language, changes[:LENGTH]))
    return written


def _changes(guide: Guide, language: str, times: dict[Path, list[int | None]]) -> Iterator[Change]:
    """When each entry's words and facts were written; entries of unknown time are left out."""
    for item in guide.catalog.entries:
        document = guide.entry_document(language, item.record.id)
        source = (guide.root / document.path).read_text(encoding="utf-8").splitlines()
        words = zip(source, times[document.path], strict=False)
        found = [time for line, time in words if line and not STAMP.match(line)] + times[item.path]
        known = [time for time in found if time is not None]
        if known:
            yield Change(item.record.id, max(known), min(known) if len(known) == len(found) else None)


def atom(guide: Guide, site: Site, language: str, changes: list[Change]) -> bytes:
    """The feed as XML."""
    home = site.page(language, "index")
    feed = etree.Element(f"{{{_ATOM}}}feed", {_LANG: TAGS[language]}, nsmap={None: _ATOM})
    newest = max((change.updated for change in changes), default=commit_time(guide.root) or 0)
    for name, text in (("id", home), ("title", site.names[language]), ("subtitle", site.descriptions[language])):
        _add(feed, name, text)
    _add(feed, "updated", _time(newest))
    _add(feed, "link", rel="self", type="application/atom+xml", href=home + FILE)
    _add(feed, "link", rel="alternate", type="text/html", href=home)
    _add(_add(feed, "author"), "name", site.names[language])
    _add(feed, "rights", site.copyrights[language])
    for change in changes:
        _add_entry(feed, guide, site, language, change)
    return bytes(etree.tostring(feed, encoding="utf-8", xml_declaration=True, pretty_print=True))


def _add_entry(feed: etree._Element, guide: Guide, site: Site, language: str, change: Change) -> None:
    record: Entry = guide.catalog.entry[change.entry]
    address = site.page(language, guide.catalog.page_of(record.id))
    entry = _add(feed, "entry")
    _add(entry, "id", site.permalink(record.id))
    _add(entry, "title", plain_title(guide, language, record.id))
    _add(entry, "link", rel="alternate", type="text/html", hreflang=TAGS[language], href=address)
    if change.published is not None:
        _add(entry, "published", _time(change.published))
    _add(entry, "updated", _time(change.updated))
    _add(entry, "category", term=record.framework)
    content = _add(entry, "content", fix_html(guide, language, record.id), type="html")
    content.set(_BASE, site.url)


def _add(parent: etree._Element, name: str, text: str | None = None, **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    element.text = text
    return element


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

"""What is read whole away from the site: entries as Markdown, and every key with what is known of it.

Read by `fieldguide.runtime.entries` and `fieldguide.runtime.keys`, where the fields are described.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from fieldguide.content import said
from fieldguide.content.addresses import FIRST, page_address, site_link
from fieldguide.content.catalog.models import Entry
from fieldguide.content.catalog.store import Owned
from fieldguide.content.document import CODE_ATTRIBUTES, plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.keys import resolve_keys
from fieldguide.content.signature import display_signature
from fieldguide.runtime.guide import FORMAT

# Code, in which nothing is a link, or the target of a link.
_CODE_OR_LINK = re.compile(r"(?P<code>^```.*?^```|`+[^`\n]*`+)|\]\((?P<href>[^()\s]+)\)", re.DOTALL | re.MULTILINE)


def compile_entries(guide: Guide, language: str) -> dict[str, Any]:
    """The entries of a language.

    Returns:
        `{"format", "entries": {id: [framework, checked, Markdown]}, "aliases": {former id: id}}`.
    """
    entries = {
        id_: [entry.framework, said.checked(guide.catalog, entry), entry_markdown(guide, language, entry)]
        for id_, entry in guide.catalog.entry.items()
    }
    aliases = {former: id_ for former, id_ in guide.catalog.aliases.items() if id_ in entries}
    return {"format": FORMAT, "entries": entries, "aliases": aliases}


def entry_markdown(guide: Guide, language: str, entry: Entry) -> str:
    """An entry from its title to its sources; links lead to addresses below the root of the site."""
    document = guide.entry_document(language, entry.id)
    parts = [f"# {plain_inline(document.title)}"]
    for section in document.sections:
        heading = f"{'#' * section.level} {plain_inline(section.title)}" if section.level > 1 else ""
        parts += [heading, markdown(language, document.name, section.text)]
    parts += _evidence(guide, language, entry)
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown(language: str, page: str, text: str) -> str:
    """Markdown of a page as any reader of Markdown takes it.

    >>> markdown("en", "topics/memory/a", "Set `x`{ .nokey }, see [b](../batch-size/b.md): `[c](d.md)`")
    'Set `x`, see [b](topics/batch-size/b/): `[c](d.md)`'
    """

    def linked(found: re.Match[str]) -> str:
        return found["code"] or f"]({site_link(language, page, found['href'])})"

    return CODE_ATTRIBUTES.sub("", _CODE_OR_LINK.sub(linked, text)).strip()


def _evidence(guide: Guide, language: str, entry: Entry) -> Iterator[str]:
    """What the program prints, where all of it was read, what belongs to it."""
    catalog, words = guide.catalog, guide.words[language]
    prints = [
        " ".join(filter(None, (f"- {_code(display_signature(one.text))}", said.versions(catalog, one, one.of))))
        for one in catalog.signatures_of.get(entry.id, ())
    ]
    sources = [
        " ".join(filter(None, (f"- {said.source_name(catalog, one)}", said.versions(catalog, one), catalog.source_url(one))))
        for one in entry.sources
    ]
    keys = [_code(owned.key.display) for owned in resolve_keys(guide.keys, entry.keys, entry.framework)]
    also = [f"- {id_}: {plain_inline(guide.entry_document(language, id_).title)}" for id_ in entry.see_also]
    for name, rows in (("signatures", prints), ("sources", sources), ("see_also", also)):
        if rows:
            yield "\n".join([f"## {words[name]}", "", *rows])
    if keys:
        yield f"{words['config_keys']}{words['colon']}{words['comma'].join(keys)}"
    yield f"{words['checked_against']}{words['colon']}{said.checked(catalog, entry)}"


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def compile_keys(guide: Guide) -> dict[str, Any]:
    """What no language changes of a key.

    Returns:
        `{"format", "keys": [{"id", "name", "owner", "kind", "type", …}]}`; what a key does not have is left out.
    """
    listing: dict[str, list[str]] = defaultdict(list)
    for id_, entry in guide.catalog.entry.items():
        for owned in resolve_keys(guide.keys, entry.keys, entry.framework):
            listing[owned.id].append(id_)
    return {"format": FORMAT, "keys": [_key(guide, owned, listing.get(owned.id, ())) for owned in guide.catalog.owned_keys]}


def _key(guide: Guide, owned: Owned, listing: Iterable[str]) -> dict[str, Any]:
    """`listing`: entries that list it; those that mention it come after them."""
    key, catalog = owned.key, guide.catalog
    record = {
        "id": owned.id,
        "name": key.display,
        "owner": owned.owner,
        "kind": key.kind.value,
        "type": key.type,
        "default": key.default,
        "required": key.required,
        "choices": key.choices,
        "paths": key.paths,
        "spellings": [one for one in dict.fromkeys((key.name, *key.spellings)) if one != key.display],
        "since": key.since,
        "later": key.later,
        "removed": key.removed,
        "renamed_to": key.renamed_to,
        "help": key.help,
        "source": [said.source_name(catalog, key.source), catalog.source_url(key.source) or ""],
        "page": f"{page_address(FIRST, guide.page_of_key[owned.id])}#{owned.id}",
        "entries": list(dict.fromkeys((*listing, *guide.mentions.get(owned.id, ())))),
    }
    return {name: value for name, value in record.items() if value or (name == "default" and value is not None)}


def compile_key_words(guide: Guide, language: str) -> dict[str, Any]:
    """What the glossary says of keys in a language.

    Returns:
        `{"format", "prefix": address of the language's pages, "words": {id: Markdown}}`; many keys have no words of their own.
    """
    found = {}
    for owned in guide.catalog.owned_keys:
        if section := guide.section(language, owned.id):
            found[owned.id] = markdown(language, guide.home_of[owned.id], section.text)
    return {"format": FORMAT, "prefix": page_address(language, "index"), "words": found}

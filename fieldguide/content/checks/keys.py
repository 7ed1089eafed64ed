"""Inline code that reads like a key must be one that the catalog knows."""

from collections.abc import Iterator

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.document import Document, InlineCode
from fieldguide.content.guide import Guide
from fieldguide.content.keys import Ambiguous, Unknown, resolve_keys
from fieldguide.content.problems import Problem
from fieldguide.runtime.guide import SHARED


def check_keys(guide: Guide) -> Iterator[Problem]:
    """Unknown and ambiguous keys in running text, and keys that catalog entries and concepts name."""
    for language in LANGUAGES:
        for document in guide.documents[language].values():
            for index, section in enumerate(document.sections):
                framework = guide.framework_at(document, index)
                for code in section.codes:
                    yield from _check_code(guide, document, code, framework)
    yield from _catalog_keys(guide)
    yield from _told(guide)


def _told(guide: Guide) -> Iterator[Problem]:
    """A key that an entry mentions, in its text or its list, is explained."""
    for item in guide.catalog.entries:
        mentioned = resolve_keys(guide.keys, item.record.keys, item.record.framework)
        mentioned += [guide.catalog.key_by_id[id_] for id_, entries in guide.mentions.items() if item.record.id in entries]
        for id_, owned in sorted({owned.id: owned for owned in mentioned}.items()):
            if id_ not in guide.home_of:
                where = f"docs/*/{guide.page_of_key[id_]}.md"
                yield Problem(
                    item.path, item.line, f"entry {item.record.id} mentions {owned.key.name}: write #{id_} in {where}"
                )


def _check_code(guide: Guide, document: Document, code: InlineCode, framework: str | None) -> Iterator[Problem]:
    if code.opted_out:
        return
    if code.framework and code.framework not in guide.catalog.framework:
        yield Problem(document.path, code.line, f"data-fw names no framework {code.framework!r}")
        return
    resolved = guide.keys.resolve(code.text, code.framework or framework)
    if isinstance(resolved, Unknown | Ambiguous):
        yield Problem(document.path, code.line, explain(resolved, code.framework or framework))


def explain(fault: Unknown | Ambiguous, framework: str | None) -> str:
    """One line that says what is wrong with a key and what to write instead."""
    if isinstance(fault, Ambiguous):
        owners = ", ".join(fault.owners)
        return f"key {fault.text!r} exists in {owners}: write `{fault.text}`{{ data-fw=… }}"
    hint = f"; closest: {', '.join(fault.closest)}" if fault.closest else ""
    where = f" of {framework}" if framework else ""
    return f"unknown key {fault.text!r}{where}{hint} (no key? add it to catalog/symbols.yml or mark it {{ .nokey }})"


def _catalog_keys(guide: Guide) -> Iterator[Problem]:
    named = [(i.path, i.line, key, i.record.framework) for i in guide.catalog.entries for key in i.record.keys]
    named += [
        (i.path, i.line, key, owner) for i in guide.catalog.concepts for owner, keys in i.record.keys.items() for key in keys
    ]
    for path, line, key, framework in named:
        resolved = guide.keys.resolve(key, framework if framework in guide.catalog.framework else None)
        if isinstance(resolved, Ambiguous) and framework == SHARED:
            continue  # it means each of theirs
        if (resolved is None and not guide.keys.is_broken(key)) or isinstance(resolved, Unknown | Ambiguous):
            fault = resolved or Unknown(key)
            yield Problem(path, line, explain(fault, framework))

"""llms.txt: what the guide is and where its Markdown lies, for language models (the convention of llmstxt.org)."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.document import plain_inline
from fieldguide.content.guide import Guide
from fieldguide.site.configuration import NavPage, Site
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.publish import catalog
from fieldguide.site.publish.plain import markdown_url
from fieldguide.site.theme import describe, is_key_group

FILE = "llms.txt"


def write_llms(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write `llms.txt` of every language at its root.

    Returns:
        the files written.
    """
    files = {language: folder / page_address(language, "index") / FILE for language in LANGUAGES}
    for language, file in files.items():
        file.write_text(llms_text(guide, site, language), encoding="utf-8")
    return list(files.values())


def llms_text(guide: Guide, site: Site, language: str) -> str:
    """Title, summary, how to use it, then the pages with their descriptions: by navigation group, by topic, groups of keys."""
    words = guide.words[language]
    lines = [f"# {site.names[language]}", "", f"> {site.descriptions[language]}", "", words["llms_use"], ""]
    for label, pages in groupby(_grouped(site), key=lambda one: one[0]):
        title = site.labels[language].get(label, label) if label else words["llms_pages"]
        lines += [f"## {title}", "", *(_line(guide, site, language, page.name) for _, page in pages), ""]
    for topic in (page.topic for page in site.nav if page.topic):
        home = guide.documents[language][f"topics/{topic}/index"]
        entries = guide.catalog.entries_of.get(topic, ())
        lines += [f"## {plain_inline(home.title)}", ""]
        lines += [*(_line(guide, site, language, guide.catalog.page_of(entry.id)) for entry in entries), ""]
    for folder in ("versions", "bugs"):
        own = [name for name in guide.documents[language] if name.startswith(f"{folder}/") and not name.endswith("/index")]
        if own:
            title = plain_inline(guide.documents[language][f"{folder}/index"].title)
            lines += [f"## {title}", "", *(_line(guide, site, language, name) for name in own), ""]
    data = [(catalog.FILE, words["llms_catalog"]), (catalog.SCHEMA_FILE, words["llms_schema"])]
    lines += [f"## {words['llms_data']}", "", *(f"- [{name}]({site.url}{name}): {text}" for name, text in data), ""]
    others = (one for one in LANGUAGES if one != language)
    twins = [f"- [{site.names[one]}]({site.page(one, 'index')}{FILE}): {site.descriptions[one]}" for one in others]
    keys = [name for name in guide.documents[language] if is_key_group(name)]
    lines += ["## Optional", "", *(_line(guide, site, language, name) for name in keys)]
    return "\n".join([*lines, *twins, ""])


def _grouped(site: Site) -> Iterator[tuple[str, NavPage]]:
    """(label of the group, page); pages outside groups come first, under no label."""
    pages = [(page.group, page) for page in site.nav]
    return iter([one for one in pages if not one[0]] + [one for one in pages if one[0]])


def _line(guide: Guide, site: Site, language: str, name: str) -> str:
    document = guide.documents[language][name]
    title = Renderer.code_title(document.title).striptags()
    description = describe(guide, document)
    return f"- [{title}]({markdown_url(site, language, name)})" + (f": {description}" if description else "")

"""The fix of every entry as HTML, which the log page shows below each error it found."""

from pathlib import Path
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from fieldguide.content.addresses import LANGUAGES, site_link
from fieldguide.content.answer import fix_of
from fieldguide.content.bugs import remedy, standing
from fieldguide.content.catalog.models import Bug
from fieldguide.content.guide import Guide
from fieldguide.content.writing import write_json

# Those of mkdocs.yml that the text of a fix may use.
EXTENSIONS = ["admonition", "attr_list", "def_list", "tables", "pymdownx.highlight", "pymdownx.superfences"]
HIGHLIGHT = {"use_pygments": True}


def write_fixes(guide: Guide, site: Path) -> list[Path]:
    """Write `search/fixes-<language>.json` below the built site: entry id → HTML.

    Returns:
        the files written.
    """
    folder = site / "search"
    return [write_json(folder / f"fixes-{language}.json", fixes(guide, language)) for language in LANGUAGES]


def fixes(guide: Guide, language: str) -> dict[str, str]:
    """HTML of every entry's fix or answer, and of every bug's; links are relative to the root of the site."""
    plain = Markdown()
    bugs = {item.record.id: bug_html(guide, language, item.record, plain) for item in guide.catalog.bugs}
    return {entry: fix_html(guide, language, entry) for entry in guide.catalog.entry} | bugs


def bug_html(guide: Guide, language: str, bug: Bug, renderer: Markdown | None = None) -> str:
    """HTML of what to do about a bug, after which releases have it."""
    words = guide.words[language]
    said = (standing(guide.catalog, bug, words), remedy(guide.catalog, bug, language, words))
    return (renderer or Markdown()).reset().convert("\n\n".join(said))


def fix_html(guide: Guide, language: str, entry: str) -> str:
    """HTML of one entry's fix or answer."""
    page = guide.catalog.page_of(entry)
    configs = {"pymdownx.highlight": HIGHLIGHT}
    renderer = Markdown(extensions=[*EXTENSIONS, _SiteLinks(language, page)], extension_configs=configs)
    return renderer.convert(fix_of(guide, language, entry))


class _LinkTreeprocessor(Treeprocessor):
    def __init__(self, md: Markdown, language: str, page: str) -> None:
        super().__init__(md)
        self._language = language
        self._page = page

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            link.set("href", site_link(self._language, self._page, link.get("href", "")))


class _SiteLinks(Extension):
    def __init__(self, language: str, page: str) -> None:
        super().__init__()
        self._language = language
        self._page = page

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (library's name)
        md.treeprocessors.register(_LinkTreeprocessor(md, self._language, self._page), "site-links", 5)

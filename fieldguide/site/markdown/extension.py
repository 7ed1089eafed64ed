"""Registers what `fieldguide` adds to Markdown.

    from markdown import markdown
    html = markdown(text, extensions=["attr_list", FieldGuideExtension(guide, PageContext("en", "topics/memory"))])

Links come out as relative `.md` paths, for MkDocs (or any other builder) to resolve and to check.
"""

from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from pymdownx.blocks import BlocksExtension, BlocksProcessor
from pymdownx.blocks.block import Block

from fieldguide.content.addresses import page_address, permalink_address
from fieldguide.content.diagram import picture
from fieldguide.content.guide import Guide
from fieldguide.site.markdown.blocks import fill_blocks
from fieldguide.site.markdown.cards import add_cards, unlink_folded
from fieldguide.site.markdown.commands import label_commands
from fieldguide.site.markdown.crosslinks import link_keys
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.markdown.sections import wrap_sections


@dataclass(frozen=True)
class PageContext:
    """Which page is rendered.

    Attributes:
        name: path below the language folder, without suffix.
        framework: the framework that the whole page is about.
        live: it is rendered again and again, and templates change in between.
    """

    language: str
    name: str
    framework: str | None = None
    live: bool = False


class _CatalogBlock(Block):
    """`/// catalog | rules roll` … `///`: a table made from the catalog."""

    NAME = "catalog"
    ARGUMENT = True

    def on_create(self, parent: Element) -> Element:
        return SubElement(parent, "div", {"data-catalog": self.argument.strip()})


class _CatalogBlocks(BlocksExtension):
    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:  # noqa: N802 (library's name)
        block_mgr.register(_CatalogBlock, self.getConfigs())


class _GuideTreeprocessor(Treeprocessor):
    def __init__(self, md: Markdown, guide: Guide, page: PageContext) -> None:
        super().__init__(md)
        self._guide = guide
        self._page = page
        self._renderer = Renderer(guide, page.language, page.name, page.live)

    def run(self, root: Element) -> None:
        fill_blocks(root, self._renderer)
        wrap_sections(root, self._guide)
        link_keys(root, self._guide, self._renderer, self._page.framework, self.md.htmlStash.rawHtmlBlocks)
        label_commands(root, self._guide.catalog, self._renderer, self.md.htmlStash.rawHtmlBlocks)
        add_cards(root, self._guide, self._renderer)
        _empty_heads(root)


def _empty_heads(root: Element) -> None:
    """The empty corner of a table heads no column: a screen reader would announce it for each cell below."""
    for cell in root.iter("th"):
        if not len(cell) and not (cell.text or "").strip():
            cell.tag = "td"


class _AddressTreeprocessor(Treeprocessor):
    """Addresses that no file of `docs/` stands behind: permalinks, made after the build, and pictures, part of the theme."""

    def __init__(self, md: Markdown, page: PageContext) -> None:
        super().__init__(md)
        self._language = page.language
        self._up = "../" * page_address(page.language, page.name).count("/")

    def run(self, root: Element) -> None:
        unlink_folded(root)  # here, since the table of contents has made the links by now
        for link in root.iter("a"):
            if entry := link.get("data-permalink"):
                link.set("href", self._up + permalink_address(entry))
        for image in root.iter("img"):
            if diagram := image.get("data-picture"):
                image.set("src", self._up + picture(diagram, self._language).relative_to("overrides").as_posix())


class FieldGuideExtension(Extension):
    """Cards, catalog blocks and key links for one page."""

    def __init__(self, guide: Guide, page: PageContext) -> None:
        super().__init__()
        self._guide = guide
        self._page = page

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (library's name)
        _CatalogBlocks().extendMarkdown(md)
        # After attr_list (8), which gives headings their ids, and before toc (5), which lists them.
        md.treeprocessors.register(_GuideTreeprocessor(md, self._guide, self._page), "fieldguide", 6)
        # After MkDocs (0) has resolved, and checked, the links to pages.
        md.treeprocessors.register(_AddressTreeprocessor(md, self._page), "fieldguide-addresses", -1)

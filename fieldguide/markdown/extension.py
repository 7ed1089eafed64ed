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

from fieldguide.guide import Guide
from fieldguide.markdown.blocks import fill_blocks
from fieldguide.markdown.cards import add_cards
from fieldguide.markdown.crosslinks import link_keys
from fieldguide.markdown.render import Renderer
from fieldguide.markdown.sections import wrap_sections


@dataclass(frozen=True)
class PageContext:
    """Which page is rendered.

    Attributes:
        name: path below the language folder, without suffix.
        framework: the framework that the whole page is about.
    """

    language: str
    name: str
    framework: str | None = None


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
        self._renderer = Renderer(guide, page.language, page.name)

    def run(self, root: Element) -> None:
        fill_blocks(root, self._renderer)
        wrap_sections(root, self._guide)
        link_keys(root, self._guide, self._renderer, self._page.framework, self.md.htmlStash.rawHtmlBlocks)
        add_cards(root, self._guide, self._renderer)


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

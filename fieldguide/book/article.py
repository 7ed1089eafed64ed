"""A page's article as the site has it, rendered with the site's own Markdown extensions but without MkDocs."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import markdown

from fieldguide.content.checks.staleness import without_stamps
from fieldguide.content.document import Document, without_front_matter
from fieldguide.content.guide import Guide
from fieldguide.content.problems import ContentError, Problem
from fieldguide.site.configuration import Site
from fieldguide.site.markdown import FieldGuideExtension, PageContext

# Typst colours the code; the marks behind headings are for browsers.
_OVERRIDES: dict[str, dict[str, Any]] = {
    "pymdownx.highlight": {"use_pygments": False},
    "toc": {"permalink": False},
}


def render_article(guide: Guide, settings: Site, document: Document) -> Element:
    """Render one page.

    Returns:
        <article> with the page's elements; links are still relative `.md` paths.

    Raises:
        ContentError: the page gives HTML that is not well-formed.
        OSError: the page cannot be read.
    """
    source = without_front_matter((guide.root / document.path).read_text(encoding="utf-8"))
    context = PageContext(document.language, document.name, document.meta.get("framework"))
    converter = markdown.Markdown(
        extensions=[*settings.extensions, FieldGuideExtension(guide, context)],
        extension_configs={name: {**options, **_OVERRIDES.get(name, {})} for name, options in settings.extensions.items()},
        output_format="xhtml",
    )
    html = converter.convert(without_stamps(source))
    try:
        return ElementTree.fromstring(f"<article>{html}</article>")
    except ElementTree.ParseError as error:
        raise ContentError([_broken(document.path, html, error)]) from error


def _broken(path: Path, html: str, error: ElementTree.ParseError) -> Problem:
    line, column = error.position
    near = html.splitlines()[line - 1][max(0, column - 40) : column + 40] if html else ""
    return Problem(path, 0, f"the HTML is not well-formed ({error.msg.split(':')[0]}) near {near!r}")

"""What MkDocs does for one page after the other is done by all cores before it asks: Markdown, then the theme's templates."""

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from jinja2 import Environment, Template
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from fieldguide.site.parallel import at_once

T = TypeVar("T")
# What rendering leaves on a page, as `mkdocs.structure.pages.Page.render` sets it.
_MADE = ("content", "toc", "_title_from_render", "present_anchor_ids")


@dataclass(frozen=True)
class Rendered:
    """A page as another process rendered it, with what MkDocs said of it.

    Attributes:
        made: attributes of the page.
        links: path of a file → anchors in it that the page links to.
    """

    path: str
    made: Mapping[str, Any]
    links: Mapping[str, dict[str, str]] | None
    said: tuple[logging.LogRecord, ...]


def _on_all_cores(files: Files, work: Callable[[list[Page]], list[T]]) -> list[T]:
    """What `work` makes of the pages, each core of some; nothing where one core is all there is."""
    pages = [file.page for file in files.documentation_pages() if file.page]
    cores = os.cpu_count() or 1
    return at_once([partial(work, pages[number::cores]) for number in range(cores)]) if cores > 1 else []


def render_ahead(config: MkDocsConfig, files: Files) -> None:
    """Render every page; when MkDocs comes to a page, what was made is put in its place."""
    by_path = {file.src_uri: file for file in files}
    for one in _on_all_cores(files, partial(_render, config=config, files=files)):
        page = by_path[one.path].page
        assert page is not None
        page.render = partial(_adopt, page, one, by_path)  # type: ignore[method-assign]


def _render(pages: Iterable[Page], config: MkDocsConfig, files: Files) -> list[Rendered]:
    """The steps of a build up to a page's HTML. A page that fails is left to MkDocs, which says which one it is."""
    log, said = logging.getLogger("mkdocs"), _Records()
    log.handlers, log.propagate = [said], False  # it is said once, by the process that was started
    found = []
    for page in pages:
        try:
            page = config.plugins.on_pre_page(page, config=config, files=files)
            page.read_source(config)
            page.markdown = config.plugins.on_page_markdown(page.markdown or "", page=page, config=config, files=files)
            page.render(config, files)
        except Exception:
            said.take()
            continue
        links = page.links_to_anchors
        named = {file.src_uri: anchors for file, anchors in links.items()} if links is not None else None
        made = {name: getattr(page, name) for name in _MADE}
        found.append(Rendered(page.file.src_uri, made, named, tuple(said.take())))
    return found


def _adopt(page: Page, one: Rendered, files: Mapping[str, File], _config: MkDocsConfig, _files: Files) -> None:
    for name, value in one.made.items():
        setattr(page, name, value)
    page.links_to_anchors = {files[path]: anchors for path, anchors in one.links.items()} if one.links is not None else None
    for record in one.said:
        logging.getLogger(record.name).handle(record)


def fill_ahead(env: Environment, config: MkDocsConfig, files: Files, nav: Navigation) -> None:
    """Fill the template of every page; when MkDocs asks for one, it is there."""
    made = dict(_on_all_cores(files, partial(_fill, env=env, config=config, files=files, nav=nav)))
    if not made:
        return
    original = env.get_template

    def get_template(name: str, *within: Any) -> "Template | _Filled":
        template = original(name, *within)
        return template if within else _Filled(template, made)  # within: another template extends or includes it

    env.get_template = get_template  # type: ignore[method-assign, assignment]


def _fill(
    pages: Iterable[Page], env: Environment, config: MkDocsConfig, files: Files, nav: Navigation
) -> list[tuple[str, str]]:
    """The steps of a build from a page's HTML to the file's. A page that fails is left to MkDocs, which says which one it is.

    Returns:
        path of the page's source, and the file.
    """
    logging.getLogger("mkdocs").disabled = True  # it is said once, by the process that was started
    documents, found = files.documentation_pages(), []
    for page in pages:
        page.active = True
        try:
            context = get_context(nav, documents, config, page)
            template = env.get_template(page.meta.get("template", "main.html"))
            context = config.plugins.on_page_context(context, page=page, config=config, nav=nav)
            found.append((page.file.src_uri, template.render(context)))
        except Exception:
            continue
        finally:
            page.active = False
    return found


@dataclass(frozen=True)
class _Filled:
    """A template that knows some pages."""

    template: Template
    made: dict[str, str]

    def render(self, context: Mapping[str, Any]) -> str:
        page = context.get("page")
        made = self.made.pop(page.file.src_uri, None) if page else None
        return self.template.render(context) if made is None else made


class _Records(logging.Handler):
    """Keeps what is logged, as text that can be sent."""

    def __init__(self) -> None:
        super().__init__()
        self._records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        record.msg, record.args, record.exc_info = record.getMessage(), None, None
        self._records.append(record)

    def take(self) -> list[logging.LogRecord]:
        taken, self._records = self._records, []
        return taken

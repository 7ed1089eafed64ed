"""MkDocs adapter: everything it does is a call of a plain function in `fieldguide`.

The guide is loaded and checked once a build; it stands in `config.extra["guide"]`, where `scripts.serve` puts its own.
"""

import gc
import os
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from fieldguide.content.checks import run
from fieldguide.content.checks.staleness import without_stamps
from fieldguide.content.document import plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.problems import ContentError
from fieldguide.site.markdown import FieldGuideExtension, PageContext
from fieldguide.site.publish import publish
from fieldguide.site.publish.pictures import card_addresses
from fieldguide.site.publish.policy import write_policies
from fieldguide.site.theme import describe, hidden_columns, theme_data
from fieldguide.site.tracker import find_tracker
from scripts.ahead import fill_ahead, render_ahead


def _root(config: MkDocsConfig) -> Path:
    return Path(config.docs_dir).parent


def _guide(config: MkDocsConfig) -> Guide:
    guide: Guide = config.extra["guide"]
    return guide


def on_startup(*, command: str, **_: Any) -> None:
    """A build makes millions of small objects and ends: looking for those that nobody holds is a sixth of its time."""
    if command == "build":
        gc.disable()


@event_priority(-200)  # after the i18n plugin (-100)
def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Render the pages with every core; `scripts.serve` renders those that somebody asks for."""
    if not config.extra.get("live"):
        render_ahead(config, files)
        config.extra["nav"] = nav
    return nav


def on_pre_build(config: MkDocsConfig, **_: Any) -> None:
    """Stop the build with every content problem, file and line each."""
    if config.plugins["i18n"].building:
        return  # another language of the same build
    try:
        config.extra["guide"] = run(_root(config))
    except ContentError as error:
        raise PluginError(f"{len(error.problems)} content problem(s)\n{error}") from error


@event_priority(-200)  # after the plugins that give the templates something
def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Give the theme's templates the words, frameworks and pages, and fill them with every core."""
    env.globals["fieldguide"] = theme_data(_guide(config), card_addresses())
    env.trim_blocks = env.lstrip_blocks = True  # the lines of a template that only decide would be blank lines of every page
    if not config.extra.get("live"):
        fill_ahead(env, config, files, config.extra.pop("nav"))
    return env


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """There is one page for unknown addresses: the first language's, whose script shows the reader's."""
    return "" if template_name == "404.html" and config.plugins["i18n"].building else output


@event_priority(-200)  # after the i18n plugin (-100), which builds the other languages at this event
def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """Write what stands beside the pages, once, when every language is there."""
    if config.plugins["i18n"].building:
        return
    folder = Path(config.site_dir)
    publish(_guide(config), folder, config.site_url or "/")
    write_policies(folder)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Set up the Markdown extension for this page and take the stamps out of its source."""
    if not os.environ.get("FIELDGUIDE_THEME_SEARCH"):  # the theme's own index stays empty but for comparisons
        page.meta["search"] = {"exclude": True}
    language, name = page.file.src_uri.removesuffix(".md").split("/", 1)
    context = PageContext(language, name, page.meta.get("framework"), bool(config.extra.get("live")))
    guide = _guide(config)
    document = guide.documents[language][name]
    if page.file.inclusion.is_not_in_nav():  # the navigation has its own, shorter names
        page.title = plain_inline(document.title)
    page.meta["description"] = describe(guide, document)
    page.meta["hide"] = hidden_columns(guide, document, page.parent is not None)
    tracker = find_tracker()
    page.edit_url = tracker.edit(f"docs/{page.file.src_uri}") if tracker else None
    others = [item for item in config.markdown_extensions if not isinstance(item, FieldGuideExtension)]
    config.markdown_extensions = [*others, FieldGuideExtension(guide, context)]
    return without_stamps(markdown)

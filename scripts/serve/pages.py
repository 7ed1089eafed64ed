"""The site as it is now, made page by page. Everything here is what MkDocs and its plugins do in a build, but on request."""

import logging
import mimetypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache
from mkdocs.commands.build import _build_page, _build_theme_template, _populate_page
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, get_files, set_exclusions
from mkdocs.structure.nav import Navigation, get_navigation
from mkdocs.structure.pages import Page

from fieldguide.guide import LANGUAGES, Guide
from fieldguide.lenient import load_anyway
from fieldguide.markdown.render import Renderer
from fieldguide.publish import PRODUCTS, Product, site_at
from fieldguide.publish.plain import FILE as PLAIN
from fieldguide.publish.plain import plain_page
from fieldguide.publish.policy import with_policy
from fieldguide.site import Site
from fieldguide.theme import page_address
from scripts.serve.faults import fault_page
from scripts.serve.messages import Answer

HTML = "text/html; charset=utf-8"
# What MkDocs raises when it gives up is a SystemExit; here nothing may end the process.
ANYTHING = (Exception, SystemExit)


@dataclass(frozen=True)
class Language:
    """What MkDocs needs to make a page of one language."""

    config: MkDocsConfig
    files: Files
    nav: Navigation
    env: Environment

    @cached_property
    def by_address(self) -> dict[str, File]:
        return {file.dest_uri: file for file in self.files}


def load_language(root: Path, language: str, guide: Guide, url: str, folder: Path) -> Language:
    """All of it, without making a page; the steps are those of `mkdocs.commands.build.build`."""
    config = load_config(str(root / "mkdocs.yml"), site_dir=str(folder / "site"), site_url=url)
    config.extra["guide"] = guide
    config.plugins["i18n"].current_language = language
    config.plugins.on_startup(command="serve", dirty=False)
    config = config.plugins.on_config(config)
    files = get_files(config)
    env = config.theme.get_env()
    (folder / "templates").mkdir(exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(folder / "templates"))
    files.add_files_from_theme(env, config)
    files = config.plugins.on_files(files, config=config)
    set_exclusions(files, config)
    nav = config.plugins.on_nav(get_navigation(files, config), config=config, files=files)
    _name_pages(nav, config, guide)
    return Language(config, files, nav, config.plugins.on_env(env, config=config, files=files))


def _name_pages(nav: Navigation, config: MkDocsConfig, guide: Guide) -> None:
    """Give the pages of the navigation the titles and front matter that they have after all are rendered."""
    for page in nav.pages:
        language, name = page.file.src_uri.removesuffix(".md").split("/", 1)
        try:
            page.read_source(config)
        except ValueError:
            page.markdown = ""  # not UTF-8
        document = guide.documents[language].get(name)
        if document and "title" not in vars(page) and "title" not in page.meta:
            page.title = re.sub(r"<[^>]+>", "", Renderer.code_title(document.title))


@dataclass
class Pages:
    """The site of the checkout `root`, to be served at `url`; `answer` is all that is asked of it.

    Attributes:
        folder: holds what is made.
    """

    root: Path
    url: str
    folder: Path
    _version: int = -1
    _guide: Guide | None = None
    _site: Site | None = None
    _languages: dict[str, Language] = field(default_factory=dict)
    _answers: dict[str, Answer] = field(default_factory=dict)

    def answer(self, address: str, version: int) -> Answer:
        """What a browser gets at an address below the root of the site.

        Args:
            version: another number than last time: files have changed.
        """
        try:
            if version != self._version:
                self._refresh()
                self._version = version
        except ANYTHING as error:
            return self._fault(address, error)
        if address not in self._answers:
            try:
                self._answers[address] = self._make(address)
            except ANYTHING as error:
                self._answers[address] = self._fault(address, error)
        return self._answers[address]

    def _refresh(self) -> None:
        self._answers = {}
        self._guide = load_anyway(self.root, self._guide)
        try:
            self._site = site_at(self.root, self.url)
            self._languages = {
                language: load_language(self.root, language, self._guide, self.url, self.folder) for language in LANGUAGES
            }
        except ANYTHING:
            if not self._languages:
                raise
            for one in self._languages.values():  # as configured before
                one.config.extra["guide"] = self._guide
                one.config.plugins.on_env(one.env, config=one.config, files=one.files)

    def _make(self, address: str) -> Answer:
        target = f"{address}index.html" if address.endswith("/") or not address else address
        for language in self._languages.values():
            file = language.by_address.get(target)
            if file and file.is_documentation_page():
                return self._page(language, file)
        if address.endswith(PLAIN) and (page := self._plain(address)):
            return Answer(200, "text/markdown; charset=utf-8", page)
        for product in PRODUCTS:
            if product.has(target):
                self._write(product)
                return self._answers.get(target) or self._missing()
        return self._static(address)

    def _page(self, language: Language, file: File) -> Answer:
        page = file.page or Page(None, file, language.config)
        with warnings() as notes:
            _populate_page(page, language.config, language.files)
            _build_page(page, language.config, language.files.documentation_pages(), language.nav, language.env)
        text = Path(file.abs_dest_path).read_text(encoding="utf-8")
        return Answer(200, HTML, with_policy(text).encode(), f"docs/{file.src_uri}", tuple(notes))

    def _plain(self, address: str) -> bytes | None:
        """Markdown of the page beside which it is asked for."""
        beside = address.removesuffix(PLAIN)
        for language in self._languages.values():
            file = language.by_address.get(f"{beside}index.html")
            if file and self._site:
                return plain_page(self._page(language, file).body.decode(), self._site, beside).encode()
        return None

    def _write(self, product: Product) -> None:
        assert self._guide and self._site
        folder = self.folder / "products"
        for language in LANGUAGES:
            (folder / page_address(language, "index")).mkdir(parents=True, exist_ok=True)
        for file in product.write(self._guide, self._site, folder):
            address = file.relative_to(folder).as_posix()
            self._answers[address] = self._file(file)
            self._answers[address.removesuffix("index.html")] = self._answers[address]

    def _static(self, address: str) -> Answer:
        for language in self._languages.values():
            if file := language.by_address.get(address):
                return self._file(Path(str(file.abs_src_path)))
            if f"{address}/index.html" in language.by_address:
                return Answer(302, HTML, f"/{address}/".encode())
        return self._missing()

    def _missing(self) -> Answer:
        """The page for what is not there: a build writes it once a language, so that the last one stays."""
        language = self._languages[LANGUAGES[-1]]
        _build_theme_template("404.html", language.env, language.files, language.config, language.nav)
        text = Path(language.config.site_dir, "404.html").read_text(encoding="utf-8")
        return Answer(404, HTML, with_policy(text).encode())

    @staticmethod
    def _file(file: Path) -> Answer:
        content = file.read_bytes()
        if file.suffix == ".html":
            return Answer(200, HTML, with_policy(content.decode()).encode())
        return Answer(200, mimetypes.guess_type(file.name)[0] or "application/octet-stream", content)

    def _fault(self, address: str, error: BaseException) -> Answer:
        """A page that says what is wrong, in place of the one that was asked for."""
        target = f"{address}index.html" if address.endswith("/") or not address else address
        files = (one.by_address.get(target) for one in self._languages.values())
        source = next((f"docs/{file.src_uri}" for file in files if file and file.is_documentation_page()), "")
        return Answer(200, HTML, fault_page(self.root, error, source).encode(), source)


@contextmanager
def warnings() -> Iterator[list[str]]:
    """Collects what MkDocs warns of: in a build it stops at the end, strictly."""
    found: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: found.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    try:
        yield found
    finally:
        logger.removeHandler(handler)

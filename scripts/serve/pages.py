"""The site as it is now, made page by page. Everything here is what MkDocs and its plugins do in a build, but on request."""

import logging
import mimetypes
import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
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

from fieldguide.content.addresses import FIRST, LANGUAGES, page_address
from fieldguide.content.edition import edition
from fieldguide.content.guide import Guide
from fieldguide.content.lenient import load_anyway
from fieldguide.content.problems import ContentError, Problem
from fieldguide.site.configuration import Site
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.publish import PRODUCTS, Product, site_at
from fieldguide.site.publish.plain import FILE as PLAIN
from fieldguide.site.publish.plain import plain_page
from fieldguide.site.publish.policy import finished
from scripts.serve.faults import fault_page, faults_of
from scripts.serve.messages import Answer, Fault

HTML = "text/html; charset=utf-8"
# What MkDocs raises when it gives up is a SystemExit; here nothing may end the process.
ANYTHING = (Exception, SystemExit)
THEME_INDEX = "search/search_index.json"


@dataclass(frozen=True)
class Language:
    """What MkDocs needs to make a page of one language.

    Attributes:
        untitled: the pages of the navigation to which neither it nor their front matter gives a title.
    """

    config: MkDocsConfig
    files: Files
    nav: Navigation
    env: Environment
    untitled: tuple[Page, ...]

    @cached_property
    def by_address(self) -> dict[str, File]:
        return {file.dest_uri: file for file in self.files}

    def take_in(self, guide: Guide) -> None:
        """From now on pages are made of this guide, and the navigation has its titles."""
        self.config.extra["guide"] = guide
        for page in self.nav.pages:
            _read(page, self.config)
        for page in self.untitled:
            language, name = page.file.src_uri.removesuffix(".md").split("/", 1)
            title = page.meta.get("title") or _rendered(guide.documents[language][name].title)
            page.title = title  # as it is after all pages are rendered
        if self.env.cache is not None:
            self.env.cache.clear()  # templates may have changed, and macros keep the globals of their first use
        self.config.plugins.on_env(self.env, config=self.config, files=self.files)


def load_language(root: Path, language: str, url: str, folder: Path) -> Language:
    """All of it, without making a page; the steps are those of `mkdocs.commands.build.build`."""
    config = load_config(str(root / "mkdocs.yml"), site_dir=str(folder / "site"), site_url=url)
    config.plugins["i18n"].current_language = language
    config.extra["live"] = True
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
    return Language(config, files, nav, env, tuple(page for page in nav.pages if "title" not in vars(page)))


def outline(root: Path) -> Hashable:
    """What `load_language` depends on: the configuration, and which files there are."""
    names = (file for folder in ("docs", "overrides") for file in (root / folder).rglob("*"))
    return edition(root / "mkdocs.yml"), frozenset(names)


def _read(page: Page, config: MkDocsConfig) -> None:
    """Front matter and Markdown of a page; one that is not UTF-8 stays as it was."""
    with suppress(ValueError):
        page.file.content_string  # noqa: B018 (MkDocs does not only raise, it also logs)
        page.read_source(config)


def _rendered(title: str) -> str:
    return re.sub(r"<[^>]+>", "", Renderer.code_title(title))


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
    _outline: Hashable = None
    _languages: dict[str, Language] = field(default_factory=dict)
    _answers: dict[str, Answer] = field(default_factory=dict)

    def answer(self, address: str, version: int) -> Answer:
        """What a browser gets at an address below the root of the site.

        Args:
            version: a greater number than last time: files have changed.
        """
        if fault := self.take_in(version):
            return self._fault(address, fault)
        if address not in self._answers:
            try:
                self._answers[address] = self._make(address)
            except ANYTHING as error:
                self._answers[address] = self._fault(address, error)
        return self._answers[address]

    def take_in(self, version: int) -> BaseException | None:
        """Read what has changed since the last version.

        Returns:
            why there is nothing to make pages of.
        """
        if version <= self._version:
            return None
        self._answers = {}
        try:
            self._guide = load_anyway(self.root, self._guide)
            self._configure()
            for language in self._languages.values():
                language.take_in(self._guide)
        except ANYTHING as error:
            return error
        self._version = version
        return None

    def _configure(self) -> None:
        """Read the configuration if it has changed; while it is broken, the last one stays."""
        now = outline(self.root)
        if now == self._outline:
            return
        with warnings() as notes:  # the checks say them
            try:
                site = site_at(self.root, self.url)
                languages = {one: load_language(self.root, one, self.url, self.folder) for one in LANGUAGES}
            except ANYTHING:
                if self._languages:
                    return
                if notes:  # say more than the exception
                    raise ContentError([Problem(Path("mkdocs.yml"), 0, note) for note in notes]) from None
                raise
        self._site, self._languages, self._outline = site, languages, now

    def _make(self, address: str) -> Answer:
        target = _file_at(address)
        if found := self._page_at(target):
            return self._page(*found)
        if address.endswith(PLAIN) and (found := self._page_at(address.removesuffix(PLAIN) + "index.html")):
            return self._plain(address, self._page(*found))
        product = next((product for product in PRODUCTS if product.has(target) and target != THEME_INDEX), None)
        if product:
            self._write(product)
            return self._answers.get(target) or self._missing()
        return self._static(address)

    def _page_at(self, target: str) -> tuple[Language, File] | None:
        found = ((language, language.by_address.get(target)) for language in self._languages.values())
        return next(((language, file) for language, file in found if file and file.is_documentation_page()), None)

    def _page(self, language: Language, file: File) -> Answer:
        page = file.page or Page(None, file, language.config)
        with warnings() as notes:
            _populate_page(page, language.config, language.files)
            _build_page(page, language.config, language.files.documentation_pages(), language.nav, language.env)
        text = Path(file.abs_dest_path).read_text(encoding="utf-8")
        source = f"docs/{file.src_uri}"
        return Answer(200, HTML, finished(text).encode(), source, tuple(Fault(source, 0, note) for note in notes))

    def _plain(self, address: str, page: Answer) -> Answer:
        """Markdown of the page beside which it is asked for."""
        assert self._site
        text = plain_page(page.body.decode(), self._site, address.removesuffix(PLAIN))
        return Answer(200, "text/markdown; charset=utf-8", text.encode())

    def _write(self, product: Product) -> None:
        """Make the files of a product, each at its address and, if it is a page, at that of its folder."""
        assert self._guide and self._site
        folder = self.folder / "products"
        for language in LANGUAGES:
            (folder / page_address(language, "index")).mkdir(parents=True, exist_ok=True)
        for file in product.write(self._guide, self._site, folder):
            address = file.relative_to(folder).as_posix()
            self._answers[address] = self._answers[address.removesuffix("index.html")] = _file_answer(file)

    def _static(self, address: str) -> Answer:
        if address == THEME_INDEX:  # empty, and yet the theme asks for it
            config = self._languages[FIRST].config
            config.plugins["material/search"].on_post_build(config=config)
            return _file_answer(Path(config.site_dir, address))
        for language in self._languages.values():
            if file := language.by_address.get(address):
                return _file_answer(Path(str(file.abs_src_path)))
            if f"{address}/index.html" in language.by_address:
                return Answer(302, HTML, f"/{address}/".encode())
        return self._missing()

    def _missing(self) -> Answer:
        """The page for what is not there: a build writes it once a language, so that the last one stays."""
        language = self._languages[LANGUAGES[-1]]
        _build_theme_template("404.html", language.env, language.files, language.config, language.nav)
        text = Path(language.config.site_dir, "404.html").read_text(encoding="utf-8")
        return Answer(404, HTML, finished(text).encode())

    def _fault(self, address: str, error: BaseException) -> Answer:
        """A page that says what is wrong, in place of the one that was asked for."""
        found = self._page_at(_file_at(address))
        source = f"docs/{found[1].src_uri}" if found else ""
        faults = faults_of(self.root, error)
        return Answer(200, HTML, fault_page(faults, error, source).encode(), source, tuple(faults))


def _file_at(address: str) -> str:
    return f"{address}index.html" if address.endswith("/") or not address else address


def _file_answer(file: Path) -> Answer:
    content = file.read_bytes()
    if file.suffix == ".html":
        return Answer(200, HTML, finished(content.decode()).encode())
    return Answer(200, mimetypes.guess_type(file.name)[0] or "application/octet-stream", content)


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

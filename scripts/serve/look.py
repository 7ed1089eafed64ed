"""Everything that is wrong with the checkout as it is now."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, TemplateSyntaxError

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.checks import CHECKS
from fieldguide.content.edition import Edition, edition
from fieldguide.content.guide import Guide
from fieldguide.content.lenient import load_anyway
from fieldguide.content.problems import Problem
from scripts.serve.faults import faults_of
from scripts.serve.messages import Fault
from scripts.serve.pages import ANYTHING, load_language, outline, warnings

TEMPLATES = ("overrides/**/*.html", "fieldguide/**/*.html")


@dataclass
class Look:
    """The checkout `root`, to be served at `url`, as the checks see it again and again."""

    root: Path
    url: str
    folder: Path
    _guide: Guide | None = None

    def problems(self) -> list[Fault]:
        """Of configuration, content and templates; what only follows from a fault is not listed, nor anything twice."""
        configuration = _configuration(self.root, self.url, self.folder, outline(self.root))
        return list(dict.fromkeys([*configuration, *_templates(self.root), *self._content()]))

    def _content(self) -> Iterator[Fault]:
        try:
            self._guide = guide = load_anyway(self.root, self._guide)
        except ANYTHING as error:
            yield from faults_of(self.root, error)
            return
        yield from map(_fault, guide.faults)
        for check in CHECKS:
            try:
                yield from map(_fault, check(guide))
            except ANYTHING as error:
                if not guide.faults:  # else a check may trip over one of them
                    yield from faults_of(self.root, error)


def _fault(problem: Problem) -> Fault:
    return Fault(problem.path.as_posix(), problem.line, problem.message)


@lru_cache(maxsize=1)
def _configuration(root: Path, url: str, folder: Path, _outline: Hashable) -> list[Fault]:
    """What MkDocs says of mkdocs.yml; its reasons for giving up, where it logs them, are better than the exception."""
    with warnings() as notes:
        try:
            for language in LANGUAGES:
                load_language(root, language, url, folder)
        except ANYTHING as error:
            return [Fault("mkdocs.yml", 0, note) for note in notes] or faults_of(root, error)
    return [Fault("mkdocs.yml", 0, note) for note in notes]


def _templates(root: Path) -> Iterator[Fault]:
    files = sorted(file for pattern in TEMPLATES for file in root.glob(pattern))
    return (fault for file in files for fault in _template(root, file, edition(file)))


@lru_cache(maxsize=1 << 10)
def _template(root: Path, file: Path, _edition: Edition) -> list[Fault]:
    path = file.relative_to(root).as_posix()
    try:
        Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.loopcontrols"]).parse(file.read_text(encoding="utf-8"))
    except TemplateSyntaxError as error:
        return [Fault(path, error.lineno, f"template: {error.message}")]
    except ValueError:
        return [Fault(path, 0, "not UTF-8")]
    return []

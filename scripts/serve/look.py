"""Everything that is wrong with the checkout as it is now."""

from collections.abc import Hashable, Iterator
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, TemplateSyntaxError

from fieldguide.checks import run
from fieldguide.edition import Edition, edition
from fieldguide.guide import LANGUAGES
from scripts.serve.faults import faults_of
from scripts.serve.messages import Fault
from scripts.serve.pages import ANYTHING, load_language, outline, warnings

TEMPLATES = ("overrides/**/*.html", "fieldguide/**/*.html")


def look(root: Path, url: str, folder: Path) -> list[Fault]:
    """Content, configuration and templates; what has not changed is not looked at again."""
    configuration = _configuration(root, url, folder, outline(root))
    return list(dict.fromkeys([*_content(root), *configuration, *_templates(root)]))


def _content(root: Path) -> list[Fault]:
    try:
        run(root)
    except ANYTHING as error:
        return faults_of(root, error)
    return []


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

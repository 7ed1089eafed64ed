"""Everything that is wrong with the checkout as it is now."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, TemplateSyntaxError

from fieldguide.checks import run
from fieldguide.lenient import load_anyway
from scripts.serve.faults import faults_of
from scripts.serve.messages import Fault
from scripts.serve.pages import ANYTHING, load_language, warnings

TEMPLATES = ("overrides/**/*.html", "fieldguide/**/*.html")


def look(root: Path, url: str, folder: Path) -> list[Fault]:
    """Content, configuration and templates."""
    return list(dict.fromkeys([*_content(root), *_configuration(root, url, folder), *_templates(root)]))


def _content(root: Path) -> Iterable[Fault]:
    try:
        run(root)
    except ANYTHING as error:
        return faults_of(root, error)
    return []


def _configuration(root: Path, url: str, folder: Path) -> Iterable[Fault]:
    """Only what MkDocs says; the guide has been looked at."""
    try:
        guide = load_anyway(root, None)
    except ANYTHING:
        return []
    with warnings() as notes:
        try:
            load_language(root, "en", guide, url, folder)
        except ANYTHING as error:
            found = faults_of(root, error)
            return [Fault("mkdocs.yml", 0, note) for note in notes] or found
    return [Fault("mkdocs.yml", 0, note) for note in notes]


def _templates(root: Path) -> Iterable[Fault]:
    environment = Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.loopcontrols"])
    for file in sorted(file for pattern in TEMPLATES for file in root.glob(pattern)):
        try:
            environment.parse(file.read_text(encoding="utf-8"))
        except TemplateSyntaxError as error:
            yield Fault(file.relative_to(root).as_posix(), error.lineno, f"template: {error.message}")
        except ValueError:
            yield Fault(file.relative_to(root).as_posix(), 0, "not UTF-8")

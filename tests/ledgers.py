"""A made-up bug and a catalog that holds it."""

from pathlib import Path

from fieldguide.content.catalog.models import Bug, Framework
from fieldguide.content.catalog.store import Catalog, Located


def bug(**fields: object) -> Bug:
    words = {"en": {"what": "An empty batch stops the run."}, "zh": {"what": "批次为空时训练中断。"}}
    return Bug.model_validate({"id": "alpha-9", "topic": "memory", "harm": "dies", "issues": [8], **words, **fields})


def small_catalog(*rows: Bug, old_bugs: str | None = None) -> Catalog:
    alpha = Framework.model_validate(
        {"id": "alpha", "name": "Alpha", "prefix": "alpha", "glossary": "alpha", "color": "#000000", "color_dark": "#ffffff",
         "hints": ["/alpha/"], "repository": "example/alpha", "commit": "1" * 40, "date": "2026-01-01", "old_bugs": old_bugs,
         "releases": [{"tag": tag, "date": "2026-01-01"} for tag in ("v0.1.0", "v0.2.0", "v0.3.0", "v0.4.0")]}
    )  # fmt: skip
    return Catalog(
        frameworks=[Located(alpha, Path("catalog/frameworks.yml"), 1)],
        bugs=[Located(row, Path("catalog/bugs/alpha.yml"), 2) for row in rows],
    )

"""How a run's logs are read: what it leads to must be there."""

from collections.abc import Iterator

from fieldguide.content.addresses import FIRST, LANGUAGES
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem


def check_run(guide: Guide) -> Iterator[Problem]:
    """Methods without a page, and ways to end, or kinds of logs, without their words."""
    for item in guide.catalog.run:
        run = item.record
        for way in run.ways:
            if f"methods/{way.method}" not in guide.documents[FIRST]:
                yield Problem(item.path, item.line, f"way {way.name}: there is no page methods/{way.method}")
        wanted = {f"run_how_{way.name}" for way in run.ways} | {f"run_kind_{one.kind}" for one in run.files}
        for language in LANGUAGES:
            for name in sorted(wanted - guide.words[language].keys()):
                yield Problem(item.path, item.line, f"locales/{language}.yml has no {name}")

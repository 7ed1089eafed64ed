"""Calculators: every name that their formulas and the cases of the rules use exists, and the cases stand in order."""

from collections.abc import Iterator

from fieldguide.content.definition import DefinitionError, define
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem


def check_calculators(guide: Guide) -> Iterator[Problem]:
    """One problem for each calculator that does not hold together, and for rules that nothing can evaluate."""
    for item in guide.catalog.calculators:
        try:
            define(guide.catalog, item.record.framework)
        except (DefinitionError, KeyError) as error:
            yield Problem(item.path, item.line, f"calculator {item.record.framework}: {error}")
    for rule in guide.catalog.rules:
        if rule.record.cases and rule.record.framework not in guide.catalog.calculator:
            yield Problem(rule.path, rule.line, f"rule {rule.record.id} has cases, but its framework has no calculator")

"""From a calculator and the rules of the catalog to a definition with everything looked up."""

import ast
from collections.abc import Iterator
from functools import partial
from typing import Any

import yaml

from fieldguide.content.catalog.models import (
    Case,
    Choice,
    Framework,
    Input,
    InputKind,
    KeyKind,
    Quantity,
    Rule,
    Span,
    When,
)
from fieldguide.content.catalog.store import Catalog, Owned
from fieldguide.content.expression import compile_expression
from fieldguide.content.keys import KeyIndex
from fieldguide.content.signature import parse_signature
from fieldguide.runtime.calculate.definition import (
    BoundCase,
    BoundChoice,
    BoundInput,
    BoundPlacement,
    BoundQuantity,
    Definition,
)
from fieldguide.runtime.calculate.expression import Node, Value, names_in, render

VERSION = "version"


class DefinitionError(ValueError):
    """A calculator or a rule names what does not exist."""


def define(catalog: Catalog, framework: str) -> Definition:
    """Look everything up.

    Raises:
        DefinitionError: a version, name or key that does not exist, or cases out of order.
        KeyError: the framework has no calculator.
    """
    calculator = catalog.calculator[framework]
    record = catalog.framework[framework]
    bind = partial(_bound, record)
    keys = KeyIndex(catalog)
    most = catalog.grammar[0].record.largest
    inputs = tuple(_input(one, record, keys, bind, most) for one in calculator.inputs)
    quantities = tuple(
        BoundQuantity(one.name, one.symbol or one.name, one.label, bind(one.value), bind(one.only))
        for one in calculator.quantities
    )
    cases = [
        _case(rule, case, _span(record, rule), bind) for rule in catalog.rules_of.get(framework, []) for case in rule.cases
    ]
    flags = any(owned.owner == record.glossary and owned.key.kind is KeyKind.FLAG for owned in catalog.owned_keys)
    versions = (*(release.tag for release in record.releases), f"{(record.commit or '')[:7]} ({record.date})")
    made = Definition(
        framework,
        record.name,
        versions,
        flags,
        inputs,
        quantities,
        tuple(sorted(cases, key=lambda case: case.at)),
        BoundPlacement(**calculator.placement.model_dump()) if calculator.placement else None,
        calculator.programs,
        calculator.others,
        calculator.unless,
        calculator.completed,
    )
    faults = [*_faults(made)]
    if faults:
        raise DefinitionError("; ".join(faults))
    return made


def conditions(catalog: Catalog, rule: Rule) -> list[str]:
    """What a rule demands, as its framework's formulas write it, each wording once."""
    if rule.rule:
        return [rule.rule]
    calculator = catalog.calculator[rule.framework]
    named: list[Input | Quantity] = [*calculator.inputs, *calculator.quantities]
    symbols = {one.name: one.symbol or one.name for one in named}
    texts = (render(compile_expression(case.check), lambda name: symbols.get(name, name)) for case in rule.cases)
    return list(dict.fromkeys(texts))


def _position(framework: Framework, version: str | None) -> int:
    """Position of a release, or of the first one made on the day of a commit or later."""
    if version is None:
        return 0
    tags = [release.tag for release in framework.releases]
    if version in tags:
        return tags.index(version)
    day = version.rpartition("(")[2].rstrip(")")
    if not day[:4].isdigit():
        raise DefinitionError(f"{framework.name} has no release {version!r}")
    return sum(release.date < day for release in framework.releases)


def _bound(framework: Framework, text: str | None) -> Node:
    return True if text is None else _versioned(framework, compile_expression(text))


def _versioned(framework: Framework, node: Node) -> Node:
    """`since('v0.3.0')` as a comparison of positions."""
    if not isinstance(node, list) or node[0] == "text":
        return node
    if node[0] == "since":
        return [">=", VERSION, _position(framework, node[1][1])]
    return [node[0], *(_versioned(framework, operand) for operand in node[1:])]


def _input(one: Input, framework: Framework, keys: KeyIndex, bind: Any, most: int) -> BoundInput:
    owned = _key(one, framework, keys)
    default = one.default if one.default is not None else _default(owned, one.kind)
    if one.kind is InputKind.INT and isinstance(default, int) and default < one.least:
        default = None  # the program refuses its own default
    start = one.start if one.start is not None else default
    return BoundInput(
        name=one.name,
        kind=one.kind,
        symbol=one.symbol or one.name,
        shown=owned.key.display if owned else None,
        role=one.role,
        label=one.label,
        key=owned.id if owned else None,
        default=default,
        start=start,
        optional=one.optional,
        required=default is None and not one.optional,
        least=one.least,
        most=most,
        choices=tuple(_choice(choice, framework) for choice in one.choices),
        paths=one.paths or _paths(owned),
        only=bind(one.only),
        others=one.others,
    )


def _key(one: Input, framework: Framework, keys: KeyIndex) -> Owned | None:
    if one.key is None:
        return None
    owned = keys.resolve(one.key, framework.id) or keys.resolve("--" + one.key.replace("_", "-"), framework.id)
    if not isinstance(owned, Owned):
        raise DefinitionError(f"input {one.name}: {framework.name} has no key {one.key!r}")
    return owned


def _default(owned: Owned | None, kind: InputKind) -> Value:
    """The default of a key where it is a number, a flag or a text; Hydra's YAML writes its own."""
    if owned is None or owned.key.default is None:
        return None
    try:
        value = yaml.safe_load(owned.key.default) if owned.key.kind is KeyKind.YAML else ast.literal_eval(owned.key.default)
    except (ValueError, SyntaxError, yaml.YAMLError):
        return None
    return value if isinstance(value, str if kind is InputKind.CHOICE else int) else None


def _paths(owned: Owned | None) -> tuple[str, ...]:
    if owned is None:
        return ()
    if owned.key.kind is not KeyKind.FLAG:
        return owned.key.paths
    # A script of an earlier release calls it by another name.
    return (*(one.removeprefix("--").replace("-", "_") for one in owned.key.spellings), owned.key.name)


def _span(framework: Framework, span: Span) -> tuple[int, int]:
    """First and last version as positions; the commit checked comes after all releases."""
    until = _position(framework, span.until) if span.until else len(framework.releases)
    return _position(framework, span.since), until


def _choice(choice: Choice, framework: Framework) -> BoundChoice:
    return BoundChoice(choice.value, *_span(framework, choice), choice.found, choice.also)


def _case(rule: Rule, case: Case, span: tuple[int, int], bind: Any) -> BoundCase:
    pieces = tuple(None if piece.placeholder else piece.text for piece in parse_signature(rule.error or ""))
    show = tuple(bind(one) for one in case.show)
    return BoundCase(
        rule.id, rule.anchor, rule.entry, rule.when, case.at, *span, bind(case.only), bind(case.check), show, pieces
    )


def _faults(made: Definition) -> Iterator[str]:
    known = {VERSION} | {one.name for one in made.inputs}
    if len(known) != len(made.inputs) + 1:
        yield "two inputs have the same name"
    for one in made.inputs:
        yield from _unknown(f"input {one.name}", known, one.only)
        if one.kind == InputKind.CHOICE and one.start not in [choice.value for choice in one.choices]:
            yield f"input {one.name}: {one.start!r} is none of its choices"
    for quantity in made.quantities:
        yield from _unknown(f"quantity {quantity.name}", known, quantity.value, quantity.only)
        if quantity.name in known:
            yield f"quantity {quantity.name}: an input or quantity has that name already"
        known.add(quantity.name)
    order = list(When)
    for before, case in zip((None, *made.cases), made.cases, strict=False):
        yield from _unknown(f"rule {case.rule}", known, case.only, case.check, *case.show)
        if before and before.at == case.at:
            yield f"rules {before.rule} and {case.rule} stand at the same position {case.at}"
        if before and order.index(When(before.when)) > order.index(When(case.when)):
            yield f"rule {case.rule} stands at {case.at}, after {before.rule}, which is enforced later"


def _unknown(place: str, known: set[str], *nodes: Node) -> Iterator[str]:
    for name in dict.fromkeys(name for node in nodes for name in names_in(node)):
        if name not in known:
            yield f"{place}: nothing is called {name!r}"

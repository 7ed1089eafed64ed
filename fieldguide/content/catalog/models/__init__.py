"""The schema of `catalog/`: what is true, the same in every language. Words live in `docs/`.

Every model forbids unknown fields, so a misspelt field is an error and not a silent loss.
"""

from fieldguide.content.catalog.models.base import ID_PATTERN, Id, Model, Span, Text
from fieldguide.content.catalog.models.bug import Bug, Line, Quoted, Refusal, Refused, Told
from fieldguide.content.catalog.models.change import Change, ChangeKind, Newest
from fieldguide.content.catalog.models.diagram import Diagram, DiagramEdge, DiagramNode, NodeKind, Worded
from fieldguide.content.catalog.models.entry import Entry, Kind, Origin, Signature, Status
from fieldguide.content.catalog.models.key import Concept, Key, KeyKind
from fieldguide.content.catalog.models.rule import Calculator, Case, Choice, Input, InputKind, Placement, Quantity, Rule, When
from fieldguide.content.catalog.models.run import RunReading
from fieldguide.content.catalog.models.text import Cleaning, Command, Grammar, Mask, Phrase, Reading, Shorthand, Synonyms
from fieldguide.content.catalog.models.upstream import Framework, PackageReleases, Program, Release, Repository, Source
from fieldguide.content.catalog.models.versions import Built, Harm, Need, Pair, Platform, Stack, StackKind, Tracked

__all__ = [
    "ID_PATTERN",
    "Bug",
    "Built",
    "Calculator",
    "Case",
    "Change",
    "ChangeKind",
    "Choice",
    "Cleaning",
    "Command",
    "Concept",
    "Diagram",
    "DiagramEdge",
    "DiagramNode",
    "Entry",
    "Framework",
    "Grammar",
    "Harm",
    "Id",
    "Input",
    "InputKind",
    "Key",
    "KeyKind",
    "Kind",
    "Line",
    "Mask",
    "Model",
    "Need",
    "Newest",
    "NodeKind",
    "Origin",
    "PackageReleases",
    "Pair",
    "Phrase",
    "Placement",
    "Platform",
    "Program",
    "Quantity",
    "Quoted",
    "Reading",
    "Refusal",
    "Refused",
    "Release",
    "Repository",
    "Rule",
    "RunReading",
    "Shorthand",
    "Signature",
    "Source",
    "Span",
    "Stack",
    "StackKind",
    "Status",
    "Synonyms",
    "Text",
    "Told",
    "Tracked",
    "When",
    "Worded",
]

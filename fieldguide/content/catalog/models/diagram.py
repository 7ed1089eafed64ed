"""The decision path of an entry as a picture."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from fieldguide.content.catalog.models.base import Id, Model, Text
from fieldguide.content.catalog.models.words import InLanguages


class NodeKind(StrEnum):
    """What a box of a decision path says: what one sees, what to look at, or what it was."""

    SYMPTOM = "symptom"
    QUESTION = "question"
    CAUSE = "cause"


class Worded(InLanguages[Text]):
    """Words of a picture, or none."""

    @classmethod
    def _may_be_silent(cls) -> bool:
        return True

    def words(self, language: str) -> str:
        """The words in a language; empty where there are none."""
        return self.texts.get(language, "")


class DiagramNode(Worded):
    """A box."""

    id: Id
    kind: NodeKind

    @model_validator(mode="after")
    def _says_something(self) -> "DiagramNode":
        if not self.texts:
            raise ValueError("a node needs words")
        return self


class DiagramEdge(Worded):
    """An arrow, with the answer that it stands for."""

    origin: Id = Field(alias="from")
    to: Id


class Diagram(Model):
    """The decision path of an entry as a picture.

    Attributes:
        id: of the entry.
        nodes: the first one is what the reader sees; each of the others can be reached from it.
    """

    id: Id
    nodes: Annotated[tuple[DiagramNode, ...], Field(min_length=2)]
    edges: Annotated[tuple[DiagramEdge, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> "Diagram":
        names = [node.id for node in self.nodes]
        if len(set(names)) < len(names):
            raise ValueError("an id of a node stands twice")
        unknown = sorted({end for edge in self.edges for end in (edge.origin, edge.to)} - set(names))
        if unknown:
            raise ValueError(f"an edge names no node: {', '.join(unknown)}")
        reached = {names[0]}
        for _ in names:
            reached |= {edge.to for edge in self.edges if edge.origin in reached}
        if lost := [name for name in names if name not in reached]:
            raise ValueError(f"no way leads to {', '.join(lost)}")
        return self

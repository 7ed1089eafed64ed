"""A configuration key as upstream declares it, and the idea that keys of several frameworks share."""

import re
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import Field, StringConstraints

from fieldguide.content.catalog.models.base import Id, Model, Text, Version
from fieldguide.content.catalog.models.upstream import Source


class KeyKind(StrEnum):
    """How a key is set."""

    YAML = "yaml"
    FLAG = "flag"
    ENV = "env"


class Key(Model):
    """A configuration key, command-line flag or environment variable.

    Attributes:
        id: HTML id in the glossary; made from framework and name when left out.
        aliases: ids it had before; links to them go on working.
        name: as the code spells it, without leading dashes.
        paths: dotted places in the YAML; `*` stands for one segment (a role).
        spellings: other ways users write it.
        default: Python source text of the default, as upstream states it.
        group: component, the heading it stands under in the glossary.
        later: dotted places that came after the key itself, each with its first version.
        removed: first version without it.
        declared: class, parser function or YAML file that declares it upstream; empty when nothing that is read does.
        used: how many of upstream's own example files set it.
        help: upstream's words about it, kept as data and shown as a quotation.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][\w.+-]*$")]
    id: Id | None = None
    aliases: tuple[Id, ...] = ()
    kind: KeyKind
    type: Text
    default: str | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    paths: tuple[Annotated[str, StringConstraints(pattern=r"^[\w*-]+(\.[\w*-]+)*$")], ...] = ()
    spellings: tuple[Text, ...] = ()
    group: Id
    since: Version | None = None
    later: dict[str, Version] = Field(default_factory=dict)
    removed: Version | None = None
    renamed_to: Text | None = None
    declared: Text | None = None
    used: Annotated[int, Field(ge=0)] = 0
    help: Text | None = None
    source: Source

    @cached_property
    def slug(self) -> str:
        """Name in lower case with hyphens, as ids are written."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def display(self) -> str:
        """As users type it: flags with their dashes; a dotted flag keeps its underscores (OpenRLHF's `--train.batch_size`),
        and so does one that the program spells with them."""
        if self.kind is not KeyKind.FLAG:
            return self.name
        is_kept = "." in self.name or f"--{self.name}" in self.spellings
        return "--" + (self.name if is_kept else self.name.replace("_", "-"))


class Concept(Model):
    """One idea and the key by which each framework sets it."""

    id: Id
    unit: Id
    keys: dict[Id, tuple[Text, ...]]

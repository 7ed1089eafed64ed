"""Tools and resources of the Model Context Protocol over what `fieldguide.runtime.assistant` answers.

What describes them is for a model: English, whatever the language of the answers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from fieldguide.runtime.assistant import AskedWrongError, Assistant
from fieldguide.runtime.languages import Language
from fieldguide.runtime.lookup import Row, Whole

INSTRUCTIONS = (
    "Verified answers for RL post-training of LLMs (verl, slime, ROLL, OpenRLHF, ChatLearn). When a run fails, call "
    "explain_log: its first finding most likely ended the run; then get_entry for the whole answer. Name the entry and what "
    "it was checked against. Call check_config before you start a changed run, and get_key instead of guessing a setting."
)
Text = Annotated[str, Field(description="the text itself; leave out to give a path")]
File = Annotated[str, Field(description="a log on this machine, or the folder or archive of a run; leave out to give the text")]
Release = Annotated[str | None, Field(description="of the framework that is run, such as v0.9.0")]
Framework = Annotated[str | None, Field(description="that is run, such as verl, slime, roll, openrlhf, chatlearn")]
Answered = Annotated[Language | None, Field(description="language of the answer; left out: as the server was started")]


@contextmanager
def _told() -> Iterator[None]:
    """What was asked wrong is told to the model."""
    try:
        yield
    except AskedWrongError as error:
        raise ToolError(str(error)) from error


@dataclass(frozen=True)
class Tools:
    """One method for each tool; `default` is the language of an answer for which none is asked."""

    assistant: Assistant
    default: Language

    def explain_log(
        self, text: Text = "", path: File = "", release: Release = None, language: Answered = None
    ) -> dict[str, Any]:
        """List the known errors of a training log. The first finding most likely ended the run and comes with its fix.

        Takes plain text or gzip of any size. Without a finding: what the text says of itself, and the nearest entries. Of a
        folder or an archive: which rank or process failed first and why, who followed, who is missing, what each did last."""
        with _told():
            return self.assistant.explain_log(language or self.default, text, path, release)

    def search(
        self,
        words: Annotated[str, Field(description="a question, an error, a configuration key; English or Chinese")],
        framework: Framework = None,
        most: Annotated[int, Field(ge=1, le=30)] = 5,
        language: Answered = None,
    ) -> list[Row]:
        """Search entries, keys, known bugs and pages. `exact` marks an error text that is known word for word."""
        with _told():
            return self.assistant.search(language or self.default, words, framework, most)

    def get_entry(
        self,
        id: Annotated[str, Field(description="as findings and results name it, such as verl-rollout-oom")],
        language: Answered = None,
    ) -> Whole:
        """A whole answer as Markdown: fix, cost, how to confirm it, why, versions, what is printed, source lines."""
        with _told():
            return self.assistant.entry(language or self.default, id)

    def get_key(
        self,
        name: Annotated[str, Field(description="key, flag or dotted place, such as actor_rollout_ref.rollout.n")],
        framework: Framework = None,
        language: Answered = None,
    ) -> list[dict[str, Any]]:
        """What a configuration key does in each framework that has it: default, places, releases, entries about it."""
        with _told():
            return self.assistant.key(language or self.default, name, framework)

    def check_config(
        self,
        text: Text = "",
        path: File = "",
        framework: Framework = None,
        release: Release = None,
        language: Answered = None,
    ) -> dict[str, Any]:
        """Which assertion a YAML configuration or launch script would hit, nearest settings that pass, what is not known."""
        with _told():
            return self.assistant.check_config(language or self.default, text, path, framework, release)

    def doctor(
        self,
        packages: Annotated[
            str, Field(description="pip list, requirements or a Dockerfile; empty: what is installed here")
        ] = "",
        framework: Framework = None,
        release: Release = None,
        language: Answered = None,
    ) -> dict[str, Any]:
        """Whether versions fit: pairs that are known to be bad with their repair, and what upstream does not test."""
        with _told():
            return self.assistant.doctor(language or self.default, packages, framework, release)

    def known_bugs(
        self,
        framework: Annotated[str, Field(description="a framework, or a library such as vllm, ray, megatron")],
        release: Release = None,
        to: Annotated[str | None, Field(description="a newer release: only what it mends")] = None,
        words: Annotated[str, Field(description="that a row must say")] = "",
        language: Answered = None,
    ) -> dict[str, Any]:
        """Bugs that upstream has mended or knows of, with the releases that have them and what to do."""
        with _told():
            return self.assistant.known_bugs(language or self.default, framework, release, to, words)

    def entry(self, id: str) -> str:
        """A whole entry as Markdown."""
        try:
            return self.assistant.entry(self.default, id).markdown
        except AskedWrongError as error:
            raise ResourceNotFoundError(str(error)) from error


def make_server(assistant: Assistant, default: Language) -> MCPServer[Any]:
    """The server, ready to run."""
    about, tools = assistant.about, Tools(assistant, default)
    server: MCPServer[Any] = MCPServer("fieldguide", version=about.version, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in (
        tools.explain_log, tools.search, tools.get_entry, tools.get_key, tools.check_config, tools.doctor, tools.known_bugs,
    ):  # fmt: skip
        server.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    server.resource("fieldguide://entry/{id}", mime_type="text/markdown")(tools.entry)
    return server

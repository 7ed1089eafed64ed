"""The server for coding agents, asked by the SDK's own client over standard input and output."""

import json
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, TextContent, TextResourceContents

from fieldguide.__main__ import main
from tests.conftest import ROOT

LOG = "INFO slime\nRolloutManager\nAssertionError: batch_size 32 < chunks 64\n"
CONFIG = (
    "python3 -m verl.trainer.main_ppo data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=32 "
    "trainer.nnodes=1 trainer.n_gpus_per_node=8"
)


@asynccontextmanager
async def asking(language: str = "en") -> AsyncIterator[Client]:
    arguments = ["-m", "fieldguide", "mcp", "--lang", language]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)) as client:
        yield client


def session(ask: Callable[[Client], Coroutine[Any, Any, None]], language: str = "en") -> None:
    """Ask one server several things, in a thread of its own: where a browser is, this one has a loop already."""

    async def run() -> None:
        async with asking(language) as client:
            await ask(client)

    with ThreadPoolExecutor(1) as threads:
        threads.submit(anyio.run, run).result()


def told(result: CallToolResult) -> Any:
    """What a tool answered, as data."""
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content.get("result", result.structured_content)


def refused(result: CallToolResult) -> str:
    """Why a tool did not answer."""
    (content,) = result.content
    assert result.is_error and isinstance(content, TextContent)
    return content.text


def test_every_tool_has_a_schema_and_says_what_it_is_for() -> None:
    async def ask(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"explain_log", "search", "get_entry", "get_key", "check_config", "doctor", "known_bugs"}
        for tool in tools.values():
            assert tool.description and tool.annotations and tool.annotations.read_only_hint
            fields = tool.input_schema["properties"]
            assert all(one.get("description") for name, one in fields.items() if name != "most"), tool.name
            assert "language" in fields and tool.output_schema

    session(ask)


def test_a_log_by_text_and_by_path(tmp_path: Path) -> None:
    file = tmp_path / "train.log"
    file.write_text(LOG, encoding="utf-8")

    async def ask(client: Client) -> None:
        for arguments in ({"text": LOG}, {"path": str(file)}):
            (finding,) = told(await client.call_tool("explain_log", arguments))["findings"]
            assert finding["id"] == "roll-batch-size-chunks" and finding["line"] == 3 and finding["fix"]
            assert finding["checked"].startswith("ROLL ") and finding["page"] == "topics/batch-size/roll-batch-size-chunks/"
        in_chinese = told(await client.call_tool("explain_log", {"text": LOG, "language": "zh"}))
        assert in_chinese["findings"][0]["page"].startswith("zh/")
        unknown = told(await client.call_tool("explain_log", {"text": "ValueError: the verl rollout is slow\n"}))
        assert not unknown["findings"] and unknown["told"]["error"] == "ValueError" and unknown["nearest"]

    session(ask)


def test_lookups() -> None:
    async def ask(client: Client) -> None:
        rows = told(await client.call_tool("search", {"words": "batch_size 32 < chunks 64", "most": 3}))
        assert len(rows) == 3 and rows[0]["id"] == "roll-batch-size-chunks" and rows[0]["exact"]
        entry = told(await client.call_tool("get_entry", {"id": "roll-grad-accum"}))
        assert entry["markdown"].startswith("# ROLL") and "## Sources" in entry["markdown"] and entry["checked"]
        keys = told(await client.call_tool("get_key", {"name": "--rollout-batch-size", "framework": "slime"}))
        assert [(one["owner"], one["name"]) for one in keys] == [("slime", "--rollout-batch-size")]
        assert keys[0]["checked"].startswith("slime ") and keys[0]["words"]
        bugs = told(await client.call_tool("known_bugs", {"framework": "verl", "release": "v0.7.1", "words": "lora"}))
        assert bugs["found"] >= len(bugs["bugs"]) > 0 and all("lora" in json.dumps(one).lower() for one in bugs["bugs"])

    session(ask)


def test_settings_and_versions() -> None:
    async def ask(client: Client) -> None:
        made = told(await client.call_tool("check_config", {"text": CONFIG}))
        assert made["framework"] == "verl" and made["findings"][0]["page"] and "verl" in made["says"]
        packages = "Package Version\n---- ----\nvllm 0.8.5\ntransformers 5.0.0\n"
        troubles = told(await client.call_tool("doctor", {"packages": packages}))["troubles"]
        (trouble,) = [one for one in troubles if one["entry"] == "any-tokenizers-backend"]
        assert trouble["repair"].startswith("pip install") and trouble["page"].startswith("topics/")

    session(ask)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("explain_log", {}, "give text or path"),
    ("explain_log", {"path": "/no/such.log"}, "/no/such.log: No such file"),
    ("explain_log", {"path": str(ROOT / "overrides" / "assets" / "images")}, "none of these is a log that can be read"),
    ("explain_log", {"path": "/dev/zero"}, "/dev/zero: not a regular file"),
    ("check_config", {"path": "/no/such.sh"}, "/no/such.sh: No such file"),
    ("explain_log", {"text": "\x00" * 100}, "cannot be read as a log: binary"),
    ("search", {"words": "oom", "framework": "vrl"}, "no framework 'vrl'; there are: chatlearn"),
    ("get_entry", {"id": "slime-om"}, "nearest: slime-oom"),
    ("get_key", {"name": "train_batch_siz"}, "nearest: train_batch_size"),
    ("check_config", {"text": "a: [1\n"}, "Not valid YAML"),
    ("doctor", {"packages": "verl 0.5.0", "release": "v9"}, "no release 'v9'"),
    ("known_bugs", {"framework": "vrl"}, "there are some of:"),
    ("known_bugs", {"framework": "verl", "release": "new"}, "write it like v0.9.0"),
]


def test_what_is_asked_wrong_is_told_the_model() -> None:
    async def ask(client: Client) -> None:
        said = [refused(await client.call_tool(tool, arguments)) for tool, arguments, _ in REFUSED]
        assert [answer for answer, (_, _, wanted) in zip(said, REFUSED, strict=True) if wanted not in answer] == []

    session(ask)


def test_entries_are_resources() -> None:
    async def ask(client: Client) -> None:
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "fieldguide://entry/{id}"
        (content,) = (await client.read_resource("fieldguide://entry/roll-grad-accum")).contents
        assert isinstance(content, TextResourceContents) and content.text.startswith("# ROLL：")
        with pytest.raises(MCPError, match="slime-oom"):
            await client.read_resource("fieldguide://entry/slime-om")

    session(ask, "zh")


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "fieldguide.commands.agent_tools", raising=False)
    assert main(["mcp", "--lang", "en"]) == 2
    assert "pip install 'rl-fieldguide[mcp]'" in capsys.readouterr().err

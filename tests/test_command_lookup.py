"""What is looked up by name or in words in a terminal: entry, key, search, and what the program says of itself."""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldguide.__main__ import main
from fieldguide.content.compiled import compiled_folder
from fieldguide.content.whole import markdown
from fieldguide.runtime.about import as_about
from fieldguide.runtime.entries import read_entries
from fieldguide.runtime.guide import FormatError, read_answers
from fieldguide.runtime.keys import read_keys
from fieldguide.runtime.languages import LANGUAGES
from fieldguide.runtime.nearest import nearest_names
from tests.conftest import ROOT

# Arguments → exit code, standard output, standard error.
Ask = Callable[..., tuple[int, str, str]]
GOLDEN = Path(__file__).parent / "fixtures" / "lookup"


@pytest.fixture
def ask(small: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Asks the small guide."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["--root", str(small), *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "arguments",
    [("entry", "alpha-oom"), ("key", "max_tokens"), ("search", "max_tokens")],
    ids=lambda arguments: arguments[0],
)
def test_answers_read_like_this(ask: Ask, language: str, arguments: tuple[str, str]) -> None:
    """After a change that is meant, write the new answer into the golden file."""
    code, said, error = ask(*arguments, "--lang", language)
    assert (code, error) == (0, "")
    assert said == (GOLDEN / f"{arguments[0]}-{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("entry", "alpha-om"), 2, "entry: no entry or known bug 'alpha-om'\nNearest: alpha-oom\n"),
        (("key", "max_token"), 1, "key: no key 'max_token'\nNearest: --max-tokens\n"),
        (("key", "max_token", "--framework", "alpha"), 1, "key: no key 'max_token'\nNearest: max_tokens\n"),
        (("key", "x", "--framework", "alfa"), 2, "key: no framework 'alfa'; there are: alpha, beta\n"),
        (("search", "x", "--framework", "alfa"), 2, "search: no framework 'alfa'; there are: alpha, beta\n"),
    ],
)
def test_what_there_is_not_names_the_nearest(ask: Ask, arguments: tuple[str, ...], code: int, said: str) -> None:
    assert ask(*arguments, "--lang", "en") == (code, "", said)


def test_nothing_found_is_said(ask: Ask) -> None:
    assert ask("search", "zzzz", "--lang", "en") == (1, "Nothing here matches.\n", "")


@pytest.mark.parametrize("written", ["--max-tokens", "MAX_TOKENS", "trainer.max_tokens=64", "x.trainer.max_tokens"])
def test_a_key_is_found_as_people_write_it(ask: Ask, written: str) -> None:
    found = ask("key", "--json", "--framework", "alpha", "--", written)
    if written.startswith("x."):
        assert found[0] == 1  # no place of it ends so
    else:
        assert [one["id"] for one in json.loads(found[1])] == ["alpha-max-tokens"]


def test_json_for_programs(ask: Ask) -> None:
    entry = json.loads(ask("entry", "/e/alpha-oom/", "--json")[1])
    assert entry["id"] == "alpha-oom" and entry["checked"] == "Alpha 0123456, 2026-01-01" and entry["markdown"].startswith("# ")
    (key,) = json.loads(ask("key", "BETA_DEBUG", "--json")[1])
    assert key["kind"] == "env" and key["default"] == "0" and key["source"][0] == "Beta beta/env.py:1"
    rows = json.loads(ask("search", "max_tokens", "--json", "--most", "2")[1])
    assert len(rows) == 2 and rows[0].keys() == {"id", "kind", "title", "short", "framework", "page", "exact"}


def test_words_may_follow_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "verl", "--release", "v0.7.1", "--lang", "en", "lora"]) == 0
    assert "lora" in capsys.readouterr().out.lower()
    with pytest.raises(SystemExit, match="2"):
        main(["bugs", "verl", "--releases", "v0.7.1"])


@pytest.mark.parametrize("most", ["0", "-1", "many"])
def test_a_number_that_is_none_is_wrong_use(most: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["search", "oom", f"--most={most}"])
    assert f"{most!r} is not a number from 1 on" in capsys.readouterr().err


def test_it_says_which_edition_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    first, *pins = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"fieldguide \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", first)
    assert any(re.fullmatch(r"  verl [0-9a-f]{7}, \d{4}-\d\d-\d\d \(v\d+\.\d+\.\d+\)", pin) for pin in pins)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_it(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--print-completion", shell])
    script = capsys.readouterr().out
    assert all(name in script for name in ("explain", "doctor", "search", "--lang"))
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script, text=True, check=False).returncode == 0


def test_an_unknown_shell_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--print-completion", "cmd"])
    assert "choose one of bash" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["explain", "run", "check", "doctor", "bugs", "key", "entry", "search", "mcp"])
def test_help_tells_the_exit_codes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"exit 0 |Exit codes: ", said) and "--lang" in said


def test_colour_only_in_a_terminal() -> None:
    command = [sys.executable, "-m", "fieldguide", "key", "rollout_batch_size", "--framework", "roll"]
    assert b"\x1b[" not in subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        ours, theirs = pty.openpty()
        plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        subprocess.run(command, cwd=ROOT, stdout=theirs, check=True, env=plain | environment)
        assert os.read(ours, 4096).startswith(b"\x1b[1m") == coloured
        os.close(theirs)
        os.close(ours)


def test_every_entry_and_key_is_there_whole_in_every_language() -> None:
    folder = compiled_folder(ROOT)
    for language in LANGUAGES:
        entries, answers = read_entries(folder, language), read_answers(folder, language)
        assert entries.by_id.keys() <= answers.entries.keys()
        for id_, entry in entries.by_id.items():
            assert entry.markdown.startswith("# ") and entry.checked, id_
            assert not re.search(r"\]\((?!https?://)[^)]*\.md\b", entry.markdown) and ".nokey" not in entry.markdown, id_
        for key in read_keys(folder, language).all:
            assert key.page and key.source[0] and set(key.entries) <= entries.by_id.keys(), key.id


def test_links_in_code_stay_as_they_are() -> None:
    text = "[a](b.md#c)\n\n```text\n[a](b.md)\n```\n\n`[a](b.md)`{ .nokey } [x](https://example.org/a.md)"
    assert markdown("zh", "topics/memory/a", text) == (
        "[a](zh/topics/memory/b/#c)\n\n```text\n[a](b.md)\n```\n\n`[a](b.md)` [x](https://example.org/a.md)"
    )


def test_nearest_names_are_few_and_the_nearest_first() -> None:
    assert nearest_names("oom", ["a-oom", "oom", "b-oom-c", "x"], most=2) == ["oom", "a-oom"]
    assert nearest_names("", ["a"]) == [] and nearest_names("zzz", ["a"]) == []


def test_another_format_is_refused() -> None:
    with pytest.raises(FormatError, match="999"):
        as_about({"format": 999, "pins": []})

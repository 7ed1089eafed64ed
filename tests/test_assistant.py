"""What an agent is told is what the terminal says, entry by entry; `run` says it in the same words."""

import io
import json
from pathlib import Path

import pytest

from fieldguide.__main__ import main
from fieldguide.commands.data import compiled_folder, edition
from fieldguide.runtime.about import About, Pin
from fieldguide.runtime.assistant import AskedWrongError, Assistant
from fieldguide.runtime.guide import read_answers, read_guide
from fieldguide.runtime.log_answer import answer_log_from
from tests.conftest import ROOT
from tests.logs import Log, load_logs

VERSIONS = Log("versions", "vLLM API server version 0.8.5\nINFO transformers version: 5.0.0\n", {})


@pytest.fixture(scope="module")
def assistant() -> Assistant:
    folder = compiled_folder(ROOT)
    return Assistant(folder, edition(folder, ROOT))


@pytest.mark.parametrize("log", [*load_logs(), VERSIONS], ids=lambda log: log.name)
def test_terminal_agent_and_run_say_the_same_of_a_log(
    assistant: Assistant, log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "train.log"
    file.write_bytes(log.text.encode())
    main(["explain", str(file), "--lang", "en", "--json"])
    explained = json.loads(capsys.readouterr().out)
    told = assistant.explain_log("en", "", str(file), None)
    assert [one["id"] for one in told["findings"]] == [one["id"] for one in explained["findings"]][:8]
    assert [one["id"] for one in told["nearest"]] == [one["id"] for one in explained["nearest"]]
    assert (told["told"], told["versions"]) == (explained["told"], explained["versions"])
    main(["explain", str(file), "--lang", "zh"])
    guide, answers = read_guide(assistant.folder), read_answers(assistant.folder, "zh")
    answer = answer_log_from(assistant.folder, io.BytesIO(log.text.encode()), guide, answers)
    assert capsys.readouterr().out == f"{answer.text(colour=False)}\n"


def test_terminal_and_agent_say_the_same_of_a_run(assistant: Assistant, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(ROOT / "tests" / "runs" / "torch-killed" / "logs")
    main(["explain", folder, "--lang", "en", "--json"])
    explained = json.loads(capsys.readouterr().out)
    told = assistant.explain_log("en", "", folder, None)
    assert told["failure"] == explained["failure"] and told["failure"]["rank"] is not None
    assert [one["id"] for one in told["findings"]] == [one["id"] for one in explained["findings"]][:8]
    with pytest.raises(AskedWrongError, match="none of these is a log"):
        assistant.explain_log("en", "", str(ROOT / "overrides" / "assets" / "images"), None)


def test_a_release_decides_which_bugs_bite(assistant: Assistant) -> None:
    first, *_ = assistant.known_bugs("en", "verl", "v0.7.1", None, "")["bugs"]
    assert first["page"].startswith("bugs/verl/#bug-")


def test_addresses_are_whole_where_the_site_is_known() -> None:
    pin = Pin("verl", "verl", "x/verl", "0" * 40, "2026-01-01", "v0.9.1")
    about = About((pin,), "0.1.0", "2026-11-22", "https://example.org/guide/")
    there = Assistant(compiled_folder(ROOT), about)
    text = "AssertionError: batch_size 32 < chunks 64"
    page = "https://example.org/guide/zh/topics/batch-size/roll-batch-size-chunks/"
    assert there.explain_log("zh", text, "", None)["findings"][0]["page"] == page
    assert there.entry("zh", "roll-batch-size-chunks").page == there.search("zh", text, None, 1)[0].page == page
    assert there.key("en", "train_batch_size", "verl")[0]["checked"] == "verl 0000000, 2026-01-01 (v0.9.1)"


def test_a_config_and_a_script_beside_its_files(assistant: Assistant, tmp_path: Path) -> None:
    (tmp_path / "env.sh").write_text("SIZE=32\n")
    script = tmp_path / "run.sh"
    script.write_text(
        "source env.sh\npython3 -m verl.trainer.main_ppo data.train_batch_size=64 "
        "actor_rollout_ref.actor.ppo_mini_batch_size=$SIZE\n"
    )
    made = assistant.check_config("en", "", str(script), None, None)
    assert made["framework"] == "verl" and "ppo_micro_batch_size" in made["findings"][0]["text"]
    with pytest.raises(AskedWrongError, match="No such file"):
        assistant.check_config("en", "", str(tmp_path / "none.sh"), None, None)


def test_the_doctor_reads_what_is_installed_here(assistant: Assistant) -> None:
    assert assistant.doctor("en", "", None, None).keys() >= {"framework", "troubles", "outside"}

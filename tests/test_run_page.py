"""The logs of a whole run on the log page: files, a folder or an archive, dropped or chosen; the answer is the terminal's."""

import io
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, ViewportSize, expect

from fieldguide.content.guide import load_guide
from fieldguide.runtime.run.text import printable
from tests.conftest import ROOT
from tests.logpage import BATCH, FINDING, STATUS, WATCH, drop, opened
from tests.runs import RUNS, zipped
from tests.test_accessibility import RULES, looked_at, looks, violations_of
from tests.test_browser import DESKTOP, PHONE
from tests.test_explain import VERSIONS

pytestmark = pytest.mark.browser
FIRST = ".fg-run__first"
LISTS = ".fg-run__list"
NOT_READ = ".fg-run__skipped"
# Of a traceback with an entry, of one without, of a rank that fell silent.
SOME = ("report-cuda-oom-clocks", "torch-exception", "report-nccl-missing")
WORDS = {language: load_guide(ROOT).words[language] for language in ("en", "zh")}
ERROR = "2026-11-22 10:00:00 rank=1 world_size=2\nTraceback (most recent call last):\nKeyError: 'a'\n"


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address)


def record_of(page: Page) -> dict[str, Any]:
    """The answer that the page shows and keeps."""
    expect(page.locator("[data-part=whole]")).to_be_visible()
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('fieldguide.log') || '{}').result?.record")
    made: dict[str, Any] = page.evaluate("JSON.parse(sessionStorage.getItem('fieldguide.log')).result.record")
    return made


def golden(run: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((RUNS / run / "answer.json").read_text(encoding="utf-8"))
    return made


def logs_of(run: str) -> list[Path]:
    return sorted(path for path in (RUNS / run / "logs").rglob("*") if path.is_file())


def packed(run: str, kind: str) -> bytes:
    """The logs of a run in an archive of their names below the folder."""
    files = {path.relative_to(RUNS / run / "logs").as_posix(): path.read_bytes() for path in logs_of(run)}
    if kind == "zip":
        return zipped(files)
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, data in files.items():
            head = tarfile.TarInfo(name)
            head.size = len(data)
            tar.addfile(head, io.BytesIO(data))
    return made.getvalue()


def choose(page: Page, **files: bytes) -> None:
    """Choose files at once; `__` in a name stands for a dot."""
    chosen = [payload(name.replace("__", "."), data) for name, data in files.items()]
    page.locator("[data-part=file]").set_input_files(chosen)


def payload(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


# ---- What failed first ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.whole)])
@pytest.mark.parametrize("run", SOME)
def test_a_folder_that_is_dropped(page: Page, address: str, run: str, language: str) -> None:
    words, said = WORDS[language], golden(run)
    page.goto(address + ("" if language == "en" else "zh/") + "diagnose/")
    drop(page, RUNS / run / "logs")
    first, failure = page.locator(FIRST), said["failure"]
    expect(first).to_contain_text(words["run_rank"].format(rank=failure["rank"]))
    for text in (words["run_first"], words["run_how_" + failure["how"]], words["run_sure_" + failure["sure"]], failure["time"]):
        expect(first).to_contain_text(text)
    expect(first.locator(".fg-run__place code")).to_have_text(f"{failure['file']}:{failure['line']}")
    if said["missing"]:
        expect(first).to_contain_text(words["run_missing"].format(ranks=words["comma"].join(map(str, said["missing"]))))
    followed, last = page.locator(LISTS).first, page.locator(LISTS).last
    expect(followed.locator("li")).to_have_count(min(len(said["followed"]), 16))
    expect(followed).not_to_have_attribute("open", "")
    expect(last.locator("tbody tr")).to_have_count(min(len(said["last"]), 16))
    own = last.locator("tbody tr", has_text=words["run_rank"].format(rank=failure["rank"]))
    if failure["rank"] is not None and own.count():
        expect(own.first).to_have_class("fg-run__one")


@pytest.mark.parametrize("run", [*SOME, *(pytest.param(run.name, marks=pytest.mark.whole) for run in RUNS.iterdir())])
def test_the_answer_is_that_of_the_terminal(page: Page, run: str) -> None:
    drop(page, RUNS / run / "logs")
    record = record_of(page)
    command = [sys.executable, "-m", "fieldguide", "--root", str(ROOT), "explain", "--json", "--lang", "en", "logs"]
    found = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=RUNS / run, env=found, capture_output=True, text=True, check=False)
    told = printable(json.loads(done.stdout))
    for one in (*record["findings"], *told["findings"]):
        del one["fix"]  # there Markdown, here HTML
    assert record == {name: one for name, one in told.items() if name != "versions"}


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
@pytest.mark.parametrize("run", SOME)
def test_an_archive(page: Page, run: str, kind: str) -> None:
    page.locator("[data-part=file]").set_input_files(payload(f"logs.{kind}", packed(run, kind)))
    record, said = record_of(page), golden(run)
    inside = {**said["failure"], "file": said["failure"]["file"].replace("logs/", f"logs.{kind}/", 1)}
    assert {name: record["failure"][name] for name in inside} == inside
    assert record["missing"] == said["missing"] and record["run"] == said["run"] and not record["skipped"]


def test_several_files_and_the_entry_that_answers(page: Page) -> None:
    run = "report-cuda-oom-clocks"
    drop(page, *logs_of(run))
    record = record_of(page)
    assert record["failure"]["rank"] == golden(run)["failure"]["rank"] and record["failure"]["entry"] == "verl-actor-oom"
    card = page.locator(FINDING).first
    expect(card).to_have_attribute("data-entry", "verl-actor-oom")
    expect(card.locator(".fg-log__first")).to_be_visible()
    expect(card.locator(".fg-log__fix pre").first).to_be_visible()
    expect(card.locator(".fg-log__where")).to_contain_text(re.compile(r"rank_1\.txt:\d+, 1× in \d log"))


def test_a_folder_that_is_chosen(page: Page) -> None:
    page.locator("[data-part=folder]").set_input_files(RUNS / "torch-killed" / "logs")
    record, said = record_of(page), golden("torch-killed")
    assert {name: record["failure"][name] for name in said["failure"]} == said["failure"]


def test_the_front_page_takes_a_run_too(page: Page, address: str) -> None:
    page.goto(address)
    drop(page, RUNS / "torch-exception" / "logs")
    expect(page.locator(FIRST)).to_contain_text("rank 1")


def test_what_no_entry_knows(page: Page) -> None:
    """What the text itself says, the page that leads on, entries that come close, and a report without names."""
    choose(page, rank0__log=b"rank=0 world_size=2\nstep 3\n", rank1__log=ERROR.replace("'a'", "'lost /home/alice/x'").encode())
    expect(page.locator(FIRST)).to_contain_text("No entry knows this error.")
    expect(page.locator(f"{FIRST} a")).to_have_attribute("href", re.compile("methods/worker-died/$"))
    expect(page.locator(f"{FIRST} .fg-printed")).to_contain_text("KeyError: 'lost /home/alice/x'")
    report = page.locator("[data-part=report]").input_value()
    assert "KeyError: 'lost" in report and "alice" not in report
    expect(page.locator(FINDING)).to_have_count(0)


def test_no_failure_is_said(page: Page) -> None:
    choose(page, rank0__log=b"step 1\n", rank1__log=b"step 1\n")
    expect(page.locator("[data-part=whole]")).to_contain_text(WORDS["en"]["run_none"])
    expect(page.locator("[data-part=ticket]")).to_be_hidden()


def test_many_processes_wait_behind_a_button(page: Page) -> None:
    files = {f"rank{rank}__log": f"rank={rank} world_size=40\nstep {rank}: update\n".encode() for rank in range(40)}
    choose(page, **files)
    rows = page.locator(f"{LISTS} tbody tr")
    expect(rows).to_have_count(16)
    page.get_by_role("button", name="Show all 40").click()
    expect(rows).to_have_count(40)


def test_versions_that_do_not_go_together(page: Page) -> None:
    choose(page, rank0__log=VERSIONS.encode(), rank1__log=ERROR.encode())
    expect(page.locator("[data-part=versions] li")).to_contain_text("Transformers 5.0.0, vLLM 0.8.5 does not start")


# ---- What is not read -------------------------------------------------------------------------------------------------------


def test_a_broken_archive_is_read_to_the_break(page: Page) -> None:
    data = zipped({"rank1.log": ERROR.encode(), "rank0.log": bytes(range(32, 127)) * 500})
    choose(page, logs__zip=data[:-300])
    expect(page.locator(FIRST)).to_contain_text("rank 1")
    expect(page.locator(NOT_READ)).to_contain_text("1 broken archive, read up to the break: logs.zip")


def test_a_bomb_is_named(page: Page) -> None:
    choose(page, logs__zip=zipped({"rank0.log": b"\n" * 30_000_000}))
    expect(page.locator(NOT_READ)).to_contain_text("1 unpacks to more than a log does, read up to there: logs.zip/rank0.log")
    expect(page.locator(STATUS)).to_have_attribute("data-kind", "error")


def test_an_encrypted_archive_is_named(page: Page, address: str) -> None:
    data = bytearray(zipped({"rank0.log": ERROR.encode()}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    page.goto(address + "zh/diagnose/")
    choose(page, logs__zip=bytes(data))
    expect(page.locator(STATUS)).to_have_text(WORDS["zh"]["run_nothing"])
    expect(page.locator(NOT_READ)).to_contain_text("1 个不是普通文件（套接字、管道、设备），或已加密：logs.zip/rank0.log")


def test_what_is_no_log_is_counted_by_reason(page: Page, tmp_path: Path) -> None:
    for name, data in {
        "rank1.log": ERROR.encode(), "none.log": b"", "core.7": b"x", "model.safetensors": b"x", "noise.log": bytes(5000),
        "nccl_trace_rank_0": b"x",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(data)
    drop(page, tmp_path)
    rows = page.locator(f"{NOT_READ} li")
    expect(rows).to_have_count(4)
    below = tmp_path.name
    assert sorted(rows.all_inner_texts()) == [
        f"1 binary: {below}/noise.log", f"1 core dump: {below}/core.7", f"1 empty: {below}/none.log",
        f"1 weights or data: {below}/model.safetensors",
    ]  # fmt: skip
    expect(page.locator(".fg-run__flight")).to_contain_text("NCCL flight-recorder dumps: 1. Reading them takes torch")


def test_names_and_texts_are_never_html(page: Page) -> None:
    nasty = "<img src=x onerror='window.hacked=1'>"
    choose(
        page, **{f"rank1 {nasty}__log": ERROR.replace("'a'", nasty).encode(), f"{nasty}__zip": b"x", "rank0__log": b"step 1\n"}
    )
    expect(page.locator(FIRST)).to_contain_text(nasty)
    expect(page.locator(NOT_READ)).to_contain_text(nasty)
    assert page.evaluate("window.hacked") is None and page.locator("[data-fg=log] img").count() == 0


# ---- How it behaves ---------------------------------------------------------------------------------------------------------


def test_one_log_loads_nothing_of_a_run(page: Page, tmp_path: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    (tmp_path / "rank1.log").write_text(BATCH, encoding="utf-8")
    drop(page, tmp_path / "rank1.log")
    expect(page.locator(FINDING)).to_have_count(1)
    expect(page.locator("[data-part=whole]")).to_be_hidden()
    assert any("log-worker" in one for one in asked)
    assert not [one for one in asked if re.search(r"run-worker|/run\.js|run\.json", one)]


def test_a_log_after_a_run_and_a_run_after_a_log(page: Page) -> None:
    choose(page, train__log=BATCH.encode())
    expect(page.locator(FINDING)).to_have_count(1)
    drop(page, RUNS / "torch-exception" / "logs")
    expect(page.locator(FIRST)).to_be_visible()
    expect(page.locator("[data-part=results]")).to_be_hidden()
    choose(page, train__log=BATCH.encode())
    expect(page.locator("[data-part=whole]")).to_be_hidden()
    expect(page.locator(FINDING)).to_have_count(1)


def test_the_answer_survives_reload_and_the_way_back_and_clear_forgets_it(page: Page, address: str) -> None:
    drop(page, RUNS / "report-cuda-oom-clocks" / "logs")
    before = record_of(page)
    for leave in (page.reload, lambda: (page.goto(address + "about/"), page.go_back())):
        leave()
        expect(page.locator(FIRST)).to_contain_text("rank 1")
        assert record_of(page) == before
    page.locator("[data-part=clear]").click()
    expect(page.locator(FIRST)).to_have_count(0)
    page.reload()
    expect(page.locator("[data-part=whole]")).to_be_hidden()


def test_cancel_stops(page: Page, tmp_path: Path) -> None:
    line = b"Error WARNING: step 3 update world_size=2 batch_size < memory.\n"
    for rank in range(2):
        (tmp_path / f"rank{rank}.log").write_bytes(line * 2_000_000)
    drop(page, tmp_path)
    page.locator("[data-part=cancel]").click()
    expect(page.locator(STATUS)).to_have_text("Cancelled.")
    expect(page.locator("[data-part=progress]")).to_be_hidden()
    choose(page, train__log=BATCH.encode())
    expect(page.locator(FINDING)).to_have_count(1)
    expect(page.locator("[data-part=whole]")).to_be_hidden()


@pytest.mark.whole
def test_thousands_of_files_do_not_stall_the_page(page: Page, tmp_path: Path) -> None:
    for at in range(2000):
        folder = tmp_path / f"node-{at // 500}"
        folder.mkdir(exist_ok=True)
        text = ERROR.replace("rank=1", f"rank={at}") if at == 7 else "step 1\n"
        (folder / f"rank{at}.log").write_text(text, encoding="utf-8")
    page.evaluate(WATCH)
    drop(page, tmp_path)
    expect(page.locator(FIRST)).to_contain_text("rank 7", timeout=60_000)
    assert page.evaluate("window.longest") < 1500


def test_a_ticket_names_what_failed_without_names(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=DESKTOP, locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + "diagnose/")
    error = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 of alice@example.com, 10.20.30.40"
    choose(page, rank0__log=b"rank=0 world_size=2\nstep 3\n", rank1__log=ERROR.replace("KeyError: 'a'", error).encode())
    page.locator("[data-part=ticket]").click()
    expect(page.locator("[data-part=ticket]")).to_have_text("Copied")
    ticket = page.evaluate("navigator.clipboard.readText()")
    assert "### FIRST FAILURE: rank 1: raised an error" in ticket and "`rank1.log:2`" in ticket
    assert "### 1. " in ticket and "**What to do**" in ticket and "CUDA out of memory" in ticket
    assert re.search(r"What each did last:\n\n- rank 0 · .*step 3\n- rank 1 · ", ticket)
    assert "alice" not in ticket and "10.20.30.40" not in ticket and ticket.count("```") % 2 == 0
    context.close()


@looks(DESKTOP)
def test_no_rule_of_accessibility_is_broken_by_a_run(
    browser: Browser, address: str, size: ViewportSize, scheme: Literal["light", "dark"]
) -> None:
    with looked_at(browser, size, scheme) as page:
        for language, run in (("", "report-cuda-oom-clocks"), ("zh/", "ray-killed")):
            page.goto(address + language + "diagnose/")
            drop(page, RUNS / run / "logs")
            expect(page.locator(FIRST)).to_be_visible()
            page.locator("[data-part=whole] details").evaluate_all("all => all.forEach(one => { one.open = true })")
            assert not violations_of(page, Axe(), *RULES[scheme])


def test_a_run_by_keyboard(page: Page) -> None:
    drop(page, RUNS / "report-cuda-oom-clocks" / "logs")
    expect(page.locator(FIRST)).to_be_visible()
    page.locator("[data-part=input]").focus()
    reached: set[str] = set()
    expected = {"run", "file", "folder", "ticket", "clear", WORDS["en"]["run_last"].rstrip(":")}
    while not expected <= reached and "input" not in reached:  # round the page at most
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.part || document.activeElement.textContent.slice(0, 40)"))
    assert expected <= reached


@pytest.mark.parametrize(("language", "run"), [("", "ray-killed"), ("zh/", "torch-hang")])
def test_no_run_is_wider_than_a_phone(browser: Browser, address: str, language: str, run: str) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-US")
    page = context.new_page()
    page.goto(address + language + "diagnose/")
    drop(page, RUNS / run / "logs")
    expect(page.locator(FIRST)).to_be_visible()
    page.locator("[data-part=whole] details").evaluate_all("all => all.forEach(one => { one.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()

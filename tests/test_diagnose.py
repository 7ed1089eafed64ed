"""The log page in a real browser: the same findings as the terminal's, bounded in time and memory, and nothing leaves it."""

import gzip
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from fieldguide.runtime.guide import Guide
from fieldguide.runtime.scan import Scanner
from tests.logpage import BATCH, FINDING, SETTLED, STATUS, WATCH, choose, opened, shown
from tests.logs import load_logs, mixed, plain
from tests.test_browser import DESKTOP, PHONE
from tests.upstream.errors.cases import TRANSCRIPTS, read_transcript

pytestmark = pytest.mark.browser
# One scanner per log, fed in pieces of an odd size.
SCAN = """
async ([language, texts, size]) => {
  const names = ["match/guide", "scan/cause", "scan/scanner", "rank/documents", "match/matcher"]
    .map((name) => new URL(`assets/javascripts/${name}.js`, location.href).href);
  const loaded = await Promise.all(names.map((name) => import(name)));
  const [{ assemble, withBugs }, { causeFirst, namedIn }, { Scanner }, { unpack }, { Matcher }] = loaded;
  const load = async (name) => (await fetch(`search/${name}.json`)).json();
  const pieces = ["guide", language, "scan", "bugs", `${language}-bugs`];
  const [guide, words, scan, bugs, ledger] = await Promise.all(pieces.map(load));
  const assembled = withBugs(assemble(guide, words), bugs, unpack(ledger));
  const matcher = new Matcher(assembled), data = { ...scan, keys: [...scan.keys, ...bugs.keys] };
  return texts.map((text) => {
    const scanner = new Scanner(assembled, data);
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
    const tail = text.slice(-200000), result = scanner.finish(namedIn(tail, bytes.length, matcher));
    const findings = causeFirst(result.findings, tail, matcher);
    return {
      framework: result.framework,
      lines: result.lines,
      findings: findings.map((one) => [one.entry, one.line, one.count, one.also]),
      texts: findings.map((one) => one.text),
    };
  });
}
"""
DROP = """
async ([name, bytes]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: transfer}));
  }
}
"""


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address)


@pytest.mark.parametrize("size", [1 << 20, 977])
@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.whole)])
def test_the_page_finds_what_the_terminal_finds(page: Page, address: str, language: str, size: int, compiled: Guide) -> None:
    page.goto(address)
    scanner = Scanner(compiled)
    logs = load_logs()
    found = page.evaluate(SCAN, [language, [log.text for log in logs], size])
    for log, one in zip(logs, found, strict=True):
        assert {name: one[name] for name in log.expected} == log.expected, log.name
        diagnosis = scanner.scan(io.BytesIO(log.text.encode()))
        assert plain(diagnosis) == log.expected, log.name
        assert one["texts"] == [finding.text for finding in diagnosis.findings], log.name


def test_the_page_finds_what_the_terminal_finds_in_real_output(page: Page, address: str, compiled: Guide) -> None:
    """What programs printed in our own runs; `tests/test_upstream_errors.py` says what the terminal has to find."""
    page.goto(address)
    scanner = Scanner(compiled)
    texts = {path.stem: read_transcript(path).text for path in sorted(TRANSCRIPTS.iterdir())}
    for (name, text), one in zip(texts.items(), page.evaluate(SCAN, ["en", list(texts.values()), 1 << 20]), strict=True):
        diagnosis = scanner.scan(io.BytesIO(text.encode()))
        assert one.pop("texts") == [finding.text for finding in diagnosis.findings], name
        assert one == plain(diagnosis), name


def test_both_find_the_same_in_a_long_mixed_log(page: Page, address: str, compiled: Guide) -> None:
    """Every known log, shuffled line by line into a long one that crosses chunks."""
    dice = random.Random(7)
    lines = [line for log in load_logs() for line in log.text.splitlines(keepends=True) if len(line) < 500]
    text = "".join(line if line.endswith("\n") else line + "\n" for line in dice.choices(lines, k=90_000))
    page.goto(address)
    (found,) = page.evaluate(SCAN, ["en", [text], 1 << 20])
    diagnosis = Scanner(compiled).scan(io.BytesIO(text.encode()))
    assert found.pop("texts") == [finding.text for finding in diagnosis.findings]
    assert found == plain(diagnosis)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_pasted_traceback_shows_the_fix_and_leads_to_the_entry(page: Page, address: str, language: str) -> None:
    page.goto(address + ("diagnose/" if language == "en" else "zh/diagnose/"))
    page.locator("[data-part=input]").fill(f"INFO\n{BATCH}\nINFO\n{BATCH}\n")
    page.locator("[data-part=run]").click()
    finding = page.locator(FINDING)
    expect(finding).to_have_count(1)
    expect(finding.locator(".fg-log__where")).to_contain_text("2")
    expect(finding.locator(".fg-log__fix pre").first).to_be_visible()
    finding.locator(".fg-log__open").click()
    prefix = "" if language == "en" else "zh/"
    expect(page).to_have_url(re.compile(f"^{re.escape(address + prefix)}topics/batch-size/#?roll-batch-size-chunks/?$"))


def test_pasting_starts_at_once_and_a_long_text_does_not_stall(page: Page) -> None:
    text = "INFO all is well\n" * 400_000 + BATCH
    page.evaluate("text => { window.text = text; }", text)  # getting there is no stall of the page
    page.evaluate(WATCH)
    longest = page.evaluate(
        """async () => {
          const data = new DataTransfer();
          data.setData("text/plain", window.text);
          const box = document.querySelector("[data-part=input]");
          box.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
          while (!document.querySelector(".fg-log__finding")) await new Promise((resolve) => setTimeout(resolve, 20));
          return window.longest;
        }"""
    )
    assert shown(page) == [["roll-batch-size-chunks", "line 400,001, 1×"]]
    assert longest < 1000
    assert len(page.locator("[data-part=input]").input_value()) < 10_000


def test_lone_surrogates_in_a_pasted_text(page: Page) -> None:
    page.evaluate(
        """(error) => {
          document.querySelector("[data-part=input]").value = "\\ud800 x \\udc00\\n" + error + " \\ud83d\\n";
          document.querySelector("[data-part=run]").click();
        }""",
        BATCH,
    )
    expect(page.locator(FINDING)).to_have_count(1)


def test_a_file_dropped_anywhere(page: Page) -> None:
    import base64

    page.evaluate(DROP, ["train.log", base64.b64encode(f"a\nb\n{BATCH}\n".encode()).decode()])
    expect(page.locator(FINDING)).to_have_count(1)
    assert shown(page) == [["roll-batch-size-chunks", "line 3, 1×"]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("gzip", gzip.compress(f"INFO\n{BATCH}\n".encode(), mtime=0)),
        ("utf-16 with its mark", f"INFO\n{BATCH}\n".encode("utf-16")),
        ("utf-16-le", f"INFO\n{BATCH}\n".encode("utf-16-le")),
        ("utf-16-be", f"INFO\n{BATCH}\n".encode("utf-16-be")),
        ("utf-16 in gzip", gzip.compress(f"INFO\n{BATCH}\n".encode("utf-16"), mtime=0)),
        ("not quite text", b"INFO \xff\xfe \xc3\n" + BATCH.encode()),
    ],
)
def test_other_encodings(page: Page, name: str, data: bytes) -> None:
    choose(page, data, name)
    expect(page.locator(FINDING)).to_have_count(1)
    assert shown(page) == [["roll-batch-size-chunks", "line 2, 1×"]]


@pytest.mark.parametrize(
    ("text", "kept", "line"),
    [
        (f"INFO\n{BATCH}\n" + random.Random(1).randbytes(200_000).hex(), 0.5, "2"),
        (f"{'INFO all is well' * 20}\n" * 20_000 + f"{BATCH}\n", -8, "20,001"),  # one piece packed, many unpacked
    ],
    ids=["half", "all but its end"],
)
def test_gzip_that_breaks_off(page: Page, text: str, kept: float, line: str) -> None:
    packed = gzip.compress(text.encode())
    choose(page, packed[: int(len(packed) * kept) if kept > 0 else int(kept)])
    expect(page.locator(STATUS)).to_contain_text("breaks off")
    assert shown(page) == [["roll-batch-size-chunks", f"line {line}, 1×"]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "nothing to read"),
        (b"\x7fELF" + bytes(500), "binary file"),
        (random.Random(3).randbytes(4000), "binary file"),
        (b"\x28\xb5\x2f\xfd....", "zstd archive. Unpack it, then choose the text file: zstd -d train.log.zst"),
        (b"\xfd7zXZ\x00....", "xz -dk"),
        (b"BZh91AY....", "bzip2 -dk"),
        (b"PK\x03\x04....", "unzip logs.zip"),
        (b"\x1f\x8b\x08 no gzip", "could not be read"),
    ],
)
def test_what_is_no_log_is_named(page: Page, data: bytes, said: str) -> None:

    choose(page, data)
    expect(page.locator(STATUS)).to_contain_text(re.compile(said))
    expect(page.locator(FINDING)).to_have_count(0)
    expect(page.locator("[data-part=cancel]")).to_be_hidden()


def test_html_in_a_log_is_text(page: Page) -> None:
    log = next(log for log in load_logs() if log.name == "HTML in the log")
    nasty = "ValueError: <img src=x onerror='window.hacked=5'></textarea><script>window.hacked=6</script>\n"
    choose(page, (log.text + nasty).encode(), "<img src=x onerror=window.hacked=7>.log")
    expect(page.locator(FINDING)).to_have_count(1)
    page.evaluate(SETTLED)
    assert page.evaluate("window.hacked") is None
    assert page.locator("[data-fg=log] img, [data-fg=log] script, [data-fg=log] svg").count() == 0
    assert "<img src=x" in page.locator("[data-part=report]").input_value()


def test_what_else_a_text_could_mean(page: Page) -> None:
    """Of a text that two entries have, the one of the log's framework is the finding; that of everybody is named below it."""
    choose(page, b"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0\nslime\n")
    expect(page.locator(FINDING)).to_have_attribute("data-entry", "slime-oom")
    (link,) = page.locator(".fg-log__also a").all()
    expect(link).to_have_attribute("href", page.url.replace("diagnose/", "topics/memory/any-cuda-oom/"))
    expect(page.locator(STATUS)).to_contain_text("Framework: slime")


def test_what_ended_the_run_stands_first(page: Page) -> None:
    log = next(log for log in load_logs() if log.name.startswith("chained"))
    choose(page, log.text.encode())
    expect(page.locator(FINDING)).to_have_count(3)
    assert [one[0] for one in shown(page)] == [one[0] for one in log.expected["findings"]]
    expect(page.locator(".fg-log__first")).to_have_count(1)
    expect(page.locator(FINDING).first.locator(".fg-log__first")).to_be_visible()


SECRETS = {
    "hf_abcdefghijklmnopqrstuvwxyz0123": "token hf_abcdefghijklmnopqrstuvwxyz0123",
    "sk-proj-abc123DEF456ghi789": "using sk-proj-abc123DEF456ghi789",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789": "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "0123456789abcdef0123456789abcdef01234567": "wandb login 0123456789abcdef0123456789abcdef01234567",
    "AKIAIOSFODNN7EXAMPLE": "key id AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9": "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN",
    "s3cr3t-pw": "redis://admin:s3cr3t-pw@redis.internal:6379/0",
    "topsecretvalue": "MY_API_KEY=topsecretvalue",
    "hunter2": "export DB_PASSWORD='hunter2 with spaces'",
    "quoted-token": '{"access_token": "quoted-token"}',
    "flagtoken": "--wandb-key flagtoken",
    "alice": "/home/alice/projects/run.py and user=alice",
    "customer-x": "/mnt/nfs/customer-x/model.safetensors",
    "10.20.30.40": "connect to 10.20.30.40:8265",
    "fe80:0:0:0:1234:5678:9abc:def0": "peer fe80:0:0:0:1234:5678:9abc:def0",
    "bob@example.com": "mail bob@example.com",
    "gpu-node-17": "lost gpu-node-17",
    "train.corp.example.com": "host train.corp.example.com:29500",
    "s3-private-bucket": "s3://s3-private-bucket/data",
    "carol": r"C:\Users\carol\run.py",
}


def test_the_report_masks_secrets_people_places_and_machines(page: Page) -> None:
    lines = [f"RuntimeError: {text}" for text in SECRETS.values()][:40]
    keep = ["RuntimeError: size mismatch for weight, step 12, ratio 0.5, ray::Actor.train", "KeyError: 'loss_mask'"]
    frame = '  File "/home/alice/x/slime/slime/utils/misc.py", line 12, in generate'
    trace = ["Traceback (most recent call last):", frame, f"CustomError: {SECRETS['alice']}"]
    choose(page, "\n".join([*lines, *keep, *trace]).encode())
    expect(page.locator("[data-part=unknown]")).to_be_visible()
    report = page.locator("[data-part=report]").input_value()
    leaked = [secret for secret in SECRETS if secret in report]
    assert not leaked, report
    assert "size mismatch for weight, step 12, ratio 0.5, ray::Actor.train" in report and "KeyError: 'loss_mask'" in report
    assert 'File "<path>/slime/utils/misc.py", line 12, in generate' in report
    assert report.startswith("Framework and version:") and report.rstrip().endswith("```")


def test_known_errors_are_not_in_the_report_and_it_is_bounded(page: Page) -> None:
    noise = "".join(
        f"ValueError: something {'abcdefghij'[i % 10]}{'klmnopqrst'[i // 10 % 10]}{i // 100} failed\n" for i in range(2000)
    )
    choose(page, (f"{BATCH}\n" * 3 + noise + "x Error " * 100_000).encode())
    expect(page.locator(FINDING)).to_have_count(1)
    report = page.locator("[data-part=report]").input_value()
    assert "batch_size 32" not in report and "something a" in report
    assert len(report) < 30_000


def test_nothing_unknown_no_report(page: Page) -> None:
    choose(page, f"INFO\n{BATCH}\n".encode())
    expect(page.locator(FINDING)).to_have_count(1)
    expect(page.locator("[data-part=unknown]")).to_be_hidden()


def test_the_issue_form_opens_without_the_report_which_is_copied(page: Page) -> None:
    choose(page, b"CustomError: never seen\n")
    form = page.locator("[data-part=unknown] a")
    page.context.route("https://github.com/**", lambda route: route.fulfill(body="", content_type="text/html"))
    with page.context.expect_page() as opened:
        form.click()
    opened.value.wait_for_url("**/issues/new?template=new-error.yml")
    expect(form).to_have_text("Copied. Paste it into the form")
    opened.value.close()


def test_the_report_can_be_copied(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=DESKTOP, locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + "diagnose/")
    choose(page, b"CustomError: never seen\n")
    page.locator("[data-part=copy]").click()
    expect(page.locator("[data-part=copy]")).to_have_text("Copied")
    assert "CustomError: never seen" in page.evaluate("navigator.clipboard.readText()")
    context.close()


@pytest.mark.whole
def test_a_log_of_30_mb_within_seconds_and_bounded_memory(page: Page, tmp_path: Path, compiled: Guide) -> None:
    file = tmp_path / "train.log"
    data = mixed(30, BATCH)
    file.write_bytes(data)
    count = data.count(BATCH.encode())
    expected = plain(Scanner(compiled).scan(io.BytesIO(data)))
    session = page.context.new_cdp_session(page)
    before = session.send("Runtime.getHeapUsage")["usedSize"]
    page.evaluate(WATCH)
    page.locator("[data-part=file]").set_input_files(file)
    expect(page.locator(FINDING)).to_have_count(1, timeout=20_000)
    assert shown(page) == [["roll-batch-size-chunks", f"line 20,001, {count}×"]] and expected["findings"][0][2] == count
    expect(page.locator(STATUS)).to_contain_text(f"{expected['lines']:,}")
    assert page.evaluate("window.longest") < 1000
    assert session.send("Runtime.getHeapUsage")["usedSize"] - before < 20_000_000


def test_cancel_stops_and_the_next_log_is_read(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "train.log"
    file.write_bytes(b"Error WARNING: could not find the not in batch_size < memory. Tried chunks\n" * 1_000_000)
    page.locator("[data-part=file]").set_input_files(file)
    page.locator("[data-part=cancel]").click()
    expect(page.locator(STATUS)).to_have_text("Cancelled.")
    expect(page.locator("[data-part=progress]")).to_be_hidden()
    for _ in range(50):
        if not any("log-worker" in worker.url for worker in page.workers):
            break
        page.wait_for_timeout(100)
    else:
        pytest.fail("the worker still runs")
    choose(page, BATCH.encode())
    expect(page.locator(FINDING)).to_have_count(1)


def test_without_javascript_the_page_names_the_command(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for path in ("diagnose/", "zh/diagnose/"):
        page.goto(address + path)
        expect(page.locator("noscript p", has_text="fieldguide explain train.log")).to_be_visible()
        expect(page.locator("[data-fg=log]")).to_be_hidden()
    context.close()


def test_everything_can_be_reached_by_keyboard_and_has_a_name(page: Page) -> None:
    choose(page, f"{BATCH}\nCustomError: x\n".encode())
    expect(page.locator(FINDING)).to_have_count(1)
    page.locator("[data-part=input]").focus()
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.part || document.activeElement.tagName"))
    assert {"run", "file", "ticket", "clear", "report", "copy", "A", "SUMMARY", "BUTTON"} <= set(reached)
    for control in page.locator("[data-fg=log] :is(textarea, input, button, progress)").all():
        name = control.evaluate(
            "one => one.labels && one.labels.length ? one.labels[0].textContent : one.ariaLabel || one.textContent"
        )
        assert name.strip()
    expect(page.locator(STATUS)).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_page_is_wider_than_a_phone(browser: Browser, address: str, language: str) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-US")
    page = context.new_page()
    page.goto(address + ("diagnose/" if language == "en" else "zh/diagnose/"))
    choose(page, "".join(log.text for log in load_logs()).encode() + b"CustomError: " + b"x" * 3000)
    expect(page.locator(FINDING).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()

"""The browser reads the logs of a run as the terminal does: recorded runs, and logs that nobody thought of.

TEXTS=100000 tries so many generated logs; a run of the default suite tries fifty, others each day.
"""

import base64
import datetime
import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from fieldguide.content.guide import load_guide
from fieldguide.runtime.doctor.facts import read_facts
from fieldguide.runtime.guide import read_answers, read_guide
from fieldguide.runtime.rank.finder import read_finder
from fieldguide.runtime.run import read
from fieldguide.runtime.run.clock import Clock, in_year, shown
from fieldguide.runtime.run.collect import collect, natural
from fieldguide.runtime.run.kinds import kind_by_head, kind_by_name
from fieldguide.runtime.run.rules import RunRules, read_rules
from fieldguide.runtime.run.whole import answer_run
from tests import madeup
from tests.conftest import ROOT
from tests.modules import module_page
from tests.runs import CLOCKS, KINDS, RecordedRun, load_runs
from tests.test_run import OF_THE_GUIDE
from tests.texts import sample

pytestmark = pytest.mark.browser

RUNS = load_runs()
LOGS = int(os.environ.get("TEXTS", "50"))
SEED = int(os.environ.get("SEED", str(datetime.date.today().toordinal())))
LOAD = """
async (pieces) => {
  const names = ["context", "read", "answer", "clock", "kinds", "order"].map((name) => import(`/javascripts/run/${name}.js`));
  const run = window.run = Object.assign({}, ...await Promise.all(names));
  window.context = await run.contextOf(async (name) => pieces[name], "en");
}
"""
ANSWER = """
async ([members, skipped, others]) => {
  const own = { ...context, left: new run.Left(context.rules.limits) }, reads = [];
  for (const { bytes, ...one } of members) {
    const blob = new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]);
    const { read, skipped: why } = await run.readMember({ ...one, size: blob.size, stream: () => blob.stream() }, own);
    if (read) reads.push(read); else skipped.push(why);
  }
  return run.answerRun(reads, skipped, others, own);
}
"""
# A stream that gives some bytes and then fails in a way.
BREAKS = """
async ([text, times, name]) => {
  const stream = () => new ReadableStream({
    start(control) { control.enqueue(new TextEncoder().encode(text.repeat(times))); },
    pull(control) { control.error(Object.assign(new Error("no more"), { name })); },
  }, { highWaterMark: 0 });
  const made = await run.readMember({ path: "a.zip/b.log", name: "b.log", size: 10, stream }, context);
  return made.skipped?.reason ?? [made.read.lines, made.read.damaged];
}
"""


@pytest.fixture(scope="module")
def rules(compiled_files: Path) -> RunRules:
    return read_rules(compiled_files)


@pytest.fixture(scope="module")
def page(browser: Browser, site: Path) -> Iterator[Page]:
    pieces = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in (site / "search").glob("*.json")}
    with module_page(browser) as page:
        page.evaluate(LOAD, {**pieces, "fixes-en": {}})
        yield page


@pytest.fixture(scope="module")
def here(compiled_files: Path, rules: RunRules) -> Callable[[], dict[str, Any]]:
    """What Python answers to the folder `logs`."""
    guide, answers = read_guide(compiled_files), read_answers(compiled_files, "en")
    finder, facts = read_finder(compiled_files, "en", guide), read_facts(compiled_files)

    def answer() -> dict[str, Any]:
        made = answer_run(["logs"], compiled_files, guide, answers, rules, lambda: finder, lambda: facts).record
        return json.loads(json.dumps(made))  # type: ignore[no-any-return]

    return answer


def there(page: Page, rules: RunRules) -> dict[str, Any]:
    """What the browser answers to the folder `logs`."""
    found = collect(["logs"], rules)
    members = [
        {"path": one.path, "name": one.name, "bytes": base64.b64encode(one.file.read_bytes()).decode()} for one in found.members
    ]
    skipped = [{"path": one.path, "reason": one.reason} for one in found.skipped]
    return page.evaluate(ANSWER, [members, skipped, found.others])  # type: ignore[no-any-return]


def differences(here: Any, there: Any, at: str = "") -> Iterator[str]:
    """Each place at which two records differ."""
    if isinstance(here, dict) and isinstance(there, dict):
        for name in here.keys() | there.keys():
            yield from differences(here.get(name, "nothing"), there.get(name, "nothing"), f"{at}.{name}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for number, (one, other) in enumerate(zip(here, there, strict=True)):
            yield from differences(one, other, f"{at}[{number}]")
    elif here != there:
        yield f"{at}: {here!r} in Python, {there!r} in JavaScript"


def tidy(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what only one of them says: the page compares versions itself and shows a fix as HTML."""
    record = {name: one for name, one in record.items() if name not in ("versions", "ends")}
    return {**record, "findings": [{name: one for name, one in found.items() if name != "fix"} for found in record["findings"]]}


@pytest.mark.parametrize("run", RUNS, ids=[run.name for run in RUNS])
def test_recorded_runs(run: RecordedRun, page: Page, rules: RunRules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run.logs.parent)
    record = {name: one for name, one in tidy(there(page, rules)).items() if name not in OF_THE_GUIDE}
    assert run.differences(record) == []
    record["failure"] = {name: one for name, one in record["failure"].items() if name not in ("entry", "method")}
    assert list(differences(json.loads((run.logs.parent / "answer.json").read_text(encoding="utf-8")), record)) == []


# Few runs that are drawn may have no error but known ones.
UNKNOWN = {"train.log": b'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: shape of a batch\n'}


def test_generated_runs(
    page: Page, rules: RunRules, here: Callable[[], dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = load_guide(ROOT).catalog
    errors = [one.example for one in catalog.run[0].record.events]
    errors += [sample(one.text) for some in catalog.signatures_of.values() for one in some][::7]
    failed, answered, nearest = 0, 0, 0
    for number, files in enumerate((*madeup.runs(SEED, LOGS, errors), UNKNOWN)):
        folder = tmp_path / str(number)
        for name, data in files.items():
            (folder / "logs" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "logs" / name).write_bytes(data)
        monkeypatch.chdir(folder)
        ours, theirs = tidy(here()), tidy(there(page, rules))
        assert list(differences(ours, theirs)) == [], f"SEED={SEED} TEXTS={LOGS}: {folder}"
        failed += ours["failure"] is not None
        answered += bool(ours["findings"])
        nearest += bool(ours["nearest"])
    assert failed and answered and nearest, "nothing was found at all"


def test_a_log_of_several_chunks(
    page: Page, rules: RunRules, here: Callable[[], dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    calm = "".join(
        f"2026-11-22 10:{at // 60 % 60:02}:{at % 60:02} INFO (W pid={at % 7}) step {at}: update\n" for at in range(3000)
    )
    loud = "(W pid=3) Traceback (most recent call last):\n(W pid=3) KeyError: 'a'\nConnection closed by peer [::1]:1\n" * 3000
    (tmp_path / "logs" / "train.log").write_text(f"{calm * 10}{loud}{calm * 5}" + "z" * 100_000, encoding="utf-8")
    (tmp_path / "logs" / "rank1.log.gz").write_bytes(gzip.compress(f"{calm}ValueError: b\n".encode())[:-20])
    monkeypatch.chdir(tmp_path)
    assert (tmp_path / "logs" / "train.log").stat().st_size > 2.5 * read.CHUNK
    assert list(differences(tidy(here()), tidy(there(page, rules)))) == []


def test_clocks(page: Page, rules: RunRules) -> None:
    lines = [line for line, _ in CLOCKS]
    lines += [one.example for one in load_guide(ROOT).catalog.run[0].record.times]
    look = "lines => lines.map((line) => [new run.Clock(context.rules).read(line)].flatMap((time) => [time, run.shown(time)]))"
    times = [Clock(rules).read(line) for line in lines]
    assert page.evaluate(look, lines) == [[time, shown(time)] for time in times]
    known = [time for time in times if time is not None]
    moved = page.evaluate("times => times.map((time) => [2023, 2024].map((year) => run.inYear(time, year)))", known)
    assert moved == [[in_year(time, year) for year in (2023, 2024)] for time in known]


def test_kinds(page: Page, rules: RunRules) -> None:
    reading = load_guide(ROOT).catalog.run[0].record
    names = [name for name, *_ in KINDS] + [one.example for one in (*reading.files, *reading.nodes)]
    look = """names => names.map((name) => run.kindByName(name, context.rules))
      .map(({ kind, who }) => [kind, who.rank, who.pid, who.node])"""
    found = [(kind, who) for kind, who in (kind_by_name(name, rules) for name in names)]
    assert page.evaluate(look, names) == [[kind, who.rank, who.pid, who.node] for kind, who in found]
    heads = [one.example for one in reading.heads]
    assert page.evaluate("heads => heads.map((head) => run.kindByHead(head, context.rules))", heads) == [
        one.kind for one in reading.heads
    ]
    assert [kind_by_head(head, rules) for head in heads] == [one.kind for one in reading.heads]


def test_names_in_the_order_of_their_numbers(page: Page) -> None:
    names = ["rank10", "rank9", "rank09", "rank", "a/10/2", "a/9/10", "\uff21", "😀", "\ue0001", "9" * 40, "10" + "0" * 40, ""]
    assert page.evaluate("names => run.sorted(names, run.natural)", names) == sorted(names, key=natural)


@pytest.mark.parametrize(
    ("text", "times", "error", "said"),
    [
        ("one\n", 2, "damaged", [2, True]),
        ("one\n", 2, "NotReadableError", [2, True]),
        ("", 1, "damaged", "damaged"),
        ("", 1, "NotReadableError", "unreadable"),
        ("one\n", 2, "bomb", "bomb"),
        ("one\n", 2_000_000, "damaged", "bomb"),
        ("\0\1\2", 50, "damaged", "binary"),
        ("PK\3\4 an archive in another", 1, "damaged", "packed"),
    ],
)
def test_a_file_that_cannot_be_read_to_its_end(page: Page, text: str, times: int, error: str, said: Any) -> None:
    assert page.evaluate(BREAKS, [text, times, error]) == said


def test_of_very_many_events_less_is_kept_of_each_file(page: Page) -> None:
    kept = page.evaluate(
        """() => {
          const left = new run.Left({ texts: 20, events: 12, doings: 3 });
          const file = { events: Array.from({ length: 10 }, (_, at) => ({ block: "x", at })), doing: [1, 2] };
          return [1, 2, 3].map(() => left.lean(file))
            .map(({ events, doing }) => [events.map(({ at }) => at), doing.length, events[0].block]);
        }"""
    )
    every = list(range(10))
    assert kept == [[every, 2, "x"], [every, 1, "x"], [[0, 1, 8, 9], 1, ""]]

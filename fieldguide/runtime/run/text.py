"""The answer for a run as a reader sees it in a terminal, from the record for programs."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fieldguide.runtime.explain import BOLD, DIM, RESET
from fieldguide.runtime.guide import Answers

# Terminal colours and commands, and every control character but tab and line feed.
_STEERS = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*\x07?|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def as_text(record: Mapping[str, Any], answers: Answers, folded: int, *, colour: bool) -> str:
    """The answer, the first failure first.

    Args:
        folded: rows of a list before the rest is only counted.
    """
    record = printable(record)
    made = _Text(answers.words, answers, folded, (BOLD, DIM, RESET) if colour else ("", "", ""))
    blocks = [
        made.missing(record), made.followed(record), made.last(record), made.flight(record), made.findings(record),
        made.nearest(record), made.skipped(record), made.report(record),
    ]  # fmt: skip
    if record["run"]["files"]:  # dumps of the flight recorder alone are no logs
        blocks = [made.head(record), made.failure(record), *blocks]
    return "\n\n".join("\n".join(lines) for block in blocks if (lines := list(block)))


def printable(value: Any) -> Any:
    """A record without what a log could steer the terminal with."""
    if isinstance(value, str):
        return _STEERS.sub("", value)
    if isinstance(value, Mapping):
        return {printable(name): printable(one) for name, one in value.items()}
    return [printable(one) for one in value] if isinstance(value, list) else value


class _Text:
    def __init__(self, words: Mapping[str, str], answers: Answers, folded: int, style: tuple[str, str, str]) -> None:
        self._words, self._answers, self._folded = words, answers, folded
        self._bold, self._dim, self._reset = style

    def head(self, record: Mapping[str, Any]) -> Iterator[str]:
        run = record["run"]
        kinds = self._words["comma"].join(f"{self._words[f'run_kind_{kind}']} {count}" for kind, count in run["kinds"].items())
        yield self._words["run_head"].format(files=run["files"], lines=run["lines"], kinds=kinds)
        yield self._words["run_span"].format(**run) if run["first"] else self._words["run_untimed"]
        if run["ranks"]["expected"]:
            yield self._words["run_ranks"].format(**run["ranks"])
        if run["others"]:
            others = self._words["comma"].join(run["others"])
            yield self._words["run_others"].format(runs=others)

    def failure(self, record: Mapping[str, Any]) -> Iterator[str]:
        one = record["failure"]
        if one is None:
            yield self._words["run_none"]
            return
        title = self._words["colon"].join((self._words["run_first"], self._who(one), self._how(one)))
        yield f"{self._bold}{title}{self._reset}"
        yield f"  {self._dim}{self._place(one)}{self._reset}"
        if one["text"]:
            yield from ("", f"    {one['text']}", "")
        yield f"  {self._sure(one)}"
        if did := self._did(one["did"]):
            yield f"  {self._words['run_did']}{self._words['colon']}{did}"
        if told := one["told"]:
            yield f"  {self._words['explain_told']} {told['error']}{': ' if told['message'] else ''}{told['message']}"
            if told["file"]:
                where = self._words["explain_raised"].format(file=told["file"], line=told["line"])
                library = f" ({told['library']} {told['version']}".rstrip() + ")" if told["library"] else ""
                yield f"    {where}{library}"
        if one["entry"] is None:
            yield f"  {self._words['run_unknown']}"
        yield f"  {self._words['run_method']}{self._words['colon']}{one['method']['title']} · {one['method']['page']}"

    def missing(self, record: Mapping[str, Any]) -> Iterator[str]:
        if record["missing"]:
            yield self._words["run_missing"].format(ranks=self._words["comma"].join(map(str, record["missing"])))

    def followed(self, record: Mapping[str, Any]) -> Iterator[str]:
        rows = record["followed"]
        if rows:
            yield self._words["run_followed"].format(count=len(rows))
        for one in rows[: self._folded]:
            yield f"  {self._who(one)}{self._words['colon']}{self._how(one)} · {self._place(one)}"
            yield f"    {self._dim}{one['text']}{self._reset}"
        yield from self._more(rows)

    def last(self, record: Mapping[str, Any]) -> Iterator[str]:
        rows = record["last"]
        if rows:
            yield self._words["run_last"]
        for one in rows[: self._folded]:
            yield "  " + " · ".join(filter(None, (self._who(one), one["time"], self._did(one["did"]) or one["text"])))
        yield from self._more(rows)

    def findings(self, record: Mapping[str, Any]) -> Iterator[str]:
        rows = record["findings"]
        cause = (record["failure"] or {}).get("entry")
        if rows:
            yield self._words["run_findings" if cause else "run_findings_other"].format(count=len(rows))
        for at, one in enumerate(rows[: self._folded], 1):
            yield f"{self._bold}{at}. {one['title']}{self._reset}"
            where = self._words["run_where"].format(**one) + " · " if one["file"] else ""
            yield f"  {self._dim}{where}{one['id']} · {one['page']}{self._reset}"
            if one["text"]:
                yield f"    {one['text']}"
            if one["id"] == cause:
                yield from ("", *(f"  {line}" if line else "" for line in one["fix"].splitlines()), "")
        yield from self._more(rows)

    def skipped(self, record: Mapping[str, Any]) -> Iterator[str]:
        if record["skipped"]:
            yield self._words["run_skipped"]
        for reason, one in record["skipped"].items():
            known = self._words.get(f"run_not_{reason}", self._words["run_not_other"])
            yield f"  {one['count']} {known}{self._words['colon']}{self._words['comma'].join(one['examples'])}"

    def flight(self, record: Mapping[str, Any]) -> Iterator[str]:
        one = record["flight"]
        if one and one["verdict"]:
            yield self._words["run_flight"]
            yield from (f"    {line}" for line in one["verdict"].splitlines())
        elif one:
            yield self._words["run_flight_how"].format(command=one["command"])

    def nearest(self, record: Mapping[str, Any]) -> Iterator[str]:
        if record["nearest"]:
            yield self._words["explain_nearest"]
        for one in record["nearest"]:
            yield f"  {one['title']}"
            yield f"    {self._dim}{one['id']} · {one['page']}{self._reset}"

    def report(self, record: Mapping[str, Any]) -> Iterator[str]:
        if record["report"]:
            yield self._words["run_report"]
            yield from (f"    {line}" for line in record["report"].splitlines())

    def _more(self, rows: list[Any]) -> Iterator[str]:
        if len(rows) > self._folded:
            yield f"  {self._words['run_more'].format(count=len(rows) - self._folded)}"

    def _who(self, one: Mapping[str, Any]) -> str:
        words = self._words
        name = words["run_rank"].format(rank=one["rank"]) if one["rank"] is not None else one["actor"] or ""
        if not name and one["pid"] is None:
            name = words["run_host"] if one["node"] else words[f"run_kind_{one['kind']}"]
        pid = f"pid {one['pid']}" if one["pid"] is not None else ""
        node = words["run_node"].format(node=one["node"]) if one["node"] else ""
        return words["comma"].join(filter(None, (name, pid, node)))

    def _how(self, one: Mapping[str, Any]) -> str:
        return self._words["run_how_" + one["how"]]

    def _sure(self, one: Mapping[str, Any]) -> str:
        return self._words["run_sure_" + one["sure"]]

    def _place(self, one: Mapping[str, Any]) -> str:
        return " · ".join(filter(None, (f"{one['file']}:{one['line']}" if one["file"] else "", one["time"])))

    def _did(self, did: Mapping[str, str]) -> str:
        words = self._words
        said = [
            words["run_step"].format(step=did["step"]) if "step" in did else "",
            words.get(f"run_phase_{did.get('phase', '')}", did.get("phase", "")),
            f"{did['op']} {did.get('seq', '')}".strip() if "op" in did else "",
        ]
        return words["comma"].join(filter(None, said))

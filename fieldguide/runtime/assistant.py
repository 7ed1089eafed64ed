"""What a coding agent asks, as plain functions: short records with the entry, what it was checked against, and its page."""

import io
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from fieldguide.runtime.about import About
from fieldguide.runtime.calculate import judge as settings
from fieldguide.runtime.calculate.beside import beside
from fieldguide.runtime.calculate.settings import SettingsError
from fieldguide.runtime.doctor import answer as doctor_answer
from fieldguide.runtime.doctor.environment import LARGEST, read_environment
from fieldguide.runtime.doctor.facts import Facts, read_facts
from fieldguide.runtime.doctor.here import read_here
from fieldguide.runtime.doctor.judge import DoctorError, judge
from fieldguide.runtime.encoding import LogError
from fieldguide.runtime.entries import Entries, read_entries
from fieldguide.runtime.guide import Answers, Guide, read_answers, read_guide
from fieldguide.runtime.keys import Keys, read_keys
from fieldguide.runtime.ledger import LedgerError, known_bugs
from fieldguide.runtime.log_answer import answer_log
from fieldguide.runtime.lookup import Row, Whole, found, key_record, nearest_ids, whole
from fieldguide.runtime.rank.finder import Finder, read_finder
from fieldguide.runtime.run.collect import is_one_log
from fieldguide.runtime.run.rules import read_rules
from fieldguide.runtime.run.whole import answer_run

MOST_FINDINGS = 8  # of a log that are named; the fix of the first alone is told
MOST_ENDS = 16  # processes of a run that are told of
MOST_ROWS = 10  # of the bug ledger
_KEY_FACTS = ("name", "owner", "type", "default", "paths", "since", "removed", "renamed_to", "help", "words", "entries", "page")


class AskedWrongError(ValueError):
    """The question cannot be answered; the text says why, and what is near."""


@dataclass(frozen=True)
class Assistant:
    """Answers from the compiled guide in `folder`, each file of which is read once, when it is first needed."""

    folder: Path
    about: About

    @lru_cache  # noqa: B019 (lives as long as the process)
    def _guide(self) -> Guide:
        return read_guide(self.folder)

    @lru_cache  # noqa: B019
    def _answers(self, language: str) -> Answers:
        return read_answers(self.folder, language)

    @lru_cache  # noqa: B019
    def _finder(self, language: str) -> Finder:
        return read_finder(self.folder, language, self._guide())

    @lru_cache  # noqa: B019
    def _entries(self, language: str) -> Entries:
        return read_entries(self.folder, language)

    @lru_cache  # noqa: B019
    def _keys(self, language: str) -> Keys:
        return read_keys(self.folder, language)

    @lru_cache  # noqa: B019
    def _facts(self) -> Facts:
        return read_facts(self.folder)

    def explain_log(self, language: str, text: str, path: str, release: str | None) -> dict[str, Any]:
        """The known errors of a log, of which `text` or `path` is given; of a folder or an archive, what failed first.

        Raises:
            AskedWrongError: it cannot be read.
        """
        if path and not text and not is_one_log(Path(path)):
            return self._explain_run(language, path)
        guide, answers = self._guide(), self._answers(language)
        try:
            with _bytes(text, path) as stream:
                answer = answer_log(stream, guide, answers, lambda: self._finder(language), self._facts, release)
        except LogError as error:
            raise AskedWrongError(f"{path or 'text'}: {error}") from error
        except OSError as error:
            raise AskedWrongError(f"{path}: {error.strerror or error}") from error
        record = answer.record()
        findings = [self._finding(language, one, not at) for at, one in enumerate(record["findings"][:MOST_FINDINGS])]
        return record | {"findings": findings, "nearest": self._placed(record["nearest"])}

    def _explain_run(self, language: str, path: str) -> dict[str, Any]:
        guide, answers, rules = self._guide(), self._answers(language), read_rules(self.folder)
        made = answer_run([path], self.folder, guide, answers, rules, lambda: self._finder(language), self._facts)
        if made.is_empty:
            raise AskedWrongError(f"{path}: {answers.words['run_nothing']}")
        record = {name: told for name, told in made.record.items() if name != "report"}  # that is for people
        findings = self._placed(record["findings"][:MOST_FINDINGS])
        findings[1:] = ({**one, "fix": ""} for one in findings[1:])
        cut = {name: record[name][:MOST_ENDS] for name in ("followed", "last")}
        return record | cut | {"findings": findings, "nearest": self._placed(record["nearest"])}

    def _placed(self, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The same rows, each with the address of its page."""
        return [{**one, "page": self.about.page(one["page"])} for one in rows]

    def _finding(self, language: str, finding: dict[str, Any], first: bool) -> dict[str, Any]:
        entry = self._entries(language).by_id.get(finding["id"])
        told = ("id", "title", "framework", "line", "count", "text", "also", *(["fix"] if first else []))
        checked = entry.checked if entry else finding["bug"]["standing"]
        return {name: finding[name] for name in told} | {"checked": checked, "page": self.about.page(finding["page"])}

    def search(self, language: str, words: str, framework: str | None, most: int) -> list[Row]:
        """What the search box of the site lists.

        Raises:
            AskedWrongError: there is no such framework.
        """
        self._known(framework)
        guide, answers = self._guide(), self._answers(language)
        return found(words, guide, answers, self._finder(language), self.about, framework, max(1, most))

    def entry(self, language: str, id_: str) -> Whole:
        """A whole entry or known bug.

        Raises:
            AskedWrongError: there is none of that id.
        """
        answers = self._answers(language)
        if (one := whole(id_, self._entries(language), answers, self.about)) is None:
            raise AskedWrongError(f"no entry {id_!r}; nearest: {', '.join(nearest_ids(id_, answers)) or 'none'}")
        return one

    def key(self, language: str, name: str, framework: str | None) -> list[dict[str, Any]]:
        """What is known of a key, by framework.

        Raises:
            AskedWrongError: there is no such key, or no such framework.
        """
        glossary = self._known(framework)
        keys = self._keys(language)
        if not (named := keys.named(name, glossary)):
            raise AskedWrongError(f"no key {name!r}; nearest: {', '.join(keys.nearest(name, glossary)) or 'none'}")
        pins = {pin.id: pin.said for pin in self.about.pins}
        records = [key_record(one, self.about) for one in named]
        return [
            {fact: one[fact] for fact in _KEY_FACTS if one[fact] not in ("", ())} | {"checked": pins.get(one["owner"], "")}
            for one in records
        ]

    def check_config(self, language: str, text: str, path: str, framework: str | None, release: str | None) -> dict[str, Any]:
        """Which assertion a configuration or launch script would hit.

        Raises:
            AskedWrongError: it cannot be read, or what was asked for does not exist.
        """
        answers = self._answers(language)
        try:
            with _bytes(text, path) as stream:
                read = stream.read(LARGEST).decode("utf-8")
            made = settings.judge(self._guide(), read, {}, framework, release, beside(Path(path or "-")), {})
        except SettingsError as error:
            raise AskedWrongError(answers.words[error.problem].format(**error.fills)) from error
        except (OSError, UnicodeDecodeError) as error:
            raise AskedWrongError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
        record = settings.as_json(made)
        told = {name: record[name] for name in ("framework", "version", "judged", "problems", "open", "unknown", "proposals")}
        pages = {id_: self.about.page(answers.entries[id_].page) for id_ in {one["entry"] for one in record["findings"]}}
        findings = [one | {"page": pages[one["entry"]]} for one in record["findings"]]
        return told | {"findings": findings, "says": settings.as_text(answers, made, path or "settings")}

    def doctor(self, language: str, packages: str, framework: str | None, release: str | None) -> dict[str, Any]:
        """Whether versions fit: those of a list, or what is installed where this runs.

        Raises:
            AskedWrongError: there is no such framework or release.
        """
        facts = self._facts()
        try:
            environment = read_environment(facts, packages[:LARGEST]) if packages.strip() else read_here(facts)
            verdict = judge(facts, environment, framework, release)
        except DoctorError as error:
            raise AskedWrongError(f"{error}; there are: {', '.join(error.known)}") from error
        record = doctor_answer.as_json(facts, verdict, language)
        troubles = [one | {"page": self.about.page(one["page"]) if one["page"] else ""} for one in record["troubles"]]
        told = {name: record[name] for name in ("framework", "installed", "release", "exact", "set", "outside", "unknown")}
        return told | {"troubles": troubles}

    def known_bugs(self, language: str, repository: str, release: str | None, to: str | None, words: str) -> dict[str, Any]:
        """Known bugs of a framework or library.

        Raises:
            AskedWrongError: nothing is known of it, or a release is none.
        """
        try:
            rows = known_bugs(self._guide(), self._answers(language), repository, words.split(), release, to)
        except LedgerError as error:
            raise AskedWrongError(str(error)) from error
        records = [row.record() | {"page": self.about.page(row.answer.page)} for row in rows[:MOST_ROWS]]
        return {"found": len(rows), "bugs": records}

    def _known(self, framework: str | None) -> str | None:
        """The glossary of a framework."""
        known = {one.id: one.glossary for one in self._guide().frameworks}
        if framework is not None and framework not in known:
            raise AskedWrongError(f"no framework {framework!r}; there are: {', '.join(known)}")
        return known[framework] if framework else None


def _bytes(text: str, path: str) -> Any:
    """What was given, as a stream to be closed.

    Raises:
        AskedWrongError: both were, or neither, or the path is none of a file.
        OSError: it cannot be opened.
    """
    if bool(text) == bool(path):
        raise AskedWrongError("give text or path, one of the two")
    if not path:
        return nullcontext(io.BytesIO(text.encode("utf-8", "replace")))
    file = Path(path).expanduser()
    if file.is_fifo() or file.is_char_device():
        raise AskedWrongError(f"{path}: not a regular file")  # it may never end
    return file.open("rb")

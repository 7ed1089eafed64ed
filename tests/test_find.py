"""One matcher, two languages: Python's and the browser's give the same answers to the same vectors."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bench.cases import load_cases
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.bugs import in_order
from fieldguide.content.compile import compile_search
from fieldguide.content.dialect import portable
from fieldguide.content.guide import Guide, load_guide
from fieldguide.runtime.guide import SHARED, Rule, Signature
from fieldguide.runtime.guide import Guide as Compiled
from fieldguide.runtime.match import find
from fieldguide.runtime.rank.answer import search
from fieldguide.runtime.rank.finder import finder_of
from tests.conftest import ROOT
from tests.texts import sample
from tests.upstream.errors.cases import TRANSCRIPTS, read_transcript

pytestmark = pytest.mark.browser

LOAD = """
async (language) => {
  const modules = ["match/expression", "match/guide", "rank/documents", "rank/tokens", "rank/synonyms", "rank/finder"];
  const loaded = modules.map((name) => import(new URL("assets/javascripts/" + name + ".js", location.href).href));
  window.guide = Object.assign({}, ...await Promise.all(loaded));
  const load = async (name) => (await fetch(`search/${name}.json`)).json();
  const pieces = ["guide", language, `${language}-text`, `${language}-more`, "bugs", `${language}-bugs`];
  const [compiled, said, text, more, bugs, ledger] = await Promise.all(pieces.map(load));
  window.data = { said, text };
  window.finder = new guide.Finder(guide.assemble(compiled, said), said.head);
  finder.addText(text);
  finder.add(guide.unpack(more), more.index);
  finder.addBugs(bugs, guide.unpack(ledger), ledger.index);
}
"""
FOUND = """
(texts) => texts.map((text) => finder.matcher.find(text)).map((found) =>
  found.map(({ entry, score, exact }) => [finder.documents[entry].id.replace(/^bug-/, ""), score, exact]))
"""
ANSWERS = """
(texts) => texts.map((text) => finder.search(text, ""))
  .map((found) => found.map(({ entry, exact }) => [finder.documents[entry].id, exact]))
"""
RELEASES = """
([texts, releases]) => texts.map((text) => finder.search(text, "", releases)).map((found) => found.slice(0, 5)
  .map(({ entry, exact, runs }) => [finder.documents[entry].id, exact, runs?.release ?? "", runs?.has ?? ""]))
"""
CLEAN = "(pairs) => pairs.map(([rules, text]) => guide.applyRules(text, guide.compileRules(rules)))"
TERMS = """
(words) => guide.synonymGroup(words).map(({ word, chinese, terms }) => chinese || terms.length ? word : null)
"""
# What is found for a word that only the answer of an entry has, before and after `addText`.
SECOND = """
() => {
  const { said, text } = window.data, finder = new guide.Finder(window.finder.data, said.head);
  const { terms, counts, steps } = text.index, head = new Set(said.head.terms);
  const which = terms.findIndex((term) => /^[a-z]{6,}$/.test(term) && !head.has(term)), word = terms[which];
  const number = steps[counts.slice(0, which).reduce((sum, count) => sum + count, 0)];
  const found = () => finder.search(word, "").map((result) => result.entry);
  const before = found();
  finder.addText(text);
  return [number, before, found()];
}
"""


@dataclass(frozen=True)
class Vector:
    """A text, and where it comes from."""

    name: str
    text: str


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def known(guide: Guide, compiled: Compiled) -> list[tuple[str, Signature]]:
    """Every signature as it is written in the catalog, and compiled."""
    texts = [one.text for signatures in guide.catalog.signatures_of.values() for one in signatures]
    texts += [text for bug in in_order(guide.catalog) for text in bug.errors]
    return list(zip(texts, compiled.signatures, strict=True))


# An error is found alike in every language; `test_search.py` asks what was built in both.
@pytest.fixture(scope="module", params=[LANGUAGES[0], *(pytest.param(one, marks=pytest.mark.whole) for one in LANGUAGES[1:])])
def language(request: pytest.FixtureRequest) -> str:
    value: str = request.param
    return value


@pytest.fixture(scope="module")
def page(language: str, browser: Browser, address: str) -> Iterator[Page]:
    """A page with the scripts and one language's data in it, and nothing else."""
    page = browser.new_page()
    page.route("**/blank.html", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(address + "blank.html")
    page.evaluate(LOAD, language)
    yield page
    page.close()


def asked() -> list[Vector]:
    """Every search case, as copied and in one line."""
    cases = load_cases(ROOT / "tests" / "search")
    lines = (Vector(f"{case.id} in one line", case.typed) for case in cases if case.typed != case.query)
    return [*(Vector(case.id, case.query) for case in cases), *lines]


def vectors(known: list[tuple[str, Signature]]) -> list[Vector]:
    """Those, every signature, and what programs printed in our own runs."""
    return [
        *asked(),
        *(Vector(f"{one.entry}: {text}", sample(text)) for text, one in known),
        *(Vector(path.stem, read_transcript(path).text) for path in sorted(TRANSCRIPTS.iterdir())),
    ]


def test_a_case_that_stands_in_two_files_is_refused(tmp_path: Path) -> None:
    case = '{"id": "roll-colocate-01", "query": "colocate", "lang": "en", "kind": "question", "expect": "roll-colocate"}\n'
    (tmp_path / "cases.jsonl").write_text(case, encoding="utf-8")
    assert [known.id for known in load_cases(tmp_path)] == ["roll-colocate-01"]
    (tmp_path / "cases-more.jsonl").write_text(case, encoding="utf-8")
    with pytest.raises(ValueError, match="roll-colocate-01"):
        load_cases(tmp_path)


def test_python_and_javascript_find_the_same(page: Page, compiled: Compiled, known: list[tuple[str, Signature]]) -> None:
    tried = vectors(known)
    browser: list[list[list[Any]]] = page.evaluate(FOUND, [vector.text for vector in tried])
    different = []
    for vector, theirs in zip(tried, browser, strict=True):
        ours = [[match.signature.entry, match.score, match.exact] for match in find(vector.text, compiled)]
        if ours != theirs:
            different.append(f"{vector.name}\n  Python     {json.dumps(ours)}\n  JavaScript {json.dumps(theirs)}")
    assert not different, "\n".join(different)


@pytest.fixture(scope="module")
def indexes(guide: Guide) -> dict[str, Any]:
    """Language → compiled search data."""
    return compile_search(guide)


@pytest.mark.whole
def test_python_and_javascript_answer_the_same(
    page: Page, language: str, indexes: dict[str, Any], compiled: Compiled, known: list[tuple[str, Signature]]
) -> None:
    """Every text; the worker that the site is built with is asked the cases in each run, see `test_search.py`."""
    finder, tried = finder_of(indexes[language], compiled), vectors(known)
    browser = page.evaluate(ANSWERS, [vector.text for vector in tried])
    different = []
    for vector, theirs in zip(tried, browser, strict=True):
        ours = [[finder.documents[one.document].id, one.exact] for one in search(vector.text, compiled, finder)]
        if ours != theirs:
            different.append(f"{vector.name}\n  Python     {json.dumps(ours[:5])}\n  JavaScript {json.dumps(theirs[:5])}")
    assert not different, "\n".join(different)


def test_the_release_decides_whether_a_known_bug_is_the_answer(
    page: Page, language: str, indexes: dict[str, Any], compiled: Compiled, known: list[tuple[str, Signature]]
) -> None:
    """The text says which release runs, or the reader chose one."""
    finder = finder_of(indexes[language], compiled)
    rows = [(hinted(compiled, text, one), bug) for text, one in known if one.bug and (bug := compiled.bugs[one.entry]).fixed]
    texts = [*(f"{text} {bug.package}=={bug.fixed.lstrip('v')}" for text, bug in rows), *(text for text, _ in rows)]
    chosen = {bug.package: bug.until for _, bug in rows}
    made = [search(text, compiled, finder, releases=chosen)[:5] for text in texts]
    ours = [[[finder.documents[one.document].id, one.exact, one.release, one.has] for one in found] for found in made]
    assert page.evaluate(RELEASES, [texts, chosen]) == ours
    assert {one.has for found in made[: len(rows)] for one in found if one.exact} <= {"", "bug"}
    assert {"bug", "fix"} <= {one.has for found in made for one in found}


def test_every_signature_finds_its_own_text(page: Page, compiled: Compiled, known: list[tuple[str, Signature]]) -> None:
    texts = [hinted(compiled, text, one) for text, one in known]
    browser = page.evaluate(FOUND, texts)
    lost = [
        f"{one.entry}: {one.shown}"
        for (_, one), text, theirs in zip(known, texts, browser, strict=True)
        if one.entry not in {match.signature.entry for match in find(text, compiled)}
        or one.entry not in {entry for entry, *_ in theirs}
    ]
    assert not lost, "\n".join(lost)


def hinted(compiled: Compiled, text: str, one: Signature) -> str:
    """A sample of the signature; below a hint of the framework, or of any, when it does not count without."""
    owners = [framework for framework in compiled.frameworks if one.framework in (SHARED, framework.id) and framework.hints]
    hints = owners[0].hints[:1] if one.generic or one.foreign else ()
    return "\n".join([*hints, sample(text)])


def test_a_generic_text_of_an_any_entry_counts_with_a_hint_of_a_framework(page: Page, compiled: Compiled) -> None:
    bar = "Training Progress:   0%|          | 0/125 [52:31<?, ?it/s]\n"
    log = f"verl.trainer\n{bar}{bar}"
    for text, expected in ((bar + bar, []), (log, ["any-stuck-step-0"]), (f"{log}ValueError: no", [])):
        assert [match.signature.entry for match in find(text, compiled)] == expected
        assert [entry for entry, *_ in page.evaluate(FOUND, [text])[0]] == expected


def test_the_text_of_the_answers_is_searched_when_it_has_been_added(page: Page) -> None:
    number, before, after = page.evaluate(SECOND)
    assert number not in before and number in after


def test_every_synonym_is_a_word_that_can_be_looked_for(page: Page, guide: Guide) -> None:
    words = [word for item in guide.catalog.synonyms for word in item.record.words]
    assert dict(zip(words, page.evaluate(TERMS, words), strict=True)) == {word: word for word in words}


def test_cleaning_does_what_its_examples_show(page: Page, guide: Guide) -> None:
    records = [item.record for item in (*guide.catalog.cleaning, *guide.catalog.places, *guide.catalog.settings)]
    rules = [Rule(portable(record.pattern), record.parts) for record in records]
    pairs = [[[[rule.pattern, rule.replace]], record.example[0]] for rule, record in zip(rules, records, strict=True)]
    for record, rule, theirs in zip(records, rules, page.evaluate(CLEAN, pairs), strict=True):
        assert (rule.apply(record.example[0]), theirs) == (record.example[1], record.example[1]), record.name


def test_all_rules_together_clean_the_same(page: Page, compiled: Compiled, known: list[tuple[str, Signature]]) -> None:
    plain = [[rule.pattern, rule.replace] for rule in compiled.cleaning]
    texts = [vector.text for vector in vectors(known)]
    assert page.evaluate(CLEAN, [[plain, text] for text in texts]) == [compiled.cleaned(text) for text in texts]

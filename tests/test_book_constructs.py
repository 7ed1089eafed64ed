"""What a page can hold, on paper; and parts of the guide as books."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pypdf
import pytest

from fieldguide.book.book import gather
from fieldguide.book.build import build
from fieldguide.book.columns import column_widths
from fieldguide.book.emit import to_typst
from fieldguide.book.mapper import find_rule
from fieldguide.book.rules import RULES
from fieldguide.book.scope import Scope
from fieldguide.book.settings import SettingsError, load_settings
from fieldguide.content.guide import load_guide
from tests.books import SITE, add, flat, pages_of, squeezed
from tests.conftest import ROOT

SPAN = re.compile(r'<span\b[^>]*?class="(fg-[\w-]+)')
TYPST = r"""
#a(1)[#"12. May"#linebreak() #"1. see" #b() #"on 2026-01-02 or" #strong[#"x"]#"."


#enum(start: 3, tight: true, [#"one" #raw("f(1)")], [#"two"
#raw(block: true, lang: "bash", "ls -1")

])


#fg-table(columns: (30%, 70%,),
table.header([#"A"], [#"B"]), table.hline(),
[#"1"], table.cell(align: right)[#c()[#"2"]])

]
"""


def test_mapped_articles_become_typst() -> None:
    """Calls around string literals, so that Typst takes no text for a list or a minus sign."""
    text = (
        '<div data-typst="a(1)"><p>12. May<br/> 1. see  <span data-typst="b()"/> on 2026-01-02 or <strong>x</strong>.</p>'
        '<ol start="3"><li>one <code>f(1)</code></li><li>two<pre class="bash">ls -1</pre></li></ol>'
        '<table><col style="width:30%"/><col style="width:70%"/><thead><tr><th>A</th><th>B</th></tr></thead>'
        '<tbody><tr><td>1</td><td style="text-align: right;"><span data-typst="c()">2</span></td></tr></tbody></table></div>'
    )
    assert to_typst(ElementTree.fromstring(text)) == TYPST
    assert to_typst(ElementTree.fromstring('<div data-typst="d()"/>')) == "\n#d()\n"
    with pytest.raises(ValueError, match="<aside>"):
        to_typst(ElementTree.fromstring("<aside>a</aside>"))


@pytest.mark.parametrize("item", ["two", "<strong>two</strong> more", "\n  two", ""])
def test_a_list_stands_close_when_each_item_begins_with_text(item: str) -> None:
    assert "tight: true" in to_typst(ElementTree.fromstring(f"<ul><li>one</li><li>{item}</li></ul>"))
    assert "tight: false" in to_typst(ElementTree.fromstring(f"<ul><li><p>one</p></li><li>{item}</li></ul>"))


def test_what_typst_would_read_is_text(tiny: Path, tmp_path: Path) -> None:
    """In running text, code, cells, lists and headings alike; none of it becomes typography either."""
    signs = '#let x = 1 $y$ @ref [z] {q} // not -- gone... /* nor */ that "quoted" it\'s a~b = c + 1. - 2 / t: u'
    tame = re.sub(r"([\[\]*_{}#])", r"\\\1", signs)
    add(tiny, f"## {tame} {{ #signs }}\n\n{tame}\n\n- {tame}\n\n| A | B |\n|---|---|\n| `{signs}` | {tame} |")
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    assert squeezed(pages_of(file)).count(squeezed(signs)) == 6, "contents, heading, paragraph, item, two cells"


def test_every_construct_that_markdown_has_can_be_set(tiny: Path, tmp_path: Path) -> None:
    add(
        tiny,
        "1. first\n2. second\n\n> Quoted.\n\nTerm\n:   Said of it.\n\n---\n\nA <sub>b</sub><sup>c</sup> <del>d</del> *e*  \nf",
    )
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    assert all(word in pages_of(file) for word in ("2. second", "Quoted.", "Said of it."))


def test_same_input_same_bytes(tiny: Path, tmp_path: Path) -> None:
    """In two processes with different hash seeds and folders."""
    files = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        environment = os.environ | {"PYTHONHASHSEED": seed}
        arguments = ["-m", "fieldguide.book", "--root", str(tiny), "--out", str(out), "--lang", "zh"]
        subprocess.run([sys.executable, *arguments], env=environment, cwd=ROOT, check=True, capture_output=True)
        files.append((out / "rl-fieldguide-zh.pdf").read_bytes())
    assert files[0] == files[1]


def test_one_framework_and_one_topic(tiny: Path, tmp_path: Path) -> None:
    (alpha,) = build(tiny, tmp_path, ["en"], Scope(framework="alpha"))
    assert alpha.name == "rl-fieldguide-alpha-en.pdf"
    titles = [item["/Title"] for item in flat(pypdf.PdfReader(alpha).outline)]
    assert "CUDA out of memory in training" in titles and "How many tokens does Beta take" not in titles
    links = [
        str(one.get_object().get("/A", {}).get("/URI"))
        for page in pypdf.PdfReader(alpha).pages
        for one in page.get("/Annots", ())
    ]
    assert f"{SITE}topics/memory/beta-oom/" in links, "what the book leaves out is a link to the site"
    assert not [title for title in titles if "beta" in title.lower()], "nothing of the other framework is in it"
    (memory,) = build(tiny, tmp_path, ["zh"], Scope(topic="memory"))
    assert memory.name == "rl-fieldguide-memory-zh.pdf"
    with pytest.raises(SettingsError, match="no topic 'speed'; known: memory"):
        build(tiny, tmp_path, ["en"], Scope(topic="speed"))


def test_tabs_details_and_admonitions_are_open(tiny: Path, tmp_path: Path) -> None:
    add(tiny, '=== "Tab one"\n\n    Inside one.\n\n=== "Tab two"\n\n    Inside two.\n')
    add(tiny, '??? note "Folded"\n\n    Inside the fold.\n\n!!! warning "Careful"\n\n    Inside the box.\n')
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    text = pages_of(file)
    for shown in (
        "Tab one",
        "Inside one.",
        "Tab two",
        "Inside two.",
        "Folded",
        "Inside the fold.",
        "Careful",
        "Inside the box.",
    ):
        assert shown in text


def test_long_lines_of_code_are_wrapped_not_cut(tiny: Path, tmp_path: Path) -> None:
    token = "".join(f"{n}abcdefgh" for n in range(60))
    add(tiny, f"```text\nValueError: {token} end\n```")
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    text = pages_of(file)
    assert f"ValueError:{token}end" in squeezed(text)
    assert max(len(line) for line in text.splitlines() if "abcd" in line) < 110


def test_long_tables_with_links_in_their_head_can_be_set(tiny: Path, tmp_path: Path) -> None:
    rows = "\n".join(f"| row {n} | text |" for n in range(80))
    add(tiny, f"| `max_tokens`{{ data-fw=alpha }} | What |\n|---|---|\n{rows}")
    (file,) = build(tiny, tmp_path, ["en"], Scope())
    assert "row 79" in pages_of(file)


def test_code_that_is_declared_to_be_no_key_can_be_a_link(tiny: Path) -> None:
    add(tiny, "Called [`max_tokenz`{ .nokey }](alpha-oom.md) once.")
    book = gather(load_guide(tiny), load_settings(tiny), "en", Scope(topic="memory"))
    assert "max_tokenz" in [code.text for article in book.articles for code in article.iter("code")]


def test_what_only_a_browser_can_use_is_left_out_with_its_heading(tiny: Path, tmp_path: Path) -> None:
    add(tiny, "## Paste it { #paste }\n\n/// catalog | search-box\n///\n\n## More { #more }\n\nSee [the box](#paste).")
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    text = pages_of(file)
    assert "More" in text and "Paste" not in text
    links = [str(one.get_object().get("/A")) for page in pypdf.PdfReader(file).pages for one in page.get("/Annots", ())]
    assert any(f"{SITE}topics/memory/#paste" in link for link in links)


def test_wide_tables_get_widths_that_fill_the_line() -> None:
    table = Element("table")
    for cells in (("key", "what it does"), ("a_b", "word " * 60)):
        row = Element("tr")
        for text in cells:
            cell = Element("td")
            cell.text = text
            row.append(cell)
        table.append(row)
    widths = column_widths(table)
    assert sum(widths) == 100 and widths[1] > widths[0]


def test_what_templates_write_has_a_rule() -> None:
    """Setting the book takes minutes; that nothing in a page is unknown to it can be seen from the templates."""
    dropped_whole = {"log_box.html", "search_box.html", "entry_end.html"}
    templates = [file for file in (ROOT / "fieldguide/site/templates").glob("*.html") if file.name not in dropped_whole]
    spans = {(file.name, name) for file in templates for name in SPAN.findall(file.read_text(encoding="utf-8"))}
    assert len(spans) > 5
    assert {(file, name) for file, name in spans if find_rule(RULES, Element("span", {"class": name})) is None} == set()

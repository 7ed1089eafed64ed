"""The Markdown extension, without MkDocs."""

import shutil
from pathlib import Path
from typing import Any

import markdown
import pytest
import yaml

from fieldguide.content.guide import load_guide
from fieldguide.site.markdown import FieldGuideExtension, PageContext
from fieldguide.site.markdown.blocks import BlockError
from tests.conftest import ROOT

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "crosslinks.yml").read_text(encoding="utf-8"))


def render(
    root: Path,
    text: str,
    framework: str | None = None,
    language: str = "en",
    page: str = "topics/memory/index",
    classes: bool = False,
) -> str:
    """Render Markdown as if it stood on a page of the guide at `root`."""
    extension = FieldGuideExtension(load_guide(root), PageContext(language, page, framework))
    extensions = ["attr_list", "tables", "pymdownx.superfences", "pymdownx.highlight", extension]
    configs = {
        "pymdownx.highlight": {
            "use_pygments": True,
            "guess_lang": False,
            "pygments_lang_class": classes,
            "noclasses": False,
        }
    }
    return markdown.markdown(text, extensions=extensions, extension_configs=configs)


def plain(html: str) -> str:
    """Without the colouring of Pygments and without white space between elements."""
    import re

    html = re.sub(r"<wbr ?/?>", "", html)
    html = re.sub(r'<span class="[\w -]+">([^<]*)</span>', r"\1", html)
    return re.sub(r">\s+<", "><", html).strip()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_crosslinks(case: dict[str, Any], small: Path) -> None:
    assert plain(render(small, case["markdown"], case["framework"])) == plain(case["html"])


def test_page_of_an_entry_shows_what_the_catalog_knows(small: Path) -> None:
    html = render(small, "# Out { #alpha-oom }\n\n**Fix:** less.", page="topics/memory/alpha-oom")
    assert '<section class="fg-entry" data-entry="alpha-oom" data-fw="alpha">' in html
    assert "CUDA out of memory. Tried to allocate <var>…</var> GiB" in html
    assert "<var>…</var> % <var>…</var> != 0" in html, "the error of a rule is a signature of the entry that explains it"
    assert "https://github.com/example/alpha/blob/0123456789abcdef0123456789abcdef01234567/alpha/train.py#L12" in html
    assert "Alpha 0123456, 2026-01-01" in html
    assert "lower <code>max_tokens</code>" in html, "the answer in one line"
    assert html.index("fg-short") < html.index('<h2 id="fix">Fix</h2>') < html.index("fg-prints") < html.index("fg-foot")


def test_parts_of_an_entry_are_sections_and_the_cost_belongs_to_the_fix(small: Path) -> None:
    text = "# Out { #alpha-oom }\n\n**Fix:** less.\n\n**Cost:** time.\n\n**Why:** `empty_cache`.\n\nMore of it."
    html = render(small, text, page="topics/memory/alpha-oom")
    assert '<p>less.</p>\n<p class="fg-cost"><strong>Cost:</strong> time.</p>\n</section>' in html
    assert '<h2 id="why">Why</h2><p><code>empty_cache</code>.</p>\n<p>More of it.</p>' in html


def test_five_ways_to_ask_show_and_the_others_are_folded(small: Path) -> None:
    text = "# Out { #alpha-oom }\n\n**Fix:** less.\n\n**Also asked as:** a · b · c · d · e · f · g"
    html = render(small, text, page="topics/memory/alpha-oom")
    assert "<li>e</li></ul><details><summary>2 more ways to ask</summary><ul><li>f</li><li>g</li></ul></details>" in html


def test_commands_that_delete_something_are_labelled(small: Path) -> None:
    shutil.copy(ROOT / "catalog" / "commands.yml", small / "catalog")
    html = render(small, "```bash\nls\n```\n\n```bash\nrm -rf x\n```\n\n```bash\n# no rm -rf y\n```", classes=True)
    assert html.count("fg-destroys") == 1 and html.index("ls") < html.index("fg-destroys") < html.index("rm")


def test_card_in_chinese_has_the_same_facts(small: Path) -> None:
    html = render(small, "# 显存 { #alpha-oom }\n\n**解决**：少一点。", language="zh", page="topics/memory/alpha-oom")
    assert "核对版本" in html and "Alpha 0123456, 2026-01-01" in html


def test_key_card_and_backlinks(small: Path) -> None:
    html = render(small, "### `max_tokens` { #alpha-max-tokens }\n\nText.", "alpha", page="glossary/alpha/batch")
    assert "<code>trainer.max_tokens</code>" in html and "<code>128</code>" in html
    assert '<a href="../../topics/memory/alpha-oom.md">CUDA out of memory in training</a>' in html


def test_concept_table(small: Path) -> None:
    html = render(small, "/// catalog | compare\n///\n\n## Tokens { #concept-tokens }", page="compare")
    assert html.count("glossary/alpha/batch.md#alpha-max-tokens") == 2, "once in the table, once in the card"
    assert html.count("glossary/beta/batch.md#beta-max-tokens") == 2


def test_error_index_is_sorted_and_says_the_framework(small: Path) -> None:
    html = render(small, "/// catalog | errors\n///", page="errors")
    assert html.index('id="errors-c"') < html.index('id="errors-other"')
    assert '<li data-fw="alpha">' in html


def test_unknown_block_is_an_error(small: Path) -> None:
    with pytest.raises(BlockError, match="no catalog block 'recipes'; known: bug-ledgers, bugs, calculator, compare"):
        render(small, "/// catalog | recipes\n///")
    with pytest.raises(BlockError, match="no framework 'gamma'"):
        render(small, "/// catalog | rules gamma\n///")

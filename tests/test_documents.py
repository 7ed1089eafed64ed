"""Pages as sections, stamps, and key spellings."""

from pathlib import Path

import pytest

from fieldguide.content.answer import labelled_parts
from fieldguide.content.checks.staleness import stamp, stamped, without_stamps
from fieldguide.content.document import parse_document
from fieldguide.content.guide import load_guide
from fieldguide.content.keys import looks_like_key, written_name

SOURCE = """---
framework: alpha
---
# Title { #top }
<!-- en:0123abcd -->

Text with `a_key`{ .nokey } and [link](x.md).
`other_key`{ data-fw=beta } on the next line.

!!! note "Indented"

    ```yaml
    inside: 1
    ```

| a | b |
|---|---|
| 1 | 2 |

## Next { #next data-fw=beta }
"""


def test_sections_carry_lines_ids_code_and_tables() -> None:
    document = parse_document(Path("x.md"), "x", "en", SOURCE)
    top, following = document.sections
    assert document.meta == {"framework": "alpha"} and document.title == "Title"
    assert (top.id, top.level, top.line, top.stamp) == ("top", 1, 4, "0123abcd")
    assert (following.id, following.framework, following.line) == ("next", "beta", 20)
    assert [(code.text, code.opted_out, code.framework, code.line) for code in top.codes] == [
        ("a_key", True, None, 7),
        ("other_key", False, "beta", 8),
    ]
    assert [(fence.language, fence.line) for fence in top.fences] == [("yaml", 12)]
    assert [link.href for link in top.links] == ["x.md"] and top.tables == ((2, 2),)


def test_digest_ignores_blank_lines_and_the_stamp_but_not_words() -> None:
    def digest(source: str) -> str:
        return parse_document(Path("x.md"), "x", "en", source).sections[0].digest

    assert digest(SOURCE) == digest(SOURCE.replace("<!-- en:0123abcd -->\n", "").replace("link](x.md).", "link](x.md).   "))
    assert digest(SOURCE) != digest(SOURCE.replace("next line", "following line"))


def test_stamping_replaces_old_stamps_and_is_stable(small: Path) -> None:
    page = small / "docs" / "en" / "topics" / "memory" / "alpha-oom.md"
    page.write_text(page.read_text().replace("Too many", "Far too many"))
    assert [path.as_posix() for path in stamp(load_guide(small))] == ["docs/zh/topics/memory/alpha-oom.md"]
    assert stamp(load_guide(small)) == []


def test_stamps_are_not_rendered() -> None:
    assert without_stamps(stamped("# A\n\ntext\n", {1: "0123abcd"})) == "# A\n\ntext\n"


def test_labels_split_an_entry(small: Path) -> None:
    guide = load_guide(small)
    section = guide.section("zh", "alpha-oom")
    assert section is not None
    assert [part for part, _ in labelled_parts(guide, "zh", section.text)] == ["fix", "cost", "confirm", "why"]
    assert dict(labelled_parts(guide, "zh", section.text))["why"] == "token 太多。"
    assert labelled_parts(guide, "zh", "Text without a label.") == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("enforce_eager=True", "enforce_eager"),
        ("--save /ckpt", "--save"),
        ("models.*.packing: true", "models.*.packing"),
        ('"RAY_DEBUG": "legacy"', "RAY_DEBUG"),
        ("a < b", None),
        ("f(x)", None),
        ("/tmp/ray", None),
    ],
)
def test_written_name(text: str, name: str | None) -> None:
    assert written_name(text) == name


@pytest.mark.parametrize(
    "name", ["max_tokens", "--load", "RAY_DEBUG", "RAY_CGRAPH_get_timeout", "models.policy_trainer.packing"]
)
def test_reads_like_a_key(name: str) -> None:
    assert looks_like_key(name)


@pytest.mark.parametrize("name", ["ray", "config_utils.py", "TypeError", "GPU", "sft.yaml"])
def test_does_not_read_like_a_key(name: str) -> None:
    assert not looks_like_key(name)

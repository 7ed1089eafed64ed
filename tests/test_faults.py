"""Every fault that content can have is reported with file and line, all of them at once."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.checks import run
from fieldguide.content.checks.versions import check_blocks, written
from fieldguide.content.document import parse_document
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "faults.yml").read_text(encoding="utf-8"))


def change(root: Path, file: str, old: str, new: str) -> None:
    """Replace `old`, which must stand in the file exactly once."""
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{old!r} is not in {file}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def prepare(root: Path, case: dict[str, Any]) -> None:
    """Put the fault of a case into the guide: a file deleted, files moved, or one text replaced."""
    if "delete" in case:
        (root / case["delete"]).unlink()
    for old, new in case.get("move", {}).items():
        (root / new).parent.mkdir(exist_ok=True)
        (root / old).rename(root / new)
    if "edit" in case:
        change(root, *case["edit"])


def matches(expected: str, line: str) -> bool:
    """`…` stands for any text."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), line) is not None


def test_small_guide_has_no_fault(small: Path) -> None:
    run(small)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_fault(case: dict[str, Any], small: Path) -> None:
    prepare(small, case)
    with pytest.raises(ContentError) as caught:
        run(small)
    lines = str(caught.value).splitlines()
    wrong = [f"expected {e}\n     got {got}" for e, got in zip(case["expect"], lines, strict=False) if not matches(e, got)]
    assert not wrong and len(lines) == len(case["expect"]), "\n".join([*wrong, "all lines:", *lines])


def test_all_faults_are_listed_not_only_the_first(small: Path) -> None:
    change(small, "docs/en/topics/memory/alpha-oom.md", "Lower `max_tokens`", "Lower `max_tokns`")
    change(small, "docs/en/compare.md", "Alpha counts", "`--max-tokenz` counts")
    change(small, "docs/zh/glossary/beta/batch.md", "{ #beta-beta-debug }", "{ #beta-debug }")
    with pytest.raises(ContentError) as caught:
        run(small)
    files = {problem.path.as_posix() for problem in caught.value.problems}
    assert {"docs/en/topics/memory/alpha-oom.md", "docs/en/compare.md", "docs/zh/glossary/beta/batch.md"} <= files


def test_a_page_in_another_encoding_is_named(small: Path) -> None:
    (small / "docs/zh/topics/memory/index.md").write_bytes("# 显存 { #memory }\n\n训练\n".encode("gb18030"))
    with pytest.raises(ContentError, match=r"docs/zh/topics/memory/index\.md:1: not UTF-8"):
        run(small)


def test_versions_in_the_words_are_releases_and_the_same_in_every_language(small: Path) -> None:
    releases = small / "catalog" / "releases" / "alpha.yml"
    releases.parent.mkdir()
    releases.write_text('releases:\n  - {tag: v0.1.0, date: "2026-01-01"}\n', encoding="utf-8")
    change(small, "docs/en/topics/memory/alpha-oom.md", "Too many tokens.", "Too many tokens before v0.1.0, v0.1 and v0.9.9.")
    with pytest.raises(ContentError) as caught:
        run(small)
    lines = [line for line in str(caught.value).splitlines() if "v0." in line]
    assert [line.partition(": ")[2] for line in lines[:2]] == [
        "v0.9.9 is no release of anything that the guide covers",
        "versions differ from docs/en/topics/memory/alpha-oom.md:4: v0.1, v0.1.0, v0.9.9",
    ], lines


FENCES = {
    "in a list": "1. Do it.\n\n    ```bash\n    pip install alpha  # v9.9.1\n    ```\n",
    "around a fence": "````markdown\n```bash\n# v9.9.2\n```\n\nv9.9.3\n````\n",
    "of waves": "~~~text\nv9.9.4\n```\nv9.9.5\n~~~\n",
}


@pytest.mark.parametrize("block", FENCES.values(), ids=FENCES.keys())
def test_versions_in_a_code_block_are_none_in_the_words(block: str) -> None:
    document = parse_document(Path("a.md"), "a", "en", f"# A {{ #a }}\n\nFrom v0.1.0 on.\n\n{block}\nTo v0.2.0.\n")
    assert written(document.sections[0]) == {"v0.1.0", "v0.2.0"}


def test_settings_of_one_block_are_in_one_release(small: Path) -> None:
    releases = small / "catalog" / "releases" / "alpha.yml"
    releases.parent.mkdir()
    days = {"v0.1.0": "2026-01-01", "v0.2.0": "2026-02-01", "v0.3.0": "2026-03-01"}
    releases.write_text("releases:\n" + "".join(f'  - {{tag: {tag}, date: "{days[tag]}"}}\n' for tag in days), encoding="utf-8")
    change(
        small, "catalog/keys/alpha.yml", "    group: batch\n", "    group: batch\n    removed: v0.2.0\n    declared: Config\n"
    )
    keys = small / "catalog" / "keys" / "alpha.yml"
    added = "  - {name: pack_samples, kind: yaml, type: bool, paths: [trainer.pack_samples], group: batch, since: v0.3.0,\n"
    added += "     declared: Config, source: {repo: alpha, path: alpha/config.py, line: 8}}\n"
    keys.write_text(keys.read_text(encoding="utf-8") + added, encoding="utf-8")
    for language in LANGUAGES:
        change(
            small,
            f"docs/{language}/topics/memory/alpha-oom.md",
            "  max_tokens: 64\n",
            "  max_tokens: 64\n  pack_samples: true\n",
        )
    said = [problem.message for problem in check_blocks(load_guide(small))]
    assert said == ["no release has all of this: pack_samples came with v0.3.0, max_tokens is gone in v0.2.0"]

"""Upstream, its releases or the index change in one way: exactly that is said, and nothing is written by halves."""

import re
import shutil
from pathlib import Path

import pytest

from fieldguide.content.guide import load_guide
from tests.clones import Setting, make_setting, make_small
from tests.mutations import (
    Act,
    World,
    catalog,
    drop,
    edit,
    half,
    half_listed,
    half_remembered,
    move,
    no_blocks,
    nothing,
    other_file,
    put,
    said,
    spoilt,
    tag,
    taken_back,
    unreachable,
    without_tags,
)
from tests.releases import TORCH, FolderIndex, publish, release

ENTRY = "catalog/entries/memory/alpha-oom.yml"
FLAG = '    parser.add_argument("--use-cache", action="store_true")\n'


def world_in(folder: Path) -> World:
    clones = folder / "clones"
    return World(Setting(folder / "guide", clones, clones / "example+alpha"), FolderIndex(folder), folder)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("untouched")
    setting = make_setting(folder, make_small(folder / "guide"))
    release(setting)
    world = World(setting, publish(setting, folder), folder)
    world.index.published["alpha"].pop()  # so that the newest release prints all that the pin prints
    world.fix()
    assert world.fix() == []
    return world


@pytest.fixture
def world(untouched: World, tmp_path: Path) -> World:
    shutil.copytree(untouched.folder, tmp_path, dirs_exist_ok=True)
    world = world_in(tmp_path)
    world.index.published.update({name: list(found) for name, found in untouched.index.published.items()})
    return world


LONG = {f"torch/{number}.py": "".join(f"# {number * line}\n" for line in range(99)) for number in range(99)}
CACHE = f"def cache(parser):\n{FLAG}"
TOO_SMALL = 'TOO_SMALL = "batch of {} samples is smaller than {} chunks; raise batch_size"\n'
ERROR = "ValueError: batch of … samples is smaller than … chunks; raise batch_size"
RULE = 'assert len(batch) % chunks == 0, f"{len(batch)} samples do not divide into {chunks} chunks"'
UNDIVIDED = ("do not divide into", "cannot be cut into")
GONE = "alpha-oom: 'CUDA out of memory' is in torch from 2.9.1 to 2.9.1; the catalog says from 2.9.1"
UNOPENED = "torch-2.10.0.tar.gz: cannot be opened (…)"
UNZIPPED = "torch-2.10.0-py3-none-any.whl: cannot be opened (…)"

DEFAULTS: dict[str, tuple[Act, list[str]]] = {
    "further down in the declaration": (
        edit("alpha/config.py", ("default=128", "default=64")),
        ["default alpha/config.py: 128 → 64 (alpha-batch-size)"],
    ),
    "on the cited line": (
        edit("alpha/config.py", ('"./out"', '"/out"')),
        ["default alpha/config.py: \"./out\" → '/out' (alpha-save-dir)"],
    ),
    "of a required key": (
        edit("alpha/config.py", ("data_path: str = MISSING", 'data_path: str = "x"')),
        ["default alpha/config.py: MISSING → 'x' (alpha-data-path)"],
    ),
    "of an environment variable": (
        edit("alpha/env.py", ('"8000"', '"9000"')),
        ["default alpha/env.py: \"8000\" → '9000' (alpha-alpha-port)"],
    ),
    "in YAML": (edit("conf/base.yaml", ("epochs: 3", "epochs: 5")), ["default conf/base.yaml: 3 → 5 (alpha-epochs)"]),
    "taken away": (
        edit("alpha/args.py", ("        default=4,\n", "")), ["default alpha/args.py: 4 → None (alpha-offload-steps)"],
    ),
    "written in another way": (edit("alpha/args.py", ("default=4,", "default = 4,")), []),
}  # fmt: skip

KEYS: dict[str, tuple[Act, list[str]]] = {
    "type of a field": (
        edit("alpha/config.py", ("save_dir: str", "save_dir: Path")),
        ['text alpha/config.py: save_dir: str = "./out" → save_dir: Path = "./out" (alpha-save-dir)'],
    ),
    # On a line that nobody cites; `make keys` reads types.
    "type of a flag": (edit("alpha/args.py", ("type=int", "type=float")), []),
    "flag renamed": (
        edit("alpha/args.py", ("--offload-steps", "--offload-every")),
        ['text alpha/args.py: "--offload-steps", → "--offload-every", (alpha-offload-steps)'],
    ),
    "field renamed": (
        edit("alpha/config.py", ("save_dir: str", "out_dir: str")),
        ['text alpha/config.py: save_dir: str = "./out" → out_dir: str = "./out" (alpha-save-dir)'],
    ),
    "removed": (edit("alpha/args.py", (FLAG, "")), ['lost alpha/args.py: "--use-cache" → None (alpha-use-cache)']),
    "in another file": (
        edit("alpha/args.py", (FLAG, ""), new={"alpha/cache.py": CACHE}),
        ['lost alpha/args.py: "--use-cache" → alpha/cache.py:2 (alpha-use-cache)'],
    ),
    "in two other files": (
        edit("alpha/args.py", (FLAG, ""), new={"alpha/cache.py": CACHE, "alpha/more.py": CACHE}),
        ['lost alpha/args.py: "--use-cache" → None (alpha-use-cache)'],
    ),
}

LINES: dict[str, tuple[Act, list[str]]] = {
    "text of a rule": (
        edit("alpha/train.py", UNDIVIDED),
        [f"text alpha/train.py: {RULE} → {RULE.replace(*UNDIVIDED)} (alpha-oom A1)"],
    ),
    "text around a placeholder": (
        edit("alpha/train.py", ("batch of {len(batch)} samples is", "only {len(batch)} samples are")),
        ['text alpha/train.py: f"batch of {…} samples is smaller than " → f"only {…} samples are smaller than " (alpha-oom)'],
    ),
    "text on a line that nobody cites": (
        edit("alpha/train.py", ("chunks; raise batch_size", "chunks; give more")),
        [f"error alpha/train.py: {ERROR} → None (alpha-oom)"],
    ),
    "placeholder of an f-string": (edit("alpha/train.py", ("{chunks} chunks; raise", "{chunks:d} chunks; raise")), []),
    "text in another file": (
        edit("alpha/train.py", ("raise batch_size", "see above"), new={"alpha/errors.py": TOO_SMALL}), [],
    ),
    "lines that nobody cites": (edit("alpha/config.py", ("import dataclass, field", "import field, dataclass")), []),
    "lines above": (edit("alpha/config.py", ("from dataclasses", '"""Settings."""\n\nfrom dataclasses')), []),
    "white space": (edit("alpha/train.py", ("    return batch", "\n        \n    return  batch")), []),
    "condition of a rule": (
        edit("alpha/train.py", ("len(batch) % chunks == 0", "len(batch) % (2 * chunks) == 0")),
        [f"text alpha/train.py: {RULE} → {RULE.replace('% chunks', '% (2 * chunks)')} (alpha-oom A1)"],
    ),
}  # fmt: skip

FILES: dict[str, tuple[Act, list[str]]] = {
    "moved": (
        move(("conf/base.yaml", "conf/v2/base.yaml")),
        ["moved conf/base.yaml: conf/base.yaml → conf/v2/base.yaml (alpha-epochs)"],
    ),
    "moved and changed": (
        move(("conf/base.yaml", "conf/v2/base.yaml"), then=("epochs: 3", "epochs: 5")),
        [
            "moved conf/base.yaml: conf/base.yaml → conf/v2/base.yaml (alpha-epochs)",
            "default conf/base.yaml: 3 → 5 (alpha-epochs)",
        ],
    ),
    "that changed places": (
        move(("alpha/env.py", "x"), ("alpha/train.py", "alpha/env.py"), ("x", "alpha/train.py")),
        [
            "lost alpha/env.py: ALPHA_PORT → None (alpha-alpha-port)",  # too short a text to be found again
            "lost alpha/train.py: samples is smaller than → alpha/env.py:4 (alpha-oom)",
            "lost alpha/train.py: do not divide into → alpha/env.py:7 (alpha-oom A1)",
        ],
    ),
    "gone": (
        drop("alpha/config.py"),
        ["file alpha/config.py: alpha/config.py → None (alpha-oom alpha-batch-size alpha-data-path alpha-save-dir)"],
    ),
    "that no longer parses": (
        edit("alpha/args.py", ("def add(parser):", "def add(parser:")),
        [
            "unread alpha/args.py: alpha/args.py → None (alpha-offload-steps alpha-use-cache)",
            "alpha: alpha/args.py:1 at … (2026-02-03) does not parse: '(' was never closed; "
            "its lines were looked up as text, its defaults and error texts not checked",
        ],
    ),
}

TAGS: dict[str, tuple[Act, list[str]]] = {
    "new": (tag("v0.4.0"), []),
    "new without a text": (
        tag("v0.4.0", changes=("alpha/train.py", ("raise batch_size", "give more"))),
        [f"alpha-oom: '{ERROR}' is in alpha from v0.2.0 to v0.2.0; the catalog says from v0.2.0"],
    ),
    "new without the text of a rule": (
        tag("v0.4.0", changes=("alpha/train.py", UNDIVIDED)),
        ["catalog/rules/alpha.yml:2: rule A1 is said to hold up to v0.4.0, its text is printed to v0.2.0"],
    ),
    "of a candidate": (tag("v0.4.0rc1", changes=("alpha/train.py", ("raise batch_size", "give more"))), []),
    "moved": (
        tag("v0.1.0"),
        [
            f"alpha-oom: '{ERROR}' is in alpha every release; the catalog says from v0.2.0",
            "alpha-oom: 'alpha/train.py: samples is smaller than' is in alpha every release; the catalog says from v0.2.0",
            "alpha-oom: 'batch is too small' is in no release of alpha; correct it, or say in not_followed why",
            "alpha: v0.1.0 moved: its commit was … and is …",
        ],
    ),
    "of a syntax error": (
        tag(
            "v0.1.5",
            at="v0.1.0",
            day="2025-07-01",
            changes=("alpha/train.py", ("def step(batch, chunks):", "def step(batch, chunks:")),
        ),
        ["alpha-oom: 'batch is too small' is in alpha to v0.1.5; the catalog says to v0.1.0"],
    ),
    "gone": (without_tags, ["alpha: not compared with its releases, for want of v0.1.0, v0.2.0"]),
}  # fmt: skip

RELEASES: dict[str, tuple[Act, list[str]]] = {
    "without a text": (put({"c10/a.cpp": ""}), [GONE]),
    "with the text in two places": (put(TORCH | {"c10/b.cpp": TORCH["c10/cuda/CUDACachingAllocator.cpp"]}), []),
    "empty": (put({}), ["torch-2.10.0.tar.gz: has no source file"]),
    "empty wheel": (put({}, wheel=True), ["torch-2.10.0-py3-none-any.whl: has no source file"]),
    "no archive": (put(TORCH, damage=nothing), [UNOPENED]),
    "no wheel": (put(TORCH, wheel=True, damage=nothing), [UNZIPPED]),
    "archive broken off": (put(LONG, damage=half), [UNOPENED]),
    "wheel broken off": (put(LONG, wheel=True, damage=half), [UNZIPPED]),
    "archive with spoilt bytes": (put(LONG, damage=spoilt), [UNOPENED]),
    "wheel with spoilt bytes": (put(LONG, wheel=True, damage=spoilt), [UNZIPPED]),
    "archive that is not compressed so": (put(LONG, damage=no_blocks), [UNOPENED]),
    "wheel that is not compressed so": (put(LONG, wheel=True, damage=no_blocks), [UNZIPPED]),
    "another archive of one version": (other_file, ["torch: 2.9.1 moved: its sha256 was … and is …"]),
    "taken back": (taken_back, ["torch: not compared with its releases, for want of 2.9.1"]),
    "not to be reached": (
        unreachable,
        [
            "the package index cannot be reached, newer releases are not known: torch: ConnectionError",
            "alpha: the package index was not asked for newer releases",
        ],
    ),
    "memory broken off": (half_remembered, []),
    "list broken off": (
        half_listed,
        [
            "the package index cannot be reached, newer releases are not known: torch: ConnectionError",
            "torch: not compared with its releases, for want of 2.8.0, 2.9.1",
            "alpha: the package index was not asked for newer releases",
        ],
    ),
}

CATALOG: dict[str, tuple[Act, list[str]]] = {
    "line of a citation": (
        catalog("catalog/keys/alpha.yml", "line: 10", "line: 9"),
        ["catalog/keys/alpha.yml:8: alpha: alpha/config.py:9 does not contain 'save_dir: str'; it stands on 10"],
    ),
    "default": (
        catalog("catalog/keys/alpha.yml", 'default: "4"', 'default: "5"'),
        ["catalog/keys/alpha.yml:20: key offload_steps: default 5, but alpha alpha/args.py:3 states 4"],
    ),
    "boundary": (
        catalog(ENTRY, "of: torch, since: 2.9.1", "of: torch, since: 2.8.0"),
        ["alpha-oom: 'CUDA out of memory' is in torch from 2.9.1; the catalog says from 2.8.0"],
    ),
    "text that nothing prints": (
        catalog(ENTRY, "batch is too small", "batch is never printed"),
        ["alpha-oom: 'batch is never printed' is in no release of alpha; correct it, or say in not_followed why"],
    ),
}

MUTATIONS = {
    f"{what}: {name}": mutation
    for what, found in {
        "default": DEFAULTS, "key": KEYS, "line": LINES, "file": FILES, "tag": TAGS, "release": RELEASES, "catalog": CATALOG,
    }.items()
    for name, mutation in found.items()
}  # fmt: skip


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_mutation(mutation: tuple[Act, list[str]], world: World) -> None:
    act, expected = mutation
    act(world)
    before = world.files()
    lines = said(world.look())
    assert len(lines) == len(expected) and all(map(matches, expected, lines)), lines
    assert world.files() == before, "a look writes nothing"
    assert world.fix() == lines
    assert load_guide(world.setting.root).faults == ()
    once = world.files()
    world.fix()
    assert world.files() == once, "fixing twice writes nothing more"


def matches(expected: str, line: str) -> bool:
    """`…` stands for any text."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), line, re.DOTALL) is not None

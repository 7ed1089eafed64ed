"""From what is dropped to the files of a run, in the browser as in the terminal: archives, broken and hostile ones, limits."""

import base64
import gzip
import io
import json
import os
import random
import struct
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from fieldguide.content.guide import load_guide
from fieldguide.content.run import compile_run
from fieldguide.runtime.run.archive import opened
from fieldguide.runtime.run.collect import Skipped, collect
from fieldguide.runtime.run.rules import as_rules
from tests import runs
from tests.conftest import ROOT
from tests.modules import module_page

pytestmark = pytest.mark.browser
LOG = "2026-11-22 10:00:00 INFO rank 1 of 2\nTraceback (most recent call last):\nKeyError: 'a'\n"
NOISE = os.urandom(200_000).hex()
TWO = {f"rank{rank}": LOG.encode() for rank in range(2)}
# What is collected, and the text of each file as far as it can be read: its beginning, or the error that it ends with.
READ = """
async ([given, rules]) => {
  const load = (name) => import(`/javascripts/run/${name}.js`);
  const [{ collect, readingOf }, { opened }, { rulesOf }] = await Promise.all(["collect", "archive", "rules"].map(load));
  const files = given.map(({ path, name, data, size, modified }) => {
    const parts = size ? Array(size).fill("x".repeat(1000)) : [Uint8Array.from(atob(data), (one) => one.charCodeAt(0))];
    return { path, name, file: new File(parts, name, { lastModified: modified }) };
  });
  let progress = 0;
  const made = rulesOf(rules), reading = readingOf(made, (size) => { progress += size; });
  const { members, skipped, others, dumps } = collect(files, [], made, reading);
  const read = [];
  const textOf = async (member) => {
    const reader = member.stream().getReader(), decoder = new TextDecoder();
    let text = "";
    try {
      for (let one = await reader.read(); one.value; one = await reader.read()) {
        if (text.length < 1e6) text += decoder.decode(one.value, { stream: true });
        await new Promise((done) => setTimeout(done)); // what unpacks is ahead of who reads
      }
    } catch (error) { return [text, error.name]; }
    return [text, ""];
  };
  for (const member of members) {
    for await (const one of member.packed ? opened(member, reading) : [{ member }]) {
      if (one.skipped) { skipped.push(one.skipped); continue; }
      const [text, broken] = await textOf(one.member);
      read.push({ path: one.member.path, name: one.member.name, text, broken });
    }
  }
  return { read, skipped: skipped.map(({ path, reason }) => [path, reason]), others, dumps, progress };
}
"""
Look = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(compile_run(load_guide(ROOT).catalog)))
    return made


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with module_page(browser) as page:
        yield page


def given(path: str, data: bytes = b"", *, alone: bool = False, **more: int) -> dict[str, Any]:
    """A file, of a folder that was dropped unless it is `alone`."""
    name = path if alone else path.partition("/")[2] or path
    return {"path": path, "name": name, "data": base64.b64encode(data).decode(), "modified": 0, **more}


@pytest.fixture
def look(page: Page, rules: dict[str, Any]) -> Look:
    def looked(*files: dict[str, Any], **limits: int) -> dict[str, Any]:
        found: dict[str, Any] = page.evaluate(READ, [list(files), {**rules, "limits": {**rules["limits"], **limits}}])
        return found

    return looked


def reasons(found: dict[str, Any]) -> list[str]:
    return [reason for _, reason in found["skipped"]]


def names(found: dict[str, Any]) -> list[str]:
    return [one["name"] for one in found["read"]]


def zipped(texts: dict[str, bytes]) -> bytes:
    return runs.zipped({f"run/{name}.log": text for name, text in texts.items()})


def tarred(texts: dict[str, bytes], form: int = tarfile.GNU_FORMAT) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as tar:
        for name, text in texts.items():
            head = tarfile.TarInfo(f"run/{name}.log")
            head.size = len(text)
            tar.addfile(head, io.BytesIO(text))
    return made.getvalue()


def squeezed(texts: dict[str, bytes], form: int = tarfile.GNU_FORMAT) -> bytes:
    return gzip.compress(tarred(texts, form))


# ---- Which files ------------------------------------------------------------------------------------------------------------


def test_a_folder_with_everything_in_it(look: Look) -> None:
    found = look(
        given("logs/sub/rank10.log", LOG.encode()), given("logs/sub/rank9.log", LOG.encode()), given("logs/none.log"),
        given("logs/core.123", b"x"), given("logs/model.safetensors", b"w"), given("logs/old.log.zst", b"x"),
        given("logs/old.tar.xz", b"x"), given("logs/dumps/nccl_trace_rank_0", b"x"),
    )  # fmt: skip
    assert names(found) == ["sub/rank9.log", "sub/rank10.log"] and found["dumps"] == 1
    assert found["read"][0]["path"] == "logs/sub/rank9.log" and found["read"][0]["text"] == LOG
    assert reasons(found) == ["core", "weights", "empty", "packed", "packed"]


def test_what_is_given_by_itself_is_read_whatever_its_name(look: Look) -> None:
    found = look(given("core.123", LOG.encode(), alone=True), given("a.tar.xz", b"x", alone=True))
    assert names(found) == ["core.123"] and reasons(found) == ["packed"]


def test_of_two_runs_the_last_is_read(look: Look) -> None:
    older, newer = "session_2026-11-21_10-00-00_000001_9", "session_2026-11-22_10-00-00_000001_10"
    found = look(*(given(f"ray/{one}/logs/raylet.out", LOG.encode()) for one in (newer, older)), given("ray/driver.log", b"x"))
    assert names(found) == ["driver.log", f"{newer}/logs/raylet.out"]
    assert found["others"] == {older: 1} and reasons(found) == ["older"]


def test_of_too_many_files_those_that_say_what_they_are_then_the_newest(look: Look) -> None:
    ranks = [given(f"logs/rank{rank}.log", LOG.encode(), modified=rank) for rank in range(4)]
    found = look(given("logs/notes", b"x", modified=9), *ranks, members=2)
    assert names(found) == ["rank2.log", "rank3.log"] and reasons(found) == ["many"] * 3


def test_a_hundred_thousand_files_take_seconds(page: Page, rules: dict[str, Any]) -> None:
    script = """
    async (rules) => {
      const load = (name) => import(`/javascripts/run/${name}.js`);
      const [{ collect, readingOf }, { rulesOf }] = await Promise.all(["collect", "rules"].map(load));
      const made = rulesOf(rules), file = new File(["x"], "x");
      const names = Array.from({ length: 100000 }, (_, at) => `a/rank${at}.log`);
      const given = names.map((name) => ({ path: `logs/${name}`, name, file }));
      const { members, skipped } = collect(given, [], made, readingOf(made, () => {}));
      return [members.length, skipped.length, members.at(-1).name];
    }
    """
    begun = time.monotonic()
    assert page.evaluate(script, rules) == [20_000, 80_000, "a/rank27998.log"]
    assert time.monotonic() - begun < 20


# ---- Archives ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("logs.zip", zipped(TWO)),
        ("logs.tar", tarred(TWO)),
        ("logs.tar.gz", squeezed(TWO)),
        ("logs.TGZ", squeezed(TWO, tarfile.PAX_FORMAT)),
    ],
    ids=["zip", "tar", "tar.gz", "tgz"],
)
def test_archives(name: str, data: bytes, look: Look) -> None:
    found = look(given(name, data, alone=True))
    assert [(one["path"], one["text"]) for one in found["read"]] == [(f"{name}/run/rank{rank}.log", LOG) for rank in (0, 1)]
    assert not found["skipped"] and 0 < found["progress"] <= len(data)


def test_an_archive_behind_other_bytes_and_with_a_comment(look: Look) -> None:
    made = io.BytesIO(b"#!/bin/sh\n")
    made.seek(0, io.SEEK_END)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("a/rank0.log", LOG)
        archive.comment = b"made by hand " * 50
    assert look(given("logs.zip", made.getvalue(), alone=True))["read"][0]["text"] == LOG


def test_a_zip_archive_with_numbers_of_64_bits(look: Look) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive, archive.open("rank0.log", "w", force_zip64=True) as file:
        file.write(LOG.encode())
    assert look(given("logs.zip", made.getvalue(), alone=True))["read"][0]["text"] == LOG


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_long_names_of_a_tar_archive(form: int, look: Look) -> None:
    name = "/".join(["一次训练", *["a" * 20] * 5, "rank3"])
    found = look(given("logs.tar.gz", squeezed({name: LOG.encode(), "rank4": LOG.encode()}, form), alone=True))
    assert names(found) == [f"run/{name}.log", "run/rank4.log"]


def test_what_an_archive_holds_besides_logs(look: Look, tmp_path: Path) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        link = tarfile.TarInfo("run/link.log")
        link.type, link.linkname = tarfile.SYMTYPE, "rank0.log"
        tar.addfile(link)
        for name, text in {
            "../../rank0.log": LOG.encode(), "/abs/rank1.log.gz": gzip.compress(LOG.encode()),
            "run/inner.zip": zipped({"rank9": b"x"}), "run/core.7": b"x" * 5000, "run/none.log": b"",
            "run/rank2.log": LOG.encode(),
        }.items():  # fmt: skip
            head = tarfile.TarInfo(name)
            head.size = len(text)
            tar.addfile(head, io.BytesIO(text))
    (tmp_path / "logs.tar.gz").write_bytes(made.getvalue())
    found = look(given("logs.tar.gz", made.getvalue(), alone=True))
    assert [(one["name"], one["text"]) for one in found["read"]] == [
        ("../../rank0.log", LOG), ("abs/rank1.log.gz", LOG), ("run/rank2.log", LOG),
    ]  # fmt: skip
    assert reasons(found) == ["special", "nested", "core"] == terminal(tmp_path / "logs.tar.gz")


def terminal(archive: Path) -> list[str]:
    """Why the terminal leaves files of an archive out."""
    rules = as_rules(json.loads(json.dumps(compile_run(load_guide(ROOT).catalog))))
    (member,) = collect([str(archive)], rules).members
    return [one.reason for one in opened(member, rules) if isinstance(one, Skipped)]


def test_encrypted_files_and_other_methods_are_named(look: Look) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("rank0.log", LOG)
        archive.writestr("rank1.log", LOG, zipfile.ZIP_LZMA)
        archive.writestr("rank2.log", LOG)
    data = bytearray(made.getvalue())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark) + place
        data[at] |= 1
    found = look(given("logs.zip", bytes(data), alone=True))
    assert names(found) == ["rank2.log"] and reasons(found) == ["special", "packed"]


def test_of_an_archive_with_too_many_files_the_first_are_read(look: Look) -> None:
    data = zipped({f"rank{rank}": LOG.encode() for rank in range(5)})
    found = look(given("logs.zip", data, alone=True), members=3)
    assert len(found["read"]) == 3 and found["skipped"] == [["logs.zip", "many"]]


# ---- Broken and hostile -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [50_000, 10_000])
@pytest.mark.parametrize(("name", "pack"), [("logs.zip", zipped), ("logs.tar.gz", squeezed)], ids=["zip", "tar"])
def test_a_broken_archive_gives_what_stands_before_the_break(
    name: str, pack: Callable[..., bytes], cut: int, look: Look
) -> None:
    found = look(given(name, pack({"rank0": LOG.encode(), "rank1": NOISE.encode()})[:-cut], alone=True))
    assert found["read"][0]["text"] == LOG
    assert found["read"][1]["broken"] == "damaged" and len(found["read"][1]["text"]) > 0.5 * (len(NOISE) - cut)
    assert found["skipped"] == [[name, "damaged"]]


def test_a_small_archive_that_breaks_off_loses_nothing_before_the_break(look: Look) -> None:
    """All of it comes in one piece that unpacks to many, and its end with the error."""
    texts = {f"rank{rank}": f"{rank} {LOG}".encode() * 3000 for rank in range(3)}
    found = look(given("logs.tar.gz", squeezed({**texts, "rank3": NOISE[:2000].encode()})[:-800], alone=True))
    assert [one["text"].encode() for one in found["read"][:3]] == list(texts.values())
    assert found["skipped"] == [["logs.tar.gz", "damaged"]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("logs.zip", b"PK\x03\x04rest"),
        ("logs.zip", b"no archive at all"),
        ("logs.zip", b"PK\x05\x06" + bytes(18)[:17]),
        ("logs.zip", b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 9, 9, 0xFFFFFFF0, 0xFFFFFFF0, 0)),
        ("logs.tar", b"no archive at all"),
        ("logs.tar", bytes(1024)),
        ("logs.tar.gz", LOG.encode()),
        ("logs.tar.gz", b"\x1f\x8b\x08 no gzip"),
        ("logs.tar.gz", gzip.compress(os.urandom(5000))),
    ],
    ids=["head of one", "text as zip", "cut end", "end that lies", "text as tar", "zeros", "text as gzip", "cut gzip", "noise"],
)
def test_what_is_called_an_archive_and_is_none(name: str, data: bytes, look: Look) -> None:
    found = look(given(name, data, alone=True))
    assert not found["read"] and found["skipped"] == [[name, "damaged"]]


@pytest.mark.parametrize("data", [b"BZh91AY", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"], ids=["bzip2", "xz", "zstd"])
def test_what_no_browser_unpacks_is_named(data: bytes, look: Look) -> None:
    assert look(given("logs.tar", data + bytes(50), alone=True))["skipped"] == [["logs.tar", "packed"]]


@pytest.mark.parametrize(("name", "pack"), [("bomb.zip", zipped), ("bomb.tar.gz", squeezed)], ids=["zip", "tar"])
def test_a_bomb_is_read_up_to_the_limit(name: str, pack: Callable[..., bytes], look: Look) -> None:
    found = look(
        given(name, pack({"rank0": b"spam and eggs\n" * 1_000_000, "rank1": LOG.encode()}), alone=True), unpacked=2_000_000
    )
    assert [one["broken"] for one in found["read"]] == ["bomb"] and not found["skipped"]


def test_a_bomb_that_nobody_reads_is_not_passed_over_forever(look: Look) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        head = tarfile.TarInfo("run/core.7")
        head.size = 20_000_000
        tar.addfile(head, io.BytesIO(bytes(head.size)))
    found = look(given("bomb.tar.gz", made.getvalue(), alone=True), unpacked=2_000_000)
    assert not found["read"] and reasons(found) == ["core", "bomb"]


def test_a_bomb_of_one_file_and_one_in_an_archive(look: Look) -> None:
    bomb = gzip.compress(b"spam and eggs\n" * 1_000_000)
    found = look(given("logs/rank0.log.gz", bomb), given("logs/a.tar", tarred({"rank1": bomb})), unpacked=2_000_000)
    assert [one["broken"] for one in found["read"]] == ["bomb", "bomb"]


@pytest.mark.parametrize("seed", range(3))
def test_noise_in_archives_is_never_an_error_of_ours(seed: int, look: Look) -> None:
    dice = random.Random(seed)
    for name, data in (
        ("a.zip", zipped({"rank0": LOG.encode(), "rank1": NOISE[:2000].encode()})),
        ("a.tar", tarred({"rank0": LOG.encode()})),
    ):
        for _ in range(20):
            noisy = bytearray(data)
            for _ in range(dice.randrange(1, 6)):
                noisy[dice.randrange(len(noisy))] = dice.randrange(256)
            found = look(given(name, bytes(noisy), alone=True))
            assert {one["broken"] for one in found["read"]} <= {"", "damaged", "bomb"}, name

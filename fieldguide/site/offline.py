"""The copy that opens from a folder: the built site with links that name files, and data that loads without a server.

A browser that reads `file://` follows no link to a folder's index, starts no worker and fetches no JSON. So links get
their `index.html`, every JSON file a twin that a <script> can load, and each page a stand-in for Worker.
"""

import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from lxml import html

from fieldguide.content.problems import ContentError, Problem
from fieldguide.site.publish.pictures import BELOW

# The Zip format knows no earlier time; a fixed one makes the same input the same bytes.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
STAND_IN = "assets/javascripts/file-worker.js"
LINKED = ("a", "link", "form", "area")


@dataclass(frozen=True)
class Offline:
    """What was made: the archive, how many pages are in it, and its size in bytes."""

    archive: Path
    pages: int
    size: int


def make_offline(site: Path, archive: Path, top: str) -> Offline:
    """Turn a copy of the built site into an archive that opens by double-click.

    Args:
        site: built site, left as it is.
        archive: Zip file to write; it appears only when it is whole.
        top: name of the one folder in it.

    Raises:
        ContentError: a link that leads to no file of the site.
    """
    work = archive.with_suffix(".folder")
    shutil.rmtree(work, ignore_errors=True)
    try:
        shutil.copytree(site, work)
        pages = sorted(work.rglob("*.html"))
        problems = [problem for page in pages for problem in _localise(work, page)]
        if problems:
            raise ContentError(problems)
        _script_twins(work)
        _archive(work, archive, top)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Offline(archive, len(pages), archive.stat().st_size)


def _localise(root: Path, page: Path) -> Iterator[Problem]:
    """Point every link of a page at a file, and load the stand-in before the theme's scripts."""
    text = page.read_text(encoding="utf-8")
    tree = html.document_fromstring(text)
    for element in tree.iter(*LINKED):
        href = element.get("href")
        if href is None or urlsplit(href).scheme or href.startswith(("#", "//")):
            continue
        local = file_link(href)
        target = (page.parent / urlsplit(local).path).resolve() if not local.startswith("/") else None
        if page.name != "404.html" and (target is None or not target.exists()):
            yield Problem(page.relative_to(root), element.sourceline or 0, f"link {href!r} leads to no file")
        element.set("href", local)
    for script in tree.xpath("//script[@id='__config']"):
        base = json.loads(script.text)["base"]
        stand_in = html.Element("script", src=f"{base}/{STAND_IN}")
        script.addprevious(stand_in)
    page.write_text("<!doctype html>\n" + html.tostring(tree, encoding="unicode"), encoding="utf-8")


def file_link(href: str) -> str:
    """A link to a folder becomes one to its index.

    >>> file_link("../topics/memory/#slime-oom"), file_link("."), file_link("../zh"), file_link("a.png")
    ('../topics/memory/index.html#slime-oom', './index.html', '../zh/index.html', 'a.png')
    """
    parts = urlsplit(href)
    path = parts.path
    if path and "." not in path.rpartition("/")[2].strip("."):
        path = path.rstrip("/") + "/index.html"
    return urlunsplit(parts._replace(path=path))


def _script_twins(root: Path) -> None:
    """`search/x.json` also as `search/x.js`, which a <script> loads into `fieldguideData`."""
    for file in sorted((root / "search").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        if file.name == "search_index.json":
            script = f"var __index = {json.dumps(data, ensure_ascii=False)};\n"  # the theme's name for it
        else:
            _localise_data(data)
            text = json.dumps(data, ensure_ascii=False)
            script = f"(self.fieldguideData = self.fieldguideData || {{}})[{file.stem!r}] = {text};\n"
        file.with_suffix(".js").write_text(script, encoding="utf-8")
        file.unlink()


def _localise_data(data: object) -> None:
    for document in data.get("documents", []) if isinstance(data, dict) else []:
        document["location"] = file_link(document["location"] or ".")
    for page in data.get("pages", []) if isinstance(data, dict) else []:
        page["address"] = file_link(page["address"] or ".")


def _archive(folder: Path, archive: Path, top: str) -> None:
    partial = archive.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            if (
                file.name.endswith((".map", ".gz"))
                or file.name in ("feed.xml", "sitemap.xml")
                or folder / BELOW in file.parents
            ):
                continue
            entry = zipfile.ZipInfo(f"{top}/{file.relative_to(folder).as_posix()}", ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            target.writestr(entry, file.read_bytes())
    partial.replace(archive)

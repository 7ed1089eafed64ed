"""What a book cannot be made of is said, with its place; links of Typst become links of the PDF, or a fault."""

from pathlib import Path

import pikepdf
import pytest

from fieldguide.book import __main__ as command
from fieldguide.book import fonts as font_files
from fieldguide.book.book import gather
from fieldguide.book.build import build
from fieldguide.book.places import DeadLinkError, link_places
from fieldguide.book.scope import Scope
from fieldguide.book.settings import load_settings
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError
from tests.books import SITE, add


def test_unknown_construct_names_page_and_construct(tiny: Path) -> None:
    add(tiny, "<aside>Look</aside>\n\n```mermaid\na --> b\n```\n\n![plan](plan.png)")
    with pytest.raises(ContentError) as caught:
        gather(load_guide(tiny), load_settings(tiny), "en", Scope())
    said = str(caught.value)
    assert "docs/en/topics/memory/index.md: the book has no rule for <aside> ('Look')" in said
    assert "docs/en/topics/memory/index.md: the book has no rule for a code block of 'mermaid'" in said
    assert "docs/en/topics/memory/index.md: the book has no rule for <img>" in said


def test_dead_link_names_page_and_line(tiny: Path) -> None:
    page = tiny / "docs" / "en" / "topics" / "memory" / "beta-oom.md"
    page.write_text(page.read_text(encoding="utf-8").replace("alpha-oom.md)", "alpha-oom.md#gone)"), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        gather(load_guide(tiny), load_settings(tiny), "en", Scope())
    line = next(i for i, text in enumerate(page.read_text(encoding="utf-8").splitlines(), 1) if "#gone)" in text)
    assert str(caught.value) == f"docs/en/topics/memory/beta-oom.md:{line}: link 'alpha-oom.md#gone' leads to no heading"


def linking_pdf(address: str) -> pikepdf.Pdf:
    """Two pages: a link on the first, a place named `memory:oom` on the second."""
    pdf = pikepdf.new()
    pages = [pdf.add_blank_page(page_size=(600, 800)).obj for _ in range(2)]
    action = pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String(address))
    link = pdf.make_indirect(pikepdf.Dictionary(Subtype=pikepdf.Name.Link, A=action, Contents=pikepdf.String(address)))
    pages[0].Annots = pikepdf.Array([link])
    place = pikepdf.Array([pages[1], pikepdf.Name.XYZ, 0, 800, 0])
    pdf.Root.Names = pikepdf.Dictionary(Dests=pikepdf.NameTree.new(pdf).obj)
    pikepdf.NameTree(pdf.Root.Names.Dests)["memory:oom"] = place
    return pdf


@pytest.mark.parametrize(
    ("address", "target"), [("fg:memory:oom", "memory:oom"), ("fg-at:2,70.5,110", ["/XYZ", 70.5, 700.0]), (SITE, None)]
)
def test_addresses_of_places_become_links_of_the_pdf(address: str, target: object) -> None:
    pdf = linking_pdf(address)
    link_places(pdf, "Page {}")
    link = pdf.pages[0].Annots[0]
    if target is None:
        assert str(link.A.URI) == address and str(link.Contents) == address
        return
    made = [str(link.Dest[1]), *map(float, link.Dest[2:4])] if isinstance(link.Dest, pikepdf.Array) else str(link.Dest)
    assert made == target and str(link.Contents) == "Page 2" and "/A" not in link


def test_link_to_an_unknown_place_names_its_page() -> None:
    with pytest.raises(DeadLinkError, match=r"^page 1: a link leads to 'memory:gone', which is no place in the book$"):
        link_places(linking_pdf("fg:memory:gone"), "Page {}")


def test_missing_glyph_names_its_place_and_nothing_is_written(tiny: Path, tmp_path: Path) -> None:
    add(tiny, "A Gothic letter: 𐌰")
    with pytest.raises(ContentError, match=r"docs/en/topics/memory/index\.md:\d+: no font of the PDF has '𐌰' \(U\+10330\)"):
        build(tiny, tmp_path / "dist", ["en"], Scope())
    assert not (tmp_path / "dist").exists()


def test_missing_library_and_font_say_what_to_do(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--root", str(tiny), "--out", str(tmp_path / "dist")]
    with monkeypatch.context() as patch:
        patch.setattr(command, "find_spec", lambda name: None if name == "typst" else object())
        assert command.main(arguments) == 2
    assert "not installed: typst. Run: bash scripts/setup.sh pdf" in capsys.readouterr().err
    (tmp_path / "fonts.json").write_bytes((font_files.FONTS / "fonts.json").read_bytes())
    monkeypatch.setattr(font_files, "FONTS", tmp_path)
    assert command.main(arguments) == 2
    assert "font file NotoSansSC-Regular.ttf.xz is missing" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()


def test_vendored_fonts_are_the_recorded_ones(tmp_path: Path) -> None:
    assert {file.name for file in font_files.unpack_fonts(tmp_path)} == {"NotoSansSC-Regular.ttf", "NotoSansSC-Bold.ttf"}
    assert sum(file.stat().st_size for file in font_files.FONTS.iterdir()) < 3_000_000

"""Makes fieldguide/book/fonts anew: Noto Sans SC, cut down to what the PDF needs, from a package of the npm registry.

    python -m pip install fonttools==4.68.0 && python scripts/vendor_fonts.py

Needs npm. The same versions of package and fontTools give the same files; run it again when a text needs a
character that the fonts lack (`make pdf` says so).
"""

import hashlib
import io
import json
import lzma
import subprocess
import tarfile
from pathlib import Path

from fontTools import __version__ as fonttools_version
from fontTools import subset
from fontTools.ttLib import TTFont

PACKAGE, VERSION = "@expo-google-fonts/noto-sans-sc", "0.4.3"
FILES = {
    "NotoSansSC-Regular.ttf": "package/400Regular/NotoSansSC_400Regular.ttf",
    "NotoSansSC-Bold.ttf": "package/700Bold/NotoSansSC_700Bold.ttf",
}
TARGET = Path(__file__).resolve().parent.parent / "fieldguide" / "book" / "fonts"
# Latin, Greek, punctuation, super- and subscripts, currency, letterlike, numbers, arrows, mathematics, enclosed numbers,
# boxes, shapes, signs, CJK punctuation and kana, full-width forms. Chinese characters: all of GB 2312, and 昇 and 啰.
RANGES = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x2000, 0x214F), (0x2150, 0x23FF), (0x2460, 0x271F),
    (0x3000, 0x303F), (0xFF00, 0xFFEF), (0x5570, 0x5570), (0x6607, 0x6607),
)  # fmt: skip


def main() -> None:
    """Download the package, cut and compress its fonts, record what was done."""
    with tarfile.open(fileobj=io.BytesIO(download())) as archive:
        members = {name: read(archive, member) for name, member in FILES.items()}
        licence = read(archive, "package/LICENSE_FONT")
    (TARGET / "OFL.txt").write_bytes(licence)
    record = {
        "family": "Noto Sans SC",
        "license": "OFL-1.1",
        "package": PACKAGE,
        "version": VERSION,
        "made_with": f"fonttools {fonttools_version}",
        "files": {name: write(name, data) for name, data in members.items()},
    }
    (TARGET / "fonts.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def download() -> bytes:
    """The package as npm packs it."""
    done = subprocess.run(
        ["npm", "pack", "--silent", f"{PACKAGE}@{VERSION}"], cwd=TARGET, capture_output=True, text=True, check=True
    )
    file = TARGET / done.stdout.split()[-1]
    try:
        return file.read_bytes()
    finally:
        file.unlink()


def read(archive: tarfile.TarFile, member: str) -> bytes:
    """One file of the package."""
    stream = archive.extractfile(member)
    if stream is None:
        raise FileNotFoundError(f"{PACKAGE}@{VERSION} has no {member}")
    return stream.read()


def write(name: str, original: bytes) -> dict[str, object]:
    """Cut one font and write it, compressed; returns what is recorded of it."""
    data = cut(original)
    (TARGET / f"{name}.xz").write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    return {"source_sha256": sha256(original), "sha256": sha256(data), "bytes": len(data)}


def cut(original: bytes) -> bytes:
    """The font with the characters above, without hints and vertical metrics."""
    options = subset.Options(
        hinting=False, layout_features=["kern", "locl"], name_IDs=["*"], notdef_outline=True, recalc_timestamp=False
    )
    options.drop_tables += ["vhea", "vmtx"]
    font = TTFont(io.BytesIO(original), recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def characters() -> set[int]:
    """Code points that the fonts keep."""
    wanted = {point for first, last in RANGES for point in range(first, last + 1)}
    for high in range(0xA1, 0xF8):
        for low in range(0xA1, 0xFF):
            wanted.update(map(ord, bytes([high, low]).decode("gb2312", errors="ignore")))
    return wanted


def sha256(data: bytes) -> str:
    """Checksum in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    main()

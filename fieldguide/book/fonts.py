"""The fonts: Noto Sans SC from this folder; Libertinus Serif, DejaVu Sans Mono and New Computer Modern come with Typst."""

import hashlib
import json
import lzma
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
FONT_FOLDER = "fonts"  # beside the folders of the books, where Typst looks
_REMAKE = "restore it from the repository, or make it anew: python scripts/vendor_fonts.py"


class FontError(Exception):
    """A font file is missing or is not the recorded one; the message says what to do."""


def unpack_fonts(folder: Path) -> list[Path]:
    """Write the fonts to `folder`.

    Raises:
        FontError: a file is missing, or differs from the checksum in fonts.json.
    """
    record = json.loads((FONTS / "fonts.json").read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, facts in record["files"].items():
        packed = FONTS / f"{name}.xz"
        if not packed.exists():
            raise FontError(f"font file {packed.name} is missing; {_REMAKE}")
        try:
            data = lzma.decompress(packed.read_bytes())
        except lzma.LZMAError as error:
            raise FontError(f"font file {packed.name} is damaged; {_REMAKE}") from error
        if hashlib.sha256(data).hexdigest() != facts["sha256"]:
            raise FontError(f"font file {packed.name} is not the one of fonts.json; {_REMAKE}")
        target = folder / name
        target.write_bytes(data)
        written.append(target)
    return written

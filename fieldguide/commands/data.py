"""Where the compiled guide lies: in an installed package beside the code, in a checkout below it, where it is made first."""

from dataclasses import replace
from pathlib import Path

from fieldguide.runtime.about import About, read_about

PACKED = Path(__file__).resolve().parent.parent / "data"


def compiled_folder(root: Path) -> Path:
    """The folder with the compiled guide.

    Args:
        root: of the checkout, where this is one.

    Raises:
        ContentError: the content of the checkout has faults.
    """
    if PACKED.is_dir():
        return PACKED
    from fieldguide.content import compiled

    return compiled.compiled_folder(root)


def edition(folder: Path, root: Path) -> About:
    """Which edition of the guide this is.

    Args:
        folder: the compiled guide.
        root: of the checkout, where this is one.
    """
    about = read_about(folder)
    if folder == PACKED:
        return about
    from fieldguide.content.about import edition_of

    stated = edition_of(root)
    return replace(about, version=stated["version"], date=stated["date"], site=stated["site"])

"""Command line: `python -m fieldguide.site.social FOLDER` writes the cards, to be built in with SOCIAL_CARDS=FOLDER.

With `--site` it writes the two cards that are part of the theme, into overrides/assets/images.
"""

import argparse
import sys
from pathlib import Path

from fieldguide.book.fonts import FontError
from fieldguide.content.guide import load_guide
from fieldguide.site.configuration import load_site
from fieldguide.site.social import CardError, write_cards, write_site_cards

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def main() -> int:
    """Write the cards.

    Returns:
        exit code: 0 fine, 1 they could not be made (the reason is printed).
    """
    parser = argparse.ArgumentParser(prog="python -m fieldguide.site.social", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--site", action="store_true", help="the cards of the site alone")
    options = parser.parse_args()
    folder, site = options.folder, load_site(ROOT)
    try:
        written = write_site_cards(site, folder) if options.site else write_cards(load_guide(ROOT), site, folder)
    except (CardError, FontError) as error:
        print(f"social: {error}", file=sys.stderr)
        return 1
    print(f"{folder}: {len(written)} cards, {sum(file.stat().st_size for file in written) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Which images the CI of a framework runs in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fieldguide.runtime.doctor.vocabulary import Found, Vocabulary
from fieldguide.upkeep.versions.layouts import Places

# `image: name`, `IMAGE: "name"`, or an argument of `docker run` on a line of its own.
_IMAGE = re.compile(r"""^\s*(?:-?\s*(?:image|IMAGE|container):\s*["']?)?([\w./@-]+:[\w.-]+)["']?\s*\\?\s*(?:#.*)?$""")


@dataclass(frozen=True)
class Image:
    """An image of the CI: where it is named first, how often, and what its name tells."""

    name: str
    path: str
    line: int
    uses: int
    cells: tuple[Found, ...]


def ci_images(workflows: Iterable[tuple[str, str]], places: Places, vocabulary: Vocabulary) -> list[Image]:
    """The images, the one that is used most first.

    Args:
        workflows: path and text of each.
    """
    found: dict[str, Image] = {}
    for path, text in workflows:
        for number, line in enumerate(text.splitlines(), 1):
            match = _IMAGE.match(line)
            if match and places.image.search(match[1]):
                name = match[1].removeprefix("verl-ci-cn-beijing.cr.volces.com/")
                first = found.setdefault(name, Image(name, path, number, 0, ()))
                found[name] = replace(first, uses=first.uses + 1)
    told = [
        replace(one, cells=tuple(replace(cell, line=one.line) for cell in vocabulary.of_image(one.name)))
        for one in found.values()
    ]
    return sorted(told, key=lambda one: (-one.uses, one.name))

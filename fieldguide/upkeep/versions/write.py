"""`catalog/versions/<framework>.yml` as text: the same facts give the same bytes."""

from collections.abc import Iterable, Iterator, Sequence

from fieldguide.content.catalog.models.versions import Built, Stack
from fieldguide.upkeep.extract.write import text

HEAD = (
    "# What the files of each release require, install and test: `<line> <package><versions>`, at the release's tag.\n"
    "# Written by `python -m fieldguide versions`, and by `make verify FIX=1`.\n"
)


def as_yaml(releases: Sequence[Built]) -> str:
    """The whole file."""
    return HEAD + "releases:\n" + "".join(f"{line}\n" for one in releases for line in _release(one))


def _release(one: Built) -> Iterator[str]:
    yield f"  - tag: {text(one.tag)}"
    if one.commit:
        yield f"    commit: {text(one.commit)}"
    yield "    stacks:" if one.stacks else "    stacks: []"
    for stack in one.stacks:
        yield from _stack(stack)


def _stack(stack: Stack) -> Iterator[str]:
    rows: Iterable[tuple[str, str | None]] = (
        ("path", text(stack.path)),
        ("kind", stack.kind.value),
        ("platform", stack.platform.value if stack.platform.value != "cuda" else None),
        ("extra", stack.extra and text(stack.extra)),
        ("image", stack.image and text(stack.image)),
        ("tested", stack.tested and text(stack.tested)),
        ("uses", str(stack.uses) if stack.uses else None),
        ("cells", "[" + ", ".join(f'"{cell}"' for cell in stack.cells) + "]"),
    )
    for number, (name, value) in enumerate((name, value) for name, value in rows if value):
        yield f"      {'  ' if number else '- '}{name}: {value}"

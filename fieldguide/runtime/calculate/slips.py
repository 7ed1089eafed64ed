"""Names that no key has, and the key that was probably meant."""

from collections.abc import Sequence


def closest(name: str, paths: Sequence[str]) -> str | None:
    """The path whose last part is one or two slips of the pen away."""
    written = name.rpartition(".")[2]
    best: tuple[int, str] | None = None
    for path in paths:
        wanted = path.rpartition(".")[2]
        most = min(2, len(wanted) // 5)
        if abs(len(wanted) - len(written)) > most or wanted == written:
            continue
        distance = _distance(written, wanted)
        if distance <= most and (best is None or distance < best[0]):
            best = (distance, path)
    return best[1] if best else None


def _distance(a: str, b: str) -> int:
    """Edit distance."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]

"""Texts that a program could print, and generated ones in which two engines of regular expressions could differ."""

import random
from collections.abc import Iterator, Sequence

from fieldguide.content.signature import parse_signature

SAMPLES = {
    "int": "7",
    "num": "1.5e-06",
    "word": "thing",
    "path": "/mnt/data/model.py",
    "hex": "0x7f9e2c1b",
    "list": "[1, 2]",
    "any": "something else",
}
CJK = ("报错", "训练卡住", "，", "。", "（", "显存不足", "エラー", "오류")
DIGITS = ("３２", "٣", "४", "7", "-12", "1.5e-06", "²", "①")
SPACES = (
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\f",
    "\v",
    "\u00a0",
    "\u1680",
    "\u2003",
    "\u2028",
    "\u2029",
    "\u3000",
    "\ufeff",
    "\x85",
    "\x1c",
)
MARKS = (
    "\x1b[36m",
    "\x1b[0m",
    "[31;1m",
    "^[[0m",
    "\u200b",
    "“",
    "’",
    "&lt;",
    "&#39;",
    "…",
    "ſ",
    "K",
    "İ",
    "é",
    "😀",
    "\ud83d",
    "\udc00",
)
PREFIXES = (
    "(WorkerDict pid=4711, ip=10.0.0.1) ", "2026-01-02 03:04:05,678 ", "[rank3]: ", "- ERROR - a.py:12 - ", "stderr F ",
    'File "/x/y.py", line 3, in f', "Error", "Traceback (most recent call last):", "~~~^^^", "[repeated 3x across cluster]",
)  # fmt: skip
FAR = "\nstep 12 of 100: loss 0.25" * 40 + "\n"
SETTINGS = (
    "trainer.nnodes=2", "--num-gpus 8", "--tp=4", "export N=３", "${N}", "${N:-1}", "rollout_batch_size: 64", "# x", "'",
    '"', "a: [1, 2]", "\\", "=(", ")", "list(range(0, 8))", "list(range(0,４))", "1e6", "8.0", "True", "none", "1_000", "[0,1]",
    "--", "&&",
)  # fmt: skip


def sample(text: str) -> str:
    """A text that the program could print: placeholders filled in."""
    pieces = parse_signature(text)
    return "".join(SAMPLES[piece.placeholder] if piece.placeholder else piece.text for piece in pieces)


def generated(seed: int, count: int, samples: Sequence[str], hints: Sequence[str]) -> Iterator[str]:
    """`count` texts, the same for the same seed: errors with odd things before, inside and behind them, and twice."""
    draw = random.Random(seed)
    odd = (*CJK, *DIGITS, *SPACES, *MARKS, *PREFIXES)
    for _ in range(count):
        parts: list[str] = []
        errors: list[str] = []
        for _ in range(draw.randint(1, 4)):
            kind = draw.random()
            if kind < 0.05 and errors:  # the first error once more, far from where it stood
                parts.append(f"{FAR}{draw.choice(samples)}{FAR}{errors[0]}")
            elif kind < 0.55:
                errors.append(_disturbed(draw, draw.choice(samples), odd))
                parts.append(errors[-1])
            elif kind < 0.65:
                parts.append(draw.choice(hints))
            elif kind < 0.8:
                parts.append(draw.choice(SETTINGS))
            parts.extend(draw.choice(odd) for _ in range(draw.randint(0, 3)))
        yield "".join(parts)


def _disturbed(draw: random.Random, text: str, odd: Sequence[str]) -> str:
    """The text, two in three times with something put in, taken out or repeated somewhere."""
    if not text or draw.random() < 0.34:
        return text
    at = draw.randrange(len(text))
    kind = draw.random()
    if kind < 0.5:
        return text[:at] + draw.choice(odd) + text[at:]
    if kind < 0.8:
        space = text.find(" ", at)
        return text if space < 0 else text[:space] + draw.choice(SPACES) + text[space + 1 :]
    return text[:at] + text[at + draw.randint(1, 5) :]

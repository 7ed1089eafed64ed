"""Queries and logs that no reader would write, and some that one would: seeded, so that a failure can be seen again."""

import gzip
import random
from collections.abc import Iterator

SCRIPT = "window.ran = true"
PIECES = (
    f"<script>{SCRIPT}</script>", f"<img src=x onerror='{SCRIPT}'>", f"\"><svg onload={SCRIPT}>", f"javascript:{SCRIPT}",
    "<iframe srcdoc='<script>parent.ran = true</script>'>", f"{{{{constructor.constructor('{SCRIPT}')()}}}}", "${7*7}", "`",
    "</mark>", "<!--",
    "&lt;b&gt;", "&#x3c;script&#x3e;", "%3Cscript%3E", "\x00", "\x1b[31m", "\ud800", "\u202e", "\ufeff", "\u2028", "\U0001f4a9",
    "(a+)+$", "[", "]", "(", ")", "*", "^", "$", "\\", "|", "?", "+", "{", "}", "'", '"', "--", "--flag", "~", ":", "/", "//",
    "__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "NaN", "0", "-1", "1e309", "true",
    "title:", "text:", "AND", "NOT", "OR", "../../../etc/passwd", "C:\\Windows", "\t", " ", "\r\n", "\n",
    "训练", "显存不足", "的", "，", "。", "エラー", "KeyError: 1", "AssertionError: batch_size 32 < chunks 64",
    "CUDA out of memory", "NCCL", "RAY_DEBUG", "max_tokens_per_gpu", "File \"/a/b.py\", line 7, in f",
    "(Worker pid=12, ip=10.0.0.1)",
)  # fmt: skip


def text(random_: random.Random, pieces: int) -> str:
    """Some of the pieces, with random characters between them."""
    parts = []
    for _ in range(pieces):
        parts.append(random_.choice(PIECES))
        if random_.random() < 0.4:
            parts.append("".join(chr(random_.randrange(1, 0x3000)) for _ in range(random_.randrange(1, 6))))
        if random_.random() < 0.5:
            parts.append(" ")
    return "".join(parts)


def queries(count: int, seed: int) -> Iterator[str]:
    """Short queries, and one in fifty as long as a pasted log."""
    random_ = random.Random(seed)
    for number in range(count):
        yield text(random_, random_.randrange(200, 1500) if number % 50 == 49 else random_.randrange(1, 9))


def logs(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """(name, content): text in several encodings, broken archives, noise, lines without an end."""
    random_ = random.Random(seed)
    for number in range(count):
        lines = [text(random_, random_.randrange(1, 12)) for _ in range(random_.randrange(1, 60))]
        plain = "\n".join(lines).encode("utf-8", "surrogatepass")
        yield from [
            (f"{SCRIPT}.log", plain),
            ("utf16.log", "\n".join(lines).encode("utf-16", "surrogatepass")),
            ("cut.log.gz", gzip.compress(plain)[: random_.randrange(3, 400)]),
            ("<img src=x onerror=alert(1)>.log", gzip.compress(plain)),
            ("noise.bin", random_.randbytes(random_.randrange(1, 20000))),
            ("line.log", plain.replace(b"\n", b" ") * 20),
            ("zst.log", b"\x28\xb5\x2f\xfd" + random_.randbytes(200)),
            ("nul.log", plain.replace(b" ", b"\x00")),
        ][number % 8 : number % 8 + 1]

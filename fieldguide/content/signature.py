"""Error signatures: a text with placeholders for what changes from run to run.

    batch_size {int} < chunks {int}

`{int}`, `{num}`, `{word}`, `{path}`, `{hex}`, `{list}` and `{any}` are the placeholders; `{{` and `}}` are literal
braces. White space in a signature matches any run of white space, because a pasted traceback arrives as one line.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from fieldguide.content.dialect import portable

# `{any}` goes over the end of a line: a wrapped line of a log is one text.
PLACEHOLDERS: dict[str, str] = {
    "int": r"-?\d+",
    "num": r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|nan|inf|-inf",
    "word": r"""[^\s'"]+""",
    "path": r"""[^\s'"]+""",
    "hex": r"(?:0x)?[0-9a-fA-F]+",
    "list": r"[\[(][^\])]*[\])]",
    "any": r"[^\x00]{1,200}?",
}

_PIECE = re.compile(r"\{\{|\}\}|\{([a-z]*)\}|[{}]|[^{}]+")


class SignatureError(ValueError):
    """The text is not a well-formed signature."""


@dataclass(frozen=True)
class Piece:
    """A run of literal text, or one placeholder (`placeholder` names it and `text` is how it is written)."""

    text: str
    placeholder: str | None = None


@lru_cache(maxsize=4096)
def parse_signature(text: str) -> tuple[Piece, ...]:
    """Split a signature into literals and placeholders.

    Raises:
        SignatureError: an unbalanced brace or a placeholder that does not exist.
    """
    pieces: list[Piece] = []
    for match in _PIECE.finditer(text):
        token = match.group()
        if token in ("{{", "}}"):
            pieces.append(Piece(token[0]))
        elif token in ("{", "}"):
            raise SignatureError(f"unbalanced {token!r} in signature {text!r} (write {{{{ or }}}} for a literal brace)")
        elif match.group(1) is None:
            pieces.append(Piece(token))
        elif match.group(1) in PLACEHOLDERS:
            pieces.append(Piece(token, match.group(1)))
        else:
            raise SignatureError(f"unknown placeholder {token} in signature {text!r}; known: {', '.join(PLACEHOLDERS)}")
    return tuple(pieces)


@lru_cache(maxsize=4096)
def signature_regex(text: str) -> str:
    """Regular expression source that finds the signature inside any text.

    >>> signature_regex("chunks {int}")
    'chunks[ \\\\t\\\\n\\\\r\\\\f\\\\v]+-?\\\\d+'
    """
    return portable("".join(_piece_regex(piece) for piece in parse_signature(text)))


def _piece_regex(piece: Piece) -> str:
    if piece.placeholder:
        body = PLACEHOLDERS[piece.placeholder]
        return f"(?:{body})" if "|" in body else body
    parts = re.split(r"\s+", piece.text)
    return r"\s+".join(escape(part) for part in parts)


def escape(text: str) -> str:
    """A pattern for a literal text, which Python and JavaScript read alike (`re.escape` escapes more than JavaScript takes)."""
    return re.sub(r"([\\^$.*+?()[\]{}|/])", r"\\\1", text)


def literal_words(text: str) -> list[str]:
    """Runs of literal text without white space, in order.

    >>> literal_words("batch_size {int} < chunks {int}")
    ['batch_size', '<', 'chunks']
    """
    return [word for piece in parse_signature(text) if not piece.placeholder for word in piece.text.split()]


def distinctive(text: str, most: int) -> tuple[str, list[str]]:
    """What to look for first in a log for a signature: a word, or two with a space between; and `most` further words of it.

    >>> distinctive("WARNING: could not find the metadata file {word}", 4)
    ('WARNING: could', ['metadata', 'find', 'file', 'not'])
    """
    runs = [""]
    for piece in parse_signature(text):
        if piece.placeholder:
            runs.append("")
        else:
            runs[-1] += piece.text
    sentences = [run.split() for run in runs]
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    pairs = [f"{one} {two}" for sentence in sentences for one, two in pairwise(sentence) if len(one) > 2]
    key = max([*pairs, *words], key=len)
    others = sorted((word for word in words if word not in key.split()), key=len, reverse=True)
    return key, others[:most]


def display_signature(text: str) -> str:
    """The signature as a reader sees it: placeholders as `…`, doubled braces single.

    >>> display_signature("batch_size {int} < chunks {int}")
    'batch_size … < chunks …'
    """
    return "".join("…" if piece.placeholder else piece.text for piece in parse_signature(text))

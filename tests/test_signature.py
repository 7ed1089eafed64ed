"""Placeholders: what they match, what they must not, what is refused."""

import re

import pytest

from fieldguide.content.signature import SignatureError, display_signature, parse_signature, signature_regex

MATCHES = [
    ("batch_size {int} < chunks {int}", "AssertionError: batch_size 32 < chunks 64"),
    ("batch_size {int} < chunks {int}", "batch_size 32\n  < chunks 64"),
    ("learning rate {num} and {num}", "learning rate 5e-07 and 1e-06"),
    ("grad {num} in", "grad nan in"),
    ("shape {list} from", "shape torch.Size([151936, 3584]) from".replace("torch.Size(", "").replace(")", "")),
    ("host='{word}', port={int}", "host='10.1.4.6', port=15002"),
    ("at {path}:{int}", "at /pytorch/aten/src/THC/x.cpp:278"),
    ("object at {hex}>", "object at 0x7f9e2c1b3e60>"),
    ("from {any} to", "from here and there to"),
    ("{{}} is empty", "{} is empty"),
    ("a.b(c) [d] | e*", "a.b(c) [d] | e*"),
]


@pytest.mark.parametrize(("signature", "text"), MATCHES)
def test_matches(signature: str, text: str) -> None:
    assert re.search(signature_regex(signature), text)


@pytest.mark.parametrize(
    ("signature", "text"),
    [
        ("batch_size {int} < chunks {int}", "batch_size many < chunks 64"),
        ("a.b", "axb"),
        ("from {any} to", "from" + "x" * 300 + "to"),
    ],
)
def test_does_not_match(signature: str, text: str) -> None:
    assert not re.search(signature_regex(signature), text)


@pytest.mark.parametrize("text", ["{int", "int}", "a { b", "{size}", "{{int}"])
def test_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        parse_signature(text)


def test_display() -> None:
    assert display_signature("size {{{int}}} of {list}") == "size {…} of …"

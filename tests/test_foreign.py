"""A library's error under the traceback of a framework: never marked as the answer of another framework."""

import pytest

from fieldguide.content.guide import load_guide
from fieldguide.runtime.guide import SHARED, Guide, Signature
from fieldguide.runtime.match import find
from tests.conftest import ROOT
from tests.texts import sample

# The last frames before a library's own, as each framework's programs print them.
FRAMES = {
    "chatlearn": "chatlearn/models/vllm_module.py",
    "openrlhf": "openrlhf/trainer/ray/vllm_engine.py",
    "roll": "roll/distributed/strategy/megatron_strategy.py",
    "slime": "slime/backends/megatron_utils/actor.py",
    "verl": "verl/workers/fsdp_workers.py",
}


@pytest.fixture(scope="module")
def library_texts(compiled: Guide) -> list[str]:
    """Every error text that a library prints and that names no framework, as a program could print it."""
    catalog = load_guide(ROOT).catalog
    known = (one for signatures in catalog.signatures_of.values() for one in signatures)
    texts = (sample(one.text) for one in known if one.of and one.of not in catalog.framework)
    return [text for text in texts if not compiled.frameworks_named(text)]


def under(framework: str, text: str) -> str:
    """The text as it ends a run of the framework."""
    frame = f'  File "/opt/conda/lib/python3.12/site-packages/{FRAMES[framework]}", line 633, in train\n    step(batch)\n'
    return f"Traceback (most recent call last):\n{frame}{text}\n"


def test_every_framework_has_a_traceback(compiled: Guide) -> None:
    assert set().union(*map(compiled.family, FRAMES)) == {one.id for one in compiled.frameworks}


@pytest.mark.parametrize("framework", FRAMES)
def test_no_text_of_a_library_is_marked_for_another_framework(
    compiled: Guide, library_texts: list[str], framework: str
) -> None:
    """All of them, about a thousand for each framework."""
    assert len(library_texts) > 500
    fits = compiled.family(framework) | {SHARED}
    marked: list[Signature] = []
    for text in library_texts:
        found = find(under(framework, text), compiled)
        if found and found[0].exact:
            marked.append(found[0].signature)
    assert len(marked) > len(library_texts) / 3, "hardly anything is marked"
    assert [one for one in marked if one.framework not in fits] == []

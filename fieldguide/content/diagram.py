"""Decision paths as pictures: the Mermaid text of a diagram, and the picture that was drawn from it.

Pictures are committed, so that a build needs neither a browser nor Mermaid; `make diagrams` draws them. Each carries the
digest of the text and the settings it was drawn from, which `check_diagrams` compares.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from fieldguide.content.catalog.models import Diagram, DiagramNode, NodeKind

FOLDER = Path("overrides/assets/diagrams")
# npm's package and what `scripts/diagrams.py` takes out of it.
MERMAID = ("mermaid", "12.3.0")
MERMAID_SHA256 = "336df803d87a38b70a01e736e666c8f7601d2ce42f5e47c8fafe5d721074b9a3"
# Noto Sans SC is the PDF's; readers get the sans of their system, with Chinese of the same weight.
FONTS = 'system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif'
CONFIG: dict[str, Any] = {
    "startOnLoad": False,
    "securityLevel": "strict",
    "theme": "base",
    "look": "classic",
    "handDrawnSeed": 1,  # round boxes are drawn by chance otherwise, in the classic look as well
    "layout": "dagre",
    "fontFamily": FONTS,
    "fontSize": 14,
    "htmlLabels": False,
    "themeVariables": {"fontFamily": FONTS, "fontSize": "14px", "lineColor": "#5b6b68", "edgeLabelBackground": "#ffffff"},
    "flowchart": {
        "htmlLabels": False,
        "wrappingWidth": 400,
        "nodeSpacing": 14,
        "rankSpacing": 32,
        "padding": 10,
        "curve": "basis",
    },
}
_STYLES = {
    NodeKind.SYMPTOM: "fill:#fdecea,stroke:#b3261e,color:#1b1b1b",
    NodeKind.QUESTION: "fill:#e8f0fb,stroke:#2f5fa8,color:#1b1b1b",
    NodeKind.CAUSE: "fill:#e6f4ee,stroke:#1d7a5f,color:#1b1b1b",
}
_SHAPES = {NodeKind.SYMPTOM: '(["{}"])', NodeKind.QUESTION: '("{}")', NodeKind.CAUSE: '["{}"]'}
_DIGEST = re.compile(r'data-digest="([0-9a-f]{64})"')
_SIDE = r'<svg [^>]*?\b{}="(\d+)"'


def mermaid(diagram: Diagram, language: str) -> str:
    """Mermaid text of a diagram in one language."""
    lines = ["flowchart TD"]
    lines += [f"  classDef {kind.value} {style}" for kind, style in _STYLES.items()]
    lines += [f"  {_name(node.id)}{_shape(node, language)}:::{node.kind.value}" for node in diagram.nodes]
    for edge in diagram.edges:
        label = f'|"{_escaped(edge.words(language))}"|' if edge.words(language) else ""
        lines.append(f"  {_name(edge.origin)} -->{label} {_name(edge.to)}")
    return "\n".join(lines) + "\n"


def digest(diagram: Diagram, language: str) -> str:
    """SHA-256 of everything that a picture depends on."""
    parts = [MERMAID, MERMAID_SHA256, CONFIG, mermaid(diagram, language)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def picture(id_: str, language: str) -> Path:
    """File of a picture, below the checkout."""
    return FOLDER / f"{id_}-{language}.svg"


def drawn_from(svg: str) -> str:
    """The digest that a picture carries; empty when it has none."""
    found = _DIGEST.search(svg)
    return found[1] if found else ""


def size(svg: str) -> tuple[int, int]:
    """Width and height of a picture in CSS pixels.

    Raises:
        ValueError: it does not say.
    """
    width, height = (re.search(_SIDE.format(name), svg) for name in ("width", "height"))
    if not width or not height:
        raise ValueError("a picture without width and height")
    return int(width[1]), int(height[1])


def _name(id_: str) -> str:
    return "n_" + id_.replace("-", "_")  # `end` alone is a word of Mermaid


def _shape(node: DiagramNode, language: str) -> str:
    return _SHAPES[node.kind].format(_escaped(node.words(language)))


def _escaped(text: str) -> str:
    """Text for a quoted label: Mermaid reads `#name;` as a character. Lines are as the words have them."""
    return text.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;").replace("\n", "<br/>")

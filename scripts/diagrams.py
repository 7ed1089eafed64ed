"""Draw the pictures of catalog/diagrams.yml with Mermaid in a browser (needs npm): python -m scripts.diagrams

Mermaid comes from its package, as released, and stays here; readers get the pictures. A picture that is up to date is left
alone, so that fonts of another machine do not change it.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.diagram import CONFIG, FOLDER, MERMAID, MERMAID_SHA256, digest, drawn_from, mermaid, picture
from fieldguide.content.guide import Guide, load_guide
from scripts.vendor import checksum, released
from tests.browser import launched

ROOT = Path(__file__).resolve().parent.parent
# Draws one diagram and gives back plain SVG: what Mermaid's style sheet says stands on each element, because Typst and an
# <img> know no page around the picture; without classes, and with the ground that the text was chosen for.
DRAW = """
async ([config, source, words]) => {
  mermaid.initialize(config);
  const { svg } = await mermaid.render("drawn", source);
  const holder = document.body.appendChild(document.createElement("div"));
  holder.innerHTML = svg;
  const root = holder.querySelector("svg");
  const box = root.viewBox.baseVal;
  const width = Math.ceil(box.width), height = Math.ceil(box.height);
  root.style.maxWidth = "none";
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  const shapes = "rect, path, polygon, circle, line";
  for (const one of root.querySelectorAll(shapes + ", text, tspan")) {
    const style = getComputedStyle(one);
    const names = one.matches(shapes)
      ? ["fill", "stroke", "stroke-width"]
      : ["fill", "font-size", "font-weight", "text-anchor"];
    one.dataset.keep = JSON.stringify(names.map((name) => [name, style.getPropertyValue(name)]));
  }
  for (const one of root.querySelectorAll("[data-keep]")) {
    for (const [name, value] of JSON.parse(one.dataset.keep)) one.setAttribute(name, value);
  }
  for (const line of root.querySelectorAll("text > tspan")) {
    line.textContent = line.textContent;  // a line is one run, not one a word
    for (const name of ["fill", "font-size", "font-weight", "text-anchor"]) line.removeAttribute(name);
  }
  const idle = [...root.querySelectorAll("text")].filter((one) => !one.textContent);
  idle.push(...root.querySelectorAll("rect:not([width]), style, foreignObject"));
  idle.forEach((one) => one.remove());
  root.querySelectorAll("marker").forEach((one) => { if (!root.innerHTML.includes("url(#" + one.id + ")")) one.remove(); });
  for (const one of [root, ...root.querySelectorAll("*")]) {
    for (const { name } of [...one.attributes]) {
      const anchor = name === "id" && one.localName === "marker";
      if (/^(id|class|style|data-.*|aria-.*|role|opacity|font-style|font-weight)$/.test(name) && !anchor) {
        one.removeAttribute(name);
      }
    }
  }
  for (let again = true; again;) {
    const hollow = [...root.querySelectorAll("g, defs")].filter((one) => !one.children.length);
    hollow.forEach((one) => one.remove());
    again = hollow.length > 0;
  }
  root.setAttribute("font-family", config.fontFamily);
  root.setAttribute("data-digest", words.digest);
  const ground = document.createElementNS(root.namespaceURI, "rect");
  for (const [name, value] of [["x", box.x], ["y", box.y], ["width", width], ["height", height], ["fill", "#ffffff"]]) {
    ground.setAttribute(name, value);
  }
  root.prepend(ground);
  const title = document.createElementNS(root.namespaceURI, "title");
  title.textContent = words.title;
  root.prepend(title);
  holder.remove();
  return new XMLSerializer().serializeToString(root);
}
"""
_LONG = re.compile(r"\d+\.\d{3,}")


class DrawError(Exception):
    """Mermaid is not the recorded one, or does not understand a diagram."""


def library() -> bytes:
    """Mermaid for browsers, as its package has it.

    Raises:
        DrawError: another file than the recorded one.
        subprocess.CalledProcessError: npm cannot get the package.
    """
    content = released(*MERMAID, {"mermaid.js": "dist/mermaid.min.js"})["mermaid.js"]
    if checksum(content) != MERMAID_SHA256:
        raise DrawError(f"{' '.join(MERMAID)} is not the recorded file: sha256 {checksum(content)}")
    return content


def stale(guide: Guide) -> list[tuple[str, str]]:
    """Diagrams and languages whose picture is missing or shows something else."""
    pairs = [(id_, language) for id_ in guide.catalog.diagram for language in LANGUAGES]
    return [pair for pair in pairs if _drawn(guide, *pair) != digest(guide.catalog.diagram[pair[0]], pair[1])]


def _drawn(guide: Guide, id_: str, language: str) -> str:
    file = guide.root / picture(id_, language)
    return drawn_from(file.read_text(encoding="utf-8")) if file.exists() else ""


def draw(page: Page, guide: Guide, id_: str, language: str) -> str:
    """SVG of a diagram.

    Raises:
        playwright.sync_api.Error: Mermaid does not understand it.
    """
    diagram = guide.catalog.diagram[id_]
    title = diagram.nodes[0].words(language).replace("\n", guide.words[language]["line_join"])
    given: list[Any] = [CONFIG, mermaid(diagram, language), {"digest": digest(diagram, language), "title": title}]
    svg = str(page.evaluate(DRAW, given))
    return _LONG.sub(lambda number: f"{float(number[0]):.2f}", svg) + "\n"


def main() -> int:
    """Draw what is stale, delete what nobody needs."""
    guide = load_guide(ROOT)
    needed = {picture(id_, language).name for id_ in guide.catalog.diagram for language in LANGUAGES}
    for file in (ROOT / FOLDER).glob("*.svg"):
        if file.name not in needed:
            file.unlink()
    todo = stale(guide)
    if todo:
        _draw_all(guide, todo)
    print(f"{len(todo)} of {len(needed)} pictures drawn")
    return 0


def _draw_all(guide: Guide, todo: list[tuple[str, str]]) -> None:
    (ROOT / FOLDER).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        script = Path(folder) / "mermaid.js"
        script.write_bytes(library())
        page = browser.new_page()
        page.add_script_tag(path=script)
        for id_, language in todo:
            (ROOT / picture(id_, language)).write_text(draw(page, guide, id_, language), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

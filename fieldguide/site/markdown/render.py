"""Templates to elements: the HTML of cards and tables, with links that the builder can check."""

import json
import posixpath
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from fieldguide.content import said
from fieldguide.content.catalog.models import Change, ChangeKind, Diagram, Entry, Key, Rule, Source, Span, Status
from fieldguide.content.catalog.store import Owned
from fieldguide.content.compile import compile_masks
from fieldguide.content.definition import conditions
from fieldguide.content.diagram import picture, size
from fieldguide.content.document import first_paragraph, first_sentence, inline
from fieldguide.content.guide import Guide
from fieldguide.content.signature import parse_signature
from fieldguide.site.calculator import page_data
from fieldguide.site.tracker import find_tracker

_TIP = 140  # characters of upstream's words in a tooltip
TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
# Template white space would show inside <pre> and between inline elements of Chinese text.
_BETWEEN_TAGS = re.compile(r">\s*\n\s*<")


@lru_cache(maxsize=2)
def _environment(live: bool) -> Environment:
    """`live`: templates are read again when they have changed; to look is as much work as to render a small one."""
    made = Environment(
        auto_reload=live,
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["tojson"] = attribute_json
    return made


def attribute_json(value: object) -> str:
    """JSON for an attribute, its two kinds of quotes swapped: HTML writes each double one as six letters.

    `parsed` in `ui/dom.js` swaps them back.

    >>> attribute_json({"a": "it's"})
    "{'a':'it\"s'}"
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).translate(_SWAP)


_SWAP = str.maketrans("\"'", "'\"")


class Renderer:
    """Renders templates for one page in one language."""

    def __init__(self, guide: Guide, language: str, page: str, live: bool = False) -> None:
        self.guide = guide
        self._live = live
        self.language = language
        self._page = page

    def element(self, template: str, **values: Any) -> Element:
        """Render `templates/<template>.html`, which must be one well-formed element."""
        text = _environment(self._live).get_template(f"{template}.html").render(**self._helpers(), **values)
        return ElementTree.fromstring(_BETWEEN_TAGS.sub("><", text.strip()))

    def diagram(self, diagram: Diagram) -> Element:
        """The picture of a decision path; the place of its file is filled in by `FieldGuideExtension`."""
        svg = (self.guide.root / picture(diagram.id, self.language)).read_text(encoding="utf-8")
        width, height = size(svg)
        return self.element("diagram", diagram=diagram, width=width, height=height)

    def _helpers(self) -> dict[str, Any]:
        helpers: dict[str, Any] = {
            "t": self.guide.words[self.language],
            "language": self.language,
            "guide": self.guide,
            "catalog": self.guide.catalog,
            "tracker": find_tracker(),
        }
        functions: tuple[Callable[..., Any], ...] = (
            self.url, self.entry_url, self.key_url, self.title, self.short, self.signature_markup, self.versions,
            self.code_title, self.source_url, self.source_name, self.stamp, self.key_chip, self.framework_page,
            self.title_of_page,
            self.rule_conditions, self.calculator_data, self.masks, self.calculator_url,
            self.checked, self.answer_word, self.change_note, self.key_fact,
        )  # fmt: skip
        helpers["breakable"] = breakable
        return helpers | {function.__name__: function for function in functions}

    def url(self, name: str, anchor: str = "") -> str:
        """Relative link from this page to `name`.md."""
        path = posixpath.relpath(f"{name}.md", posixpath.dirname(self._page) or ".")
        return (path if name != self._page else "") + (f"#{anchor}" if anchor else "")

    def entry_url(self, entry: str) -> str:
        """Link to an entry."""
        return self.url(self.guide.catalog.page_of(entry))

    def key_url(self, owned: Owned) -> str:
        """Link to a key in its glossary."""
        return self.url(self.guide.page_of_key[owned.id], owned.id)

    def framework_page(self, framework: str) -> str:
        """Link to the landing page of a framework; one page serves a framework and its legacy line."""
        return self.url(f"frameworks/{self.guide.catalog.framework[framework].glossary}")

    def rule_conditions(self, rule: Rule) -> list[str]:
        """What a rule demands."""
        return conditions(self.guide.catalog, rule)

    def calculator_data(self) -> dict[str, Any]:
        """What the calculator's scripts read."""
        return page_data(self.guide, self.language, lambda entry: self.title(entry).striptags())

    def masks(self) -> list[list[Any]]:
        """What a report must not hold."""
        return compile_masks(self.guide.catalog)

    def calculator_url(self, framework: str) -> str | None:
        """Link to the calculator, where the framework has one."""
        return f"{self.url('calculate')}?calc={framework}" if framework in self.guide.catalog.calculator else None

    def title(self, id_: str) -> Markup:
        """Title of a section in this language, its inline code marked up."""
        section = self.guide.section(self.language, id_)
        return self.code_title(section.title if section else id_)

    def short(self, entry: str) -> Markup:
        """The answer of an entry in one line, its inline code marked up."""
        document = self.guide.documents[self.language].get(self.guide.catalog.page_of(entry))
        return self.code_title(document.short if document else "")

    def title_of_page(self, name: str) -> Markup:
        """Title of a page in this language."""
        return self.code_title(self.guide.documents[self.language][name].title)

    @staticmethod
    @lru_cache(maxsize=1 << 14)  # one title stands on many pages
    def code_title(text: str) -> Markup:
        """Heading source as HTML: backticks become code, backslash escapes and attributes of code go.

        >>> Renderer.code_title(r"`a < b`{ .nokey } and \\_\\_init\\_\\_")
        Markup('<code>a &lt; b</code> and __init__')
        """
        codes = ((token.type == "code_inline", token.content) for token in inline(text))
        return Markup("").join(_code(content) if code else escape(content) for code, content in codes)

    @staticmethod
    def signature_markup(text: str) -> Markup:
        """A signature as HTML, placeholders as <var>."""
        return Markup("").join(
            Markup("<var>…</var>") if piece.placeholder else escape(piece.text) for piece in parse_signature(text)
        )

    def versions(self, span: Span, of: str | None = None) -> str:
        """Words for a span of versions."""
        return said.versions(self.guide.catalog, span, of)

    def source_url(self, source: Source) -> str | None:
        """Address of a cited line."""
        return self.guide.catalog.source_url(source)

    def source_name(self, source: Source) -> str:
        """A cited line in a few words."""
        return said.source_name(self.guide.catalog, source)

    def stamp(self, framework: str) -> str:
        """The pin of a framework or library."""
        return said.stamp(self.guide.catalog, framework)

    def checked(self, entry: Entry) -> str:
        """Stamp of an entry."""
        return said.checked(self.guide.catalog, entry)

    def answer_word(self, entry: Entry) -> str:
        """Name of the word for what became of upstream's own answer, or of older advice; empty when there was none."""
        if entry.origins:
            return f"answer_{entry.status.value}"
        return "" if entry.status is Status.HOLDS else "advice_changed"

    def change_note(self, change: Change) -> Markup:
        """One sentence on what upstream changed, with the cited place as a link."""
        words = self.guide.words[self.language]
        variant = {ChangeKind.DEFAULT: "_unstated", ChangeKind.LOST: "_elsewhere"}.get(change.kind, "")
        variant = variant if (change.now is None) == (change.kind is ChangeKind.DEFAULT) else ""
        what = Markup(words[f"change_{change.kind.value}{variant}"]).format(
            place=self._place(change), was=_code(change.was), now=_code(change.now or "")
        )
        return Markup(words["change_since"]).format(since=said.since(self.guide.catalog, change.repo, change.since), what=what)

    def _place(self, change: Change) -> Markup:
        source = Source(repo=change.repo, path=change.path, line=change.line, held=change.since)
        line = f":{change.line}" if change.line else ""
        return Markup('<a href="{}">{}{}</a>').format(self.source_url(source) or "", change.path, line)

    def key_tip(self, owned: Owned) -> str:
        """Tooltip of a key link: type, default, first sentence of the glossary."""
        fact, section = self.key_fact(owned.key), self.guide.section(self.language, owned.id)
        summary = first_sentence(first_paragraph(section.text)) if section else _quoted(owned.key.help or "")
        return f"{fact} · {summary}" if summary else fact

    def key_fact(self, key: Key) -> str:
        """Type, default and choices of a key in one line."""
        return said.key_fact(key, self.guide.words[self.language])

    def key_chip(self, owned: Owned, spelling: str | None = None) -> Markup:
        """A key as a link with its tooltip, spelled as it is set or as `spelling` has it."""
        return Markup('<a class="fg-key" href="{}" title="{}"><code>{}</code></a>').format(
            self.key_url(owned), self.key_tip(owned), breakable(spelling or owned.key.display)
        )


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _quoted(help_: str) -> str:
    """Upstream's first sentence in quotation marks, cut to a tooltip."""
    text = first_sentence(help_)
    return f"“{text if len(text) <= _TIP else text[: _TIP - 1] + '…'}”" if text else ""


def breakable(name: str) -> Markup:
    """A long name with places where a line may break; the text that is copied stays the same.

    >>> breakable("a.b_c")
    Markup('a.<wbr/>b_<wbr/>c')
    """
    return Markup("<wbr/>").join(re.split(r"(?<=[._-])(?=[A-Za-z])", name))

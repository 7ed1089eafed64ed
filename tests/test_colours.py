"""Each framework's colour comes from the catalog and can be read where its badge stands."""

import re
from itertools import product

import pytest

from fieldguide.content.catalog.models import Framework
from fieldguide.content.guide import load_guide
from fieldguide.site.publish.stylesheet import STYLESHEET, colour_rules
from tests.conftest import ROOT

SHEET = (ROOT / "overrides" / STYLESHEET).read_text(encoding="utf-8")
SCHEMES = {"color": ":root", "color_dark": '[data-md-color-scheme="slate"]'}
# What lies below a badge: the page, a wash, code, an answer. A row that an address leads to has a tint of the focus colour.
BELOW = ("paper", "paper-2", "code", "good-bg")
TINT = 0.12
LEAST = 4.5  # WCAG 2.2 AA for small text


def tokens(selector: str) -> dict[str, str]:
    """Names and colours that a scheme of the stylesheet sets.

    >>> tokens(":root")["paper"]
    '#ffffff'
    """
    block = next(one for one in re.findall(re.escape(selector) + r" \{([^}]*)\}", SHEET) if "--fg-paper" in one)
    found = dict(re.findall(r"--fg-([\w-]+): #([0-9a-f]{3,6});", block))
    return {name: "#" + (value if len(value) == 6 else "".join(digit * 2 for digit in value)) for name, value in found.items()}


def channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (one / 255 for one in channels(colour))]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def backgrounds(scheme: str) -> list[str]:
    known = tokens(SCHEMES[scheme])
    pairs = zip(channels(known["focus"]), channels(known["paper"]), strict=True)
    tinted = [round(over * TINT + under * (1 - TINT)) for over, under in pairs]
    return [*(known[name] for name in BELOW), "#" + "".join(f"{one:02x}" for one in tinted)]


FRAMEWORKS = list(load_guide(ROOT).catalog.framework.values())


@pytest.mark.parametrize(("framework", "scheme"), list(product(FRAMEWORKS, SCHEMES)), ids=lambda one: getattr(one, "id", one))
def test_a_badge_can_be_read(framework: Framework, scheme: str) -> None:
    colour = getattr(framework, scheme)
    faint = [f"{below}: {contrast(colour, below):.2f}" for below in backgrounds(scheme) if contrast(colour, below) < LEAST]
    assert not faint, f"{framework.id}: {colour} on {', '.join(faint)}"


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21 and round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_every_framework_has_a_rule_in_both_schemes() -> None:
    made = colour_rules(FRAMEWORKS)
    for one in FRAMEWORKS:
        rule = f'.md-typeset .fg-badge[data-fw="{one.id}"] {{ color: '
        assert f"\n{rule}{one.color}; }}" in made and f'[data-md-color-scheme="slate"] {rule}{one.color_dark}; }}' in made


def test_no_stylesheet_names_a_framework() -> None:
    for sheet in (ROOT / "overrides/assets/stylesheets").glob("*.css"):
        words = set(re.findall(r"[a-z]+", sheet.read_text(encoding="utf-8")))
        assert not words & {one.id for one in FRAMEWORKS}

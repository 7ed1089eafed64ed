"""The Content-Security-Policy of every page: what a browser may load, and which of the theme's inline scripts may run.

A static host sends no headers of ours, so the policy stands in the page, before anything that it governs.
"""

import base64
import hashlib
import re
from pathlib import Path

# Nothing from elsewhere, no inline style, no inline script but those named by their hash. `data:` is for the theme's icons.
SOURCES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",  # a form that a browser submits would put what was typed into a request
}
_INLINE = re.compile(r"<script(?![^>]*\ssrc=)(?![^>]*type=\"?application/)[^>]*>(.*?)</script>", re.DOTALL)
_INDENT, _LINE = re.compile(r"\n\s+"), "\n"
# A browser ends a paragraph by itself.
_END = re.compile(r"</p>\s*(?=<p>|</article>)")
_START = re.compile(r"<meta charset=\"?utf-8\"?\s*/?>", re.IGNORECASE)


class PolicyError(ValueError):
    """A page has no place for its policy."""


def inline_hashes(page: str) -> list[str]:
    """The sources that allow the inline scripts of a page, in order, each once.

    >>> inline_hashes('<script>var a</script><script src="b.js"></script><script type="application/json">{}</script>')
    ["'sha256-jWQ1+iQ9Wxok9DsvUqwcis7Ewkms07+pNFXRYkRddFs='"]
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE.findall(page))
    return list(dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))


def with_policy(page: str) -> str:
    """The page with its policy behind the declaration of its charset.

    Raises:
        PolicyError: it declares no charset.
    """
    sources = SOURCES | {"script-src": " ".join([SOURCES["script-src"], *inline_hashes(page)])}
    content = "; ".join(f"{name} {value}" for name, value in sources.items())
    tag = f'<meta http-equiv="Content-Security-Policy" content="{content}">'
    done, count = _START.subn(lambda found: found.group() + tag, page, count=1)
    if not count:
        raise PolicyError("no <meta charset>")
    return done


def without_indents(page: str) -> str:
    """The page without the spaces before the lines of its head, its menus and its foot; in between they may be those of code.

    >>> without_indents("<head>\\n  <title>\\n  <main>\\n  <pre>\\n  x</main>\\n  <footer>")
    '<head>\\n<title>\\n<main>\\n  <pre>\\n  x</main>\\n<footer>'
    """
    before, start, rest = page.partition("<main")
    inside, end, after = rest.rpartition("</main>")
    return f"{_INDENT.sub(_LINE, before)}{start}{inside}{end}{_INDENT.sub(_LINE, after)}"


def finished(page: str) -> str:
    """A page as it is served: with its policy, and without what a browser skips or adds.

    Raises:
        PolicyError: it declares no charset.
    """
    return with_policy(_END.sub("", without_indents(page)))


def write_policies(folder: Path) -> list[Path]:
    """Finish every page of the built site.

    Raises:
        PolicyError: with the page's path.
    """
    pages = sorted(folder.rglob("*.html"))
    for page in pages:
        try:
            page.write_text(finished(page.read_text(encoding="utf-8")), encoding="utf-8")
        except PolicyError as error:
            raise PolicyError(f"{page.relative_to(folder)}: {error}") from error
    return pages

"""One requirement as pip takes it: a name with versions, an address of git, a wheel."""

import re
from urllib.parse import unquote

from packaging.requirements import InvalidRequirement, Requirement

from fieldguide.runtime.doctor.vocabulary import Found, Vocabulary

_GIT = re.compile(r"(?:^|@\s*)git\+\w+://([^@\s#]+?)(?:@([^#\s]+))?(?:#\S*)?$")
_WHEEL = re.compile(r"([A-Za-z][\w.]*?)-(\d[^-]*)-(?:[^-]+-)?[^-]+-[^-]+-[^-]+\.whl")
_SOURCE = re.compile(r"([A-Za-z][\w.-]*?)-(\d[\w.+]*?)\.tar\.gz$")
# The part of a version that everybody writes alike: 0.17.1.dev0 of 0.17.1.dev0.gb31e9326a.
_PUBLIC = re.compile(r"\d+(?:\.\d+)*(?:\.?(?:post|rc|a|b)\d+)?(?:\.dev\d+)?")
_NAME = re.compile(r"[A-Za-z][\w.-]*")
# The machine that requirements with a condition are read for.
_MACHINE = {
    "sys_platform": "linux",
    "platform_machine": "x86_64",
    "platform_system": "Linux",
    "python_version": "3.12",
    "extra": "",
}


def requirement(text: str, vocabulary: Vocabulary, line: int) -> Found | None:
    """The package that a requirement names, if it is one that counts."""
    text = text.strip().strip("\"'")
    if git := _GIT.search(text):
        named = _NAME.match(text) if "@ " in text or " @" in text else None
        package = vocabulary.of_repository(git[1]) or (vocabulary.id_of(named[0]) if named else None)
        return Found(package, "", git[2] or "HEAD", line) if package else None
    if text.startswith(("http:", "https:", "file:", "/", "./")) or text.endswith((".whl", ".tar.gz")):
        return _archive(text, vocabulary, line)
    try:
        parsed = Requirement(text)
    except InvalidRequirement:
        return None
    package = vocabulary.id_of(parsed.name)
    if package is None or (parsed.marker and not parsed.marker.evaluate(_MACHINE)):
        return None
    if parsed.url:
        return requirement(parsed.url, vocabulary, line)
    return Found(package, str(parsed.specifier), line=line)


def _archive(text: str, vocabulary: Vocabulary, line: int) -> Found | None:
    name = unquote(text).partition("#")[0].rpartition("/")[2]
    match = _WHEEL.fullmatch(name) or _SOURCE.fullmatch(name)
    package = vocabulary.id_of(match[1]) if match else None
    version = _PUBLIC.match(match[2]) if match else None
    return Found(package, f"=={version[0]}", line=line) if version and package else None

"""The scripts of the site: each a module of `overrides/assets/javascripts` with all that it imports, as one classic script.

Pages that are opened from a folder load no modules, nor does every worker, and one file is there sooner than ten.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from rjsmin import jsmin

ASSETS = Path("assets")
MODULES = ASSETS / "javascripts"
# Address → the module that is run.
SCRIPTS: dict[str, Path] = {
    "search/worker.js": MODULES / "worker/search.js",
    "search/log-worker.js": MODULES / "worker/log.js",
    "search/run-worker.js": MODULES / "worker/run.js",
    **{
        f"assets/javascripts/{name}.js": MODULES / "ui" / file
        for name, file in {
            "search": "search.js",
            "site": "site.js",
            "about": "report.js",
            "calculate": "calculator/page.js",
            "diagnose": "diagnose.js",
            "doctor": "../doctor/page.js",
            "file-worker": "file-worker.js",
            "bugs": "bugs.js",
            "keys": "keys.js",
            "notfound": "notfound.js",
            "paste": "paste.js",
            "permalink": "permalink.js",
            "run": "run/page.js",
            "shell": "shell.js",
            "versions": "../doctor/log.js",
        }.items()
    },
}

_IMPORT = re.compile(r'^import (?:(\{[\w, ]+\}) from )?"(\.[^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.M)
_AGAIN = re.compile(r'^export (\{[\w, ]+\}) from "(\.[^"]+)";\n', re.M)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.M)


class ScriptError(ValueError):
    """A module that cannot be put into a script."""


def write_scripts(overrides: Path, site: Path) -> list[Path]:
    """Write every script of the site.

    Args:
        overrides: the theme folder that holds the modules.

    Returns:
        the files written.
    """
    written = []
    for address, module in SCRIPTS.items():
        file = site / address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(classic(overrides / module), encoding="utf-8")
        written.append(file)
    return written


def classic(module: Path) -> str:
    """A module and all that it imports, as a script that any page, worker or frame can load.

    Each module is a function that gives back what it exports, behind those that it imports; comments stay behind.

    Raises:
        ScriptError: a module imports itself by way of others, or imports or exports in a way that is not known here.
    """
    found: dict[Path, _Module] = {}
    _gather(module, found, ())
    return str(jsmin("\n".join(["(() => {", '"use strict";', *(one.text for one in found.values()), "})();"])))


@dataclass(frozen=True)
class _Module:
    """A module as a function, and the names that this gives back."""

    exports: frozenset[str]
    text: str


def _gather(module: Path, found: dict[Path, _Module], importers: tuple[Path, ...]) -> None:
    if module in importers:
        raise ScriptError(f"{module}: imports itself by way of {importers[-1]}")
    if module in found:
        return
    text = module.read_text(encoding="utf-8")
    for names, target in (*_IMPORT.findall(text), *_AGAIN.findall(text)):
        _gather(_target(module, target), found, (*importers, module))
        # What is not exported would be undefined, where modules that are loaded as they are fail.
        if missing := set(re.findall(r"\w+", names)) - found[_target(module, target)].exports:
            raise ScriptError(f"{module}: {target} exports no {', '.join(sorted(missing))}; an export needs its own line")
    found[module] = _as_function(module, text)


def _as_function(module: Path, text: str) -> _Module:
    again = [
        f"{name}: {_name(_target(module, target))}.{name}"
        for names, target in _AGAIN.findall(text)
        for name in re.findall(r"\w+", names)
    ]
    own = _EXPORT.findall(text)
    exports, text = ", ".join([*own, *again]), _AGAIN.sub("", text)
    body = _EXPORT.sub("", _IMPORT.sub(lambda m: f"const {m[1]} = {_name(_target(module, m[2]))};\n" if m[1] else "", text))
    if other := _OTHER.search(body):
        raise ScriptError(f"{module}: only `import {{ … }} from` and `export` before a declaration are known, not {other[0]!r}")
    names = frozenset([*own, *(one.partition(":")[0] for one in again)])
    return _Module(names, f"const {_name(module)} = (() => {{\n{body.strip()}\nreturn {{ {exports} }};\n}})();")


def _target(module: Path, target: str) -> Path:
    return Path(os.path.normpath(module.parent / target))


def _name(module: Path) -> str:
    """What a module is called in the script: its folder and its own name."""
    return re.sub(r"\W", "_", f"{module.parent.name}_{module.stem}")

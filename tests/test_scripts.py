"""Modules of the browser, put together into scripts that any page can load."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from fieldguide.site.scripts import SCRIPTS, ScriptError, classic, write_scripts
from tests.conftest import ROOT

PARTS = {
    "a/main.js": """/* Says it. */
import { NAME, Greeter } from "../b/greet.js";
import "../b/after.js";
said.push(new Greeter().greet(NAME));
""",
    "b/greet.js": """import { mark } from "./mark.js";
export const NAME = "you";
export class Greeter {
  greet(name) { return `Hi, ${name}` + mark(); }
}
""",
    "b/again.js": 'export { mark } from "./mark.js";\n',
    "b/after.js": 'import { mark } from "./again.js";\nsaid.push(mark());\n',
    "b/mark.js": 'const own = "!";\nsaid.push("once");\nexport function mark() { return own; }\n',
}


def written(folder: Path, parts: dict[str, str]) -> Path:
    """The first of the parts, all of them in files."""
    for name, text in parts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / next(iter(parts))


@pytest.mark.browser
def test_a_script_runs_each_module_once_behind_those_it_imports(browser: Browser, tmp_path: Path) -> None:
    script = classic(written(tmp_path, PARTS))
    assert "Says it" not in script
    page = browser.new_page()
    assert page.evaluate(f"() => {{ const said = []; {script}; return said; }}") == ["once", "!", "Hi, you!"]
    assert page.evaluate("typeof mark") == "undefined"
    page.close()


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    parts = {"a/one.js": 'import "./two.js";\n', "a/two.js": 'import "./one.js";\n'}
    with pytest.raises(ScriptError, match=r"one\.js: imports itself by way of .*two\.js"):
        classic(written(tmp_path, parts))


@pytest.mark.parametrize("line", ["export default 1;", 'import * as all from "./b.js";', 'export * from "./b.js";'])
def test_what_is_not_put_together_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(ScriptError, match=r"one\.js: only"):
        classic(written(tmp_path, {"a/one.js": f"{line}\n", "a/b.js": "export const a = 1;\n"}))


@pytest.mark.parametrize("export", ["const a = 1;", "export const b = 1, a = 2;"])
def test_an_import_of_what_is_not_exported_is_refused(tmp_path: Path, export: str) -> None:
    with pytest.raises(ScriptError, match=r"one\.js: \./b\.js exports no a;"):
        classic(written(tmp_path, {"a/one.js": 'import { a } from "./b.js";\n', "a/b.js": f"{export}\n"}))


def test_every_module_is_in_a_script(tmp_path: Path) -> None:
    """What no script needs is left over from something."""
    scripts = [file.read_text(encoding="utf-8") for file in write_scripts(ROOT / "overrides", tmp_path)]
    assert len(scripts) == len(SCRIPTS)
    for module in (ROOT / "overrides/assets/javascripts").rglob("*.js"):
        name = f"const {module.parent.name}_{module.stem.replace('-', '_')}="
        assert any(name in script for script in scripts), module

"""A model folder that is missing, half copied, too new, or without its Python files; a name the hub does not know."""

import http.server
import json
import os
import pickle
import subprocess
import sys
import threading
import traceback
from pathlib import Path


class Hub(http.server.BaseHTTPRequestHandler):
    """A model hub that has nothing."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["HF_ENDPOINT"] = f"http://127.0.0.1:{server.server_port}"

from transformers import AutoConfig  # noqa: E402  (reads HF_ENDPOINT)

ROOT = Path("models").resolve()


def model(name: str, config: str | None, code: str | None = None) -> str:
    """A folder with these files."""
    folder = ROOT / name
    folder.mkdir(parents=True)
    if config is not None:
        (folder / "config.json").write_text(config)
    if code is not None:
        (folder / "configuration_own.py").write_text(code)
    return str(folder)


OWN = json.dumps({"model_type": "own", "auto_map": {"AutoConfig": "configuration_own.OwnConfig"}})
CODE = "from transformers import PretrainedConfig\nclass OwnConfig(PretrainedConfig):\n    model_type = 'own'\n"

for name in (
    "/no/such/model",
    model("half-copied", '{"model_type": "qwe'),
    model("without-config", None),
    model("without-type", "{}"),
    model("from-tomorrow", '{"model_type": "tomorrow"}'),
    model("without-its-code", OWN),
    "organization/no-such-model",
):
    try:
        AutoConfig.from_pretrained(name, trust_remote_code=True)
    except (OSError, ValueError):
        traceback.print_exc()

# The configuration goes to a process that has not loaded the model: without any modules folder, and with another model's.
config = AutoConfig.from_pretrained(model("own", OWN, CODE), trust_remote_code=True)
Path("config.pickle").write_bytes(pickle.dumps(config))
other = (
    f"from transformers import AutoConfig; AutoConfig.from_pretrained({model('other', OWN, CODE)!r}, trust_remote_code=True); "
)
for before in ("", other):
    load = before + "import pickle; pickle.load(open('config.pickle', 'rb'))"
    subprocess.run([sys.executable, "-c", load], env={**os.environ, "HF_MODULES_CACHE": "elsewhere"}, check=False)

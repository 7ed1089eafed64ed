"""Requests to a server that is not there."""

import socket
import traceback

import requests

with socket.socket() as probe:  # a port on which nobody listens
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

for path in ("get_model_info", "model_info", "health_generate"):
    try:
        requests.get(f"http://127.0.0.1:{port}/{path}", timeout=5)
    except requests.ConnectionError:
        traceback.print_exc()

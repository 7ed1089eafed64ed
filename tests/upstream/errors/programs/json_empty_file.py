"""A JSON file that another process has begun to write."""

import json
from pathlib import Path

cache = Path("cache.json")
cache.touch()
json.loads(cache.read_text())

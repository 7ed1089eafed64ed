#!/usr/bin/env bash
# Compiles locks/*.txt from pyproject.toml: exact versions with hashes, no addresses.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v uv >/dev/null || { echo "lock: uv is needed (pip install uv)" >&2; exit 1; }
compile() {
  uv pip compile --quiet --universal --python-version 3.11.2 --generate-hashes --no-annotate --no-header \
    --no-emit-index-url --no-emit-find-links pyproject.toml "$@"
}
compile -o locks/site.txt
compile --extra pdf -c locks/site.txt -o locks/pdf.txt
compile --extra pdf --extra test -c locks/pdf.txt -o locks/test.txt
compile --extra pdf --extra test --extra bench -c locks/test.txt -o locks/bench.txt
compile --extra upkeep -c locks/bench.txt -o locks/upkeep.txt
compile --extra properdocs -c locks/site.txt -o locks/properdocs.txt
if grep -n '://' locks/*.txt; then echo "lock: an address got into a lock file" >&2; exit 1; fi

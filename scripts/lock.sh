#!/usr/bin/env bash
# Compiles locks/*.txt from pyproject.toml and tests/upstream/errors/sets/, and package-lock.json from package.json: exact
# versions with hashes, no addresses.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v uv >/dev/null || { echo "lock: uv is needed (pip install uv)" >&2; exit 1; }
compile() {
  uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links "$@"
}
project() { compile --python-version 3.11.2 pyproject.toml "$@"; }
project --extra site -o locks/site.txt
project --extra site --extra pdf -c locks/site.txt -o locks/pdf.txt
project --extra site --extra pdf --extra test -c locks/pdf.txt -o locks/test.txt
project --extra site --extra pdf --extra test --extra bench -c locks/test.txt -o locks/bench.txt
project --extra site --extra upkeep -c locks/bench.txt -o locks/upkeep.txt
project --extra site --extra properdocs -c locks/site.txt -o locks/properdocs.txt
project --extra wheel -c locks/test.txt -o locks/wheel.txt
project --extra publish -o locks/publish.txt
for set in tests/upstream/errors/sets/*.in; do
  python=$(sed -n '1s/^# python //p' "$set")
  compile --python-version "${python:-3.11}" "$set" -o "locks/upstream-$(basename "$set" .in).txt"
done
npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund --silent
# Who is to be given money is said with addresses, too; npm ci does without.
node -e '
  const fs = require("fs"), lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
  for (const one of Object.values(lock.packages)) delete one.funding;
  fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
'
if grep -n '://' locks/*.txt package-lock.json; then echo "lock: an address got into a lock file" >&2; exit 1; fi

#!/usr/bin/env bash
# Installs what checks the scripts of the browser into node_modules, from package-lock.json. The site needs none of it.
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=$(sed -n 's/.*"node": ">=\([0-9.]*\)".*/\1/p' package.json)
if ! command -v npm >/dev/null || ! node -e '
  const [own, wanted] = [process.versions.node, process.argv[1]].map((text) => text.split(".").map(Number));
  process.exit(own[0] > wanted[0] || (own[0] === wanted[0] && own[1] >= wanted[1]) ? 0 : 1);
' "$wanted"; then
  echo "setup: npm with Node.js $wanted or newer is needed to check the scripts of the browser, found $(node --version 2>/dev/null || echo none)." >&2
  echo "setup: macOS: brew install node; Debian 13, Ubuntu 25.10 and newer: apt-get install npm" >&2
  exit 1
fi
echo "setup: installing ESLint and TypeScript from package-lock.json" >&2
npm ci --silent --no-audit --no-fund
touch node_modules/lint.stamp

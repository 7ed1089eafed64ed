#!/usr/bin/env bash
# Sets up .venv, or the environment that VENV names, from a lock file, and what the system must have for it.
#   scripts/setup.sh site        what building and serving the site needs
#   scripts/setup.sh pdf         that, Typst and pikepdf; nothing from the system
#   scripts/setup.sh test        all that, the test tools, and a Chromium with a Chinese font
#   scripts/setup.sh bench       all that, and the search engines to compare with
#   scripts/setup.sh upkeep      what building the site needs, pip-audit and LinkChecker
#   scripts/setup.sh wheel       what compiling the guide and packing it for a node needs
#   scripts/setup.sh publish     what uploads that to the package index
#   scripts/setup.sh properdocs  what building the site needs, and ProperDocs
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-site}
venv=${VENV:-.venv}

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo "$@"; else return 1; fi
}

# Installs Debian/Ubuntu packages, or says what to install.
apt_install() {
  if command -v apt-get >/dev/null; then
    say "setup: installing $* with apt-get"
    if as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >/dev/null &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null; then
      return 0
    fi
    fail "need root to install packages; run: sudo apt-get install $*"
  fi
  return 1
}

find_python() {
  for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"; return 0
    fi
  done
  return 1
}

python=$(find_python) || {
  if ! command -v python3 >/dev/null && apt_install python3 python3-venv; then
    python=$(find_python) || fail "Python 3.11 or newer is needed, this system has $(python3 --version)"
  else
    fail "Python 3.11 or newer is needed, found $(python3 --version 2>&1 || echo none). macOS: brew install python@3.12; Debian 12, Ubuntu 24.04 and newer: apt-get install python3"
  fi
}

make_venv() { "$python" -m venv "$venv" >/dev/null 2>&1; }
if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
  rm -rf "$venv"
  make_venv || { rm -rf "$venv"; apt_install python3-venv && make_venv; } ||
    fail "cannot make a virtual environment with $python. macOS: brew install python@3.12"
fi

say "setup: installing Python packages from locks/$what.txt"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "locks/$what.txt" 2> >(grep -v 'is ignored: it is neither' >&2 || true)
case $what in wheel | publish) ;; *) touch "$venv/site.stamp" ;; esac # these two do without

if [ "$what" = test ] || [ "$what" = bench ]; then
  debian() { [ "$(. /etc/os-release 2>/dev/null; echo "${ID:-}")" = debian ]; }
  if debian && ! command -v chromium-headless-shell >/dev/null; then
    (apt_install chromium-headless-shell) || say "setup: no chromium-headless-shell; another Chromium takes longer"
  fi
  if ! "$venv/bin/python" -m tests.browser >/dev/null 2>&1; then
    case "$(uname -s)" in
      Darwin) fail "no Chrome or Chromium found. Run: brew install --cask google-chrome" ;;
      *)
        # libatomic1: for the Node.js inside Playwright.
        if debian; then
          apt_install chromium libatomic1
        else
          say "setup: fetching Chromium for the browser tests"
          apt_install libatomic1 || true
          as_root "$venv/bin/python" -m playwright install-deps chromium-headless-shell >/dev/null || true
          "$venv/bin/python" -m playwright install --only-shell chromium >/dev/null
        fi ;;
    esac
    "$venv/bin/python" -m tests.browser >/dev/null || fail "no Chromium that starts; install one, or set BROWSER to its path"
  fi
  if [ "$(uname -s)" = Linux ] && ! fc-list :lang=zh 2>/dev/null | grep -q .; then
    apt_install fonts-noto-cjk || say "setup: no Chinese font found; screenshots will show boxes"
  fi
  if [ "$(uname -s)" = Linux ] && ! command -v pdftotext >/dev/null; then
    apt_install poppler-utils || say "setup: no pdftotext; the test that reads the books with it is skipped"
  fi
  touch "$venv/pdf.stamp" "$venv/test.stamp" "$venv/wheel.stamp" # these kinds have their packages too
fi
touch "$venv/$what.stamp"

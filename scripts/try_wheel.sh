#!/usr/bin/env bash
# Installs the wheel of dist/ into an environment of its own and asks every command something.
#   scripts/try_wheel.sh [PYTHON]
#   WHEELS=folder  takes the dependencies from there, not from the package index
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"${1:-python3}" -m venv "$place/venv"
from=()
[ -z "${WHEELS:-}" ] || from=(--no-index --find-links "$WHEELS")
"$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "${from[@]}" dist/*.whl
cd "$place"
printf 'INFO slime\nRolloutManager\nAssertionError: batch_size 32 < chunks 64\n' > train.log
printf 'python3 -m verl.trainer.main_ppo data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=32\n' > run.sh

# asks EXIT-CODE TEXT ARGUMENT…: the command ends with the code and says the text, in at most half a second when all is warm.
asks() {
  local code=$1 text=$2 got=0 began
  shift 2
  began=$(date +%s%N)
  venv/bin/fieldguide "$@" > out 2>&1 < /dev/null || got=$?
  printf '%4d ms  fieldguide %s\n' $((($(date +%s%N) - began) / 1000000)) "$*"
  if [ "$got" != "$code" ] || ! grep -qF -- "$text" out; then
    printf 'try_wheel: exit code %s, wanted %s and "%s":\n' "$got" "$code" "$text" >&2
    cat out >&2
    exit 1
  fi
}
venv/bin/python --version
asks 0 roll-batch-size-chunks explain --lang en train.log
asks 1 "Please set at least one of" check --lang en run.sh
asks 3 "compared with each other" doctor --lang en
asks 0 "Default: 128" key --lang en --framework roll rollout_batch_size
asks 0 "## 出处" entry --lang zh roll-grad-accum
asks 0 roll-batch-size-chunks search --lang en batch_size 32 '<' chunks 64
asks 0 v0.7.1 bugs --lang en verl --release v0.7.1 lora
asks 3 "exit code 3" run --lang en -- sh -c 'exit 3'
asks 2 "rl-fieldguide[mcp]" mcp --lang en
asks 0 fieldguide --print-completion bash
asks 0 verl --version

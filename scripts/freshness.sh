#!/usr/bin/env bash
# Clone the frameworks into a folder, compare the catalog with them, keep one issue with the result.
#   scripts/freshness.sh FOLDER [PYTHON]      gh must be logged in to the repository of this checkout
set -euo pipefail
clones=$1
python=${2:-.venv/bin/python}
label=freshness
title="Upstream has changed since the guide was checked"

mkdir -p "$clones"
sed -n '/^libraries:/q; s/^ *repository: *//p' catalog/frameworks.yml | sort -u | while read -r repository; do
  folder="$clones/${repository/\//+}"
  # Full history and all tags: pins are commits of any age, and a moved file is followed from there.
  [ -d "$folder" ] || gh repo clone "$repository" "$folder" -- --quiet --no-checkout < /dev/null
done

report=$(mktemp)
trap 'rm -f "$report"' EXIT
changed=0
"$python" -m fieldguide verify "$clones" --markdown > "$report" || changed=$?
[ -s "$report" ] || exit 1 # the catalog itself has faults; they stand in the log
# Fixes of the last month that nobody has judged, for the bug ledger; they alone open no issue.
since=$(date -u -d "30 days ago" +%F 2>/dev/null || date -u -v-30d +%F)
if found=$("$python" -m fieldguide bug-candidates "$clones" --since "$since"); then
  printf '\n<details><summary>Fixes that the bug ledger may lack</summary>\n\n```text\n%s\n```\n\n</details>\n' "${found:0:9000}" >> "$report"
fi
cat "$report"

number=$(gh issue list --label "$label" --state open --limit 1 --json number --jq '.[0].number // empty')
if [ "$changed" -eq 0 ]; then
  [ -z "$number" ] || gh issue close "$number" --comment "Everything cited holds at the newest commits."
elif [ -n "$number" ]; then
  gh issue edit "$number" --title "$title" --body-file "$report"
else
  gh label create "$label" --description "Upstream moved on" --force
  gh issue create --title "$title" --label "$label" --body-file "$report"
fi

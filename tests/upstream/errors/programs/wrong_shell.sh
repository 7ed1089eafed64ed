# Lines for bash that sh, which is dash on Debian and Ubuntu, does not know.
sh -c 'set -eo pipefail; false | tee log.txt'
echo "exit status $?"
sh -c 'false | tee log.txt; exit ${PIPESTATUS[0]}'
echo "exit status $?"

#!/bin/sh
# The oracle: every strategy must reach the same outcomes and verdicts on random programs, and dfs those of the model.
#
#     run.sh [long] [option of compare ...]
#
# 2,000 programs; with `long` or HEDDLE_TEST_LONG 20,000 others, and the mutations of mutate.sh.  SEED sets the first
# seed, a seed being that of a binary of 100 programs.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
SEED=${SEED:-1}
dir=$BUILD/oracle
programs=2000
long=${HEDDLE_TEST_LONG:-}
if [ "${1:-}" = long ]; then
        long=1
        shift
fi
if [ -n "$long" ]; then
        programs=20000
        SEED=$((SEED + 1000))
fi

tests/oracle/build.sh "$dir"
status=0
"$dir/compare" --heddle "$HEDDLE" --generate "$dir/generate" --dir "$dir" --seed "$SEED" --programs "$programs" "$@" ||
        status=1
if [ -n "$long" ]; then
        HEDDLE=$HEDDLE BUILD=$BUILD tests/oracle/mutate.sh || status=1
fi
exit $status

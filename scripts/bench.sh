#!/bin/sh
# Measures speed, when there is something to measure with.
cd "$(dirname "$0")/.." || exit 3
bench=tests/bench/run.sh
[ -x "$bench" ] || { echo "there is no $bench" >&2; exit 2; }
HEDDLE=$PWD/${1:-build}/heddle
export HEDDLE
tests/bench/goals.sh && echo && "$bench" && echo && tests/bench/weak.sh && echo && tests/bench/points.sh && echo && tests/bench/search.sh && echo && tests/bench/mcr.sh && echo && tests/bench/static.sh && echo && tests/bench/loops.sh && echo && tests/bench/txn.sh && echo && tests/bench/cluster.sh || exit 1
# Real programs outside `check`, and what compiling them costs.
echo
HEDDLE_TEST_LONG=1 tests/packages/run.sh | grep -E '^(COST|FAIL|SKIP)'

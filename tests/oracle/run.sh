#!/bin/sh
# The oracle: every strategy must reach the same outcomes and verdicts on random programs, and dfs those of the model.
#
#     run.sh [long] [option of compare ...]       tests/amount.sh says how many
# Seconds: 300
set -eu
# shellcheck source=tests/amount.sh
. "$(dirname "$0")/../amount.sh"
dir=$BUILD/oracle

tests/oracle/build.sh "$dir"
status=0
"$dir/compare" --heddle "$HEDDLE" --generate "$dir/generate" --dir "$dir" --seed "$SEED" --programs "$programs" "$@" ||
        status=1
# A tenth of them about pthread_cancel, smaller ones.
"$dir/compare" --heddle "$HEDDLE" --generate "$dir/generate" --dir "$dir" --seed "$SEED" --mix cancel --limit 1500 \
        --programs $((programs / 10)) "$@" || status=1
# shellcheck disable=SC2086
HEDDLE=$HEDDLE BUILD=$BUILD tests/oracle/mutate.sh $mutations || status=1
exit $status

#!/bin/sh
# The oracle: every strategy must reach the same outcomes and verdicts on random programs, and dfs those of the model.
#
#     run.sh [long] [option of compare ...]       tests/amount.sh says how many
# Seconds: 105
set -eu
# shellcheck source=tests/amount.sh
. "$(dirname "$0")/../amount.sh"
dir=$BUILD/oracle

tests/oracle/build.sh "$dir"
status=0
compare() { # programs [option ...]
        n=$1
        shift
        "$dir/compare" --heddle "$HEDDLE" --generate "$dir/generate" --dir "$dir" --seed "$SEED" --programs "$n" \
                --per $((n < 30 ? n : 30)) "$@" || status=1
}

# A tenth of them each about pthread_cancel, about atomic sections with choices, and about what blocks are made of: smaller ones.
compare $((programs * 17 / 20)) "$@"
for mix in cancel sections blocks; do
        compare $((programs / 10)) --mix $mix --limit 1500 "$@"
done
[ -z "${HEDDLE_TEST_SHORT:-}" ] || exit $status
# The same outcomes where clang's ThreadSanitizer pass instruments: a heddle without the instrumenter builds the programs.
bare=$dir/bare/build
rm -rf "$dir/bare"
mkdir -p "$bare"
cp -r include "$dir/bare/"
for part in heddle libheddle-rt.so heddle.specs plain tsan assembler; do
        cp -a "$BUILD/$part" "$bare/"
done
compare $((programs / 50)) --build-with "$bare/heddle" "$@"
# shellcheck disable=SC2086
HEDDLE=$HEDDLE BUILD=$BUILD tests/oracle/mutate.sh $mutations || status=1
exit $status

#!/bin/sh
# Small programs, a directory each: NAME/NAME.c (or .cpp) and NAME/expect.  Arguments name the directories to run.
#
# expect has one "key value" a line; a line that begins with # is a comment.
#     source NAME             the program is that of another directory
#     flags, options, args    for the compiler, for heddle, for the program (what comes after --)
#     compiler gcc            this compiler, not the usual one
#     exit, verdict, kind, executions, failures, cut.assume ...
#                             what the report must say, by its path in the JSON report; kind is the first failure's,
#                             failures their number
#     outcome                 one line for each outcome of --observe; together exactly those of the report
#     message                 text that the output must contain
#     variant FLAGS           the same once more with these compiler flags added, and the same expectations
#     dfs yes                 also with --strategy dfs: exit, verdict, kind and outcomes must be the same
#     replay no, replay OPTIONS
#                             the failures' schedules are not replayed, or with these options
# In short runs every third program in C runs once, with optimal.  Without HEDDLE_TEST_LONG every third program also runs with
# dpor; all variants do.
# Seconds: 110
. "$(dirname "$0")/../programs/lib.sh"

# The values of a key of the expect file under test, one a line.
expected() {
        sed -n "s/^$1 //p" "$expect"
}

# run_one LABEL STRATEGY FLAGS
run_one() {
        label=$1
        strategy=$2
        # shellcheck disable=SC2086
        if build "$source" $3; then
                # shellcheck disable=SC2086
                heddle_check --strategy "$strategy" $options "$program" $args
                why=$(awk -F "$tab" -v status="$status" -v strategy="$strategy" -f "$here/compare.awk" \
                        "$expect" "$tmp/flat")
                message=$(expected message)
                [ -z "$message" ] || grep -qF -- "$message" "$tmp/err" "$tmp/json" ||
                        why="$why${why:+; }the output does not mention $message"
                # shellcheck disable=SC2086
                [ -n "$why" ] || [ "$replay" = no ] || replays $replay -- "$program" $args
        else
                why="the program cannot be built"
        fi
        if [ -z "$why" ]; then
                pass "$label"
        else
                fail "$label" "$why"
        fi
}

here=$root/tests/litmus
if [ "$1" != --row ]; then
        [ $# -gt 0 ] || set -- $(cd "$here" && find . -mindepth 1 -type d | sort |
                awk -v short="${HEDDLE_TEST_SHORT:-}" '!short || (NR % 3 == 1 && !/cxx_/)')
        rows "$@"
fi
name=$(basename "$2")
expect=$here/$name/expect
if [ ! -e "$expect" ]; then
        fail "$name" "there is no $expect"
        exit 0
fi
from=$(expected source)
from=${from:-$name}
source=$(ls "$here/$from/$from".c*)
options=$(expected options)
args=$(expected args)
replay=$(expected replay)
cc_flags=$(expected flags)
compiler=$(expected compiler)
[ -z "$compiler" ] || export HEDDLE_COMPILER="$compiler"
run_one "$name optimal" optimal "$cc_flags"
[ -z "${HEDDLE_TEST_SHORT:-}" ] || exit 0
[ -z "${HEDDLE_TEST_LONG:-}" ] && [ $((${#name} % 3)) != 0 ] || run_one "$name" dpor "$cc_flags"
expected variant >"$tmp/variants"
while read -r variant; do
        run_one "$name $variant" dpor "$cc_flags $variant"
done <"$tmp/variants"
if [ "$(expected dfs)" = yes ]; then
        run_one "$name dfs" dfs "$cc_flags"
fi
exit 0

#!/bin/sh
# Calls with an effect in common (pairs.def), each pair in threads of its own: optimal, also at the granularity of thread
# calls (of pairs that race: with preemption at races), has the outcomes of dfs, and these are of both orders.  Long runs have a third
# thread, too.  Arguments name pairs.
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/effects

outcomes() {
        awk -F "$tab" 'split($1, at, ".") == 4 && at[1] == "outcomes" && at[3] == "state" {
                all[at[2]] = all[at[2]] " " at[4] "=" $2
        } END { for (i in all) print all[i] }' "$tmp/flat" | sort
        echo "exit $status"
}

# run_one LABEL ARGUMENT...
run_one() {
        label=$1
        shift
        why=
        heddle_check --strategy dfs --time 20s --observe r0,r1 "$program" "$@"
        outcomes >"$tmp/dfs"
        complete=$status
        [ "$status" = 0 ] || [ "$status" = 4 ] || why="exit status $status"
        [ "$(field outcomes.1.executions)" ] || why="$why${why:+; }only one order was explored"
        [ $# = 1 ] || points=all
        for how in all "$points"; do
                heddle_check --strategy optimal --preempt "$how" --observe r0,r1 "$program" "$@"
                outcomes >"$tmp/optimal"
                if [ "$complete" = 0 ]; then
                        cmp -s "$tmp/dfs" "$tmp/optimal"
                else # dfs was stopped: what it has seen must be there
                        ! grep -v '^exit' "$tmp/dfs" | grep -vxFq -f "$tmp/optimal"
                fi || why="$why${why:+; }optimal --preempt $how has other outcomes than dfs"
        done
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}

if [ "$1" = --row ]; then
        program=$PAIRS
        number=$(($(grep -n "^$2\$" "$NAMES" | cut -d: -f1) - 1))
        points=sync
        grep -q "^RACY($2," "$here/pairs.def" && points=races
        run_one "$2" $number
        if [ -n "$HEDDLE_TEST_LONG" ]; then
                run_one "$2 with another user" $number 1
                grep -q "^UNIQUE($2," "$here/pairs.def" || run_one "$2 with another changer" $number 2
        fi
        exit 0
fi
NAMES=$tmp/names
PAIRS=$tmp/pairs
export NAMES PAIRS
sed -n 's/^[A-Z]*(\([a-z0-9_]*\),.*/\1/p' "$here/pairs.def" >"$NAMES"
if ! "$HEDDLE" cc -O0 -g -w -o "$PAIRS" "$here/pairs.c" 2>"$tmp/err"; then
        fail pairs "the program cannot be built"
        finish
fi
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cat "$NAMES")
rows "$@"

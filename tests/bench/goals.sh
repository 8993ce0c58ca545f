#!/bin/sh
# What an execution costs, in processor time of explorer and target: the best of ROUNDS runs (3), in turn where two are compared.
. "$(dirname "$0")/../programs/lib.sh"

ROUNDS=${ROUNDS:-3}
cc -O2 -o "$tmp/cost" "$root/tests/bench/cost.c" || exit 2

# took NAME OPTION...: microseconds of one exploration of the program NAME, if less than before, into $tmp/NAME.best.
took() {
        name=$1
        shift
        "$tmp/cost" "$tmp/us" "$HEDDLE" check --json "$tmp/$name.json" "$@" "$tmp/$name" </dev/null >/dev/null 2>"$tmp/err"
        cat "$tmp/us" >>"$tmp/$name.all"
        sort -n "$tmp/$name.all" | head -n 1 >"$tmp/$name.best"
}

# per_execution NAME: microseconds.
per_execution() {
        awk -f "$json_awk" <"$tmp/$1.json" | awk -v us="$(cat "$tmp/$1.best")" \
                '$1 == "executions" { printf "%.1f", us / $2 }'
}

# program NAME SOURCE FLAG...
program() {
        name=$1 source=$2
        shift 2
        "$HEDDLE" cc -g -O0 -pthread "$@" "$root/tests/$source" -o "$tmp/$name" 2>"$tmp/err" || fail "goals_$name" "does not build"
}

# row TEXT VALUE GOAL
row() {
        printf '%-44s %10s %10s\n' "$1" "$2" "$3"
}

# ratio A B: of the best times of two programs.
ratio() {
        awk -v a="$(cat "$tmp/$1.best")" -v b="$(cat "$tmp/$2.best")" 'BEGIN { printf "%.2f", a / b }'
}

row 'what an execution costs' now goal
program fib_6 programs/fib.c -DN=6
program mutex_4x3 programs/mutex_counter.c -DN=4 -DK=3
program readers_14 programs/readers.c -DN=14
program late bench/late.c -DEVENTS=10000
program small bench/late.c
program large bench/late.c -DSTATIC=8388608
program phases bench/phases.c -O2
program auto programs/fib.c -DN=5
cp "$tmp/auto" "$tmp/optimal"
round=0
while [ $((round += 1)) -le "$ROUNDS" ]; do
        for name in fib_6 mutex_4x3 readers_14; do
                took $name --strategy optimal --executions 20000
        done
        took late --strategy optimal --executions 1000
        for name in small large; do
                took $name --strategy optimal --executions 5000
        done
        took phases --strategy optimal --executions 300
        took auto --strategy auto
        took optimal --strategy optimal
done
row 'fib(6), us' "$(per_execution fib_6)" 5
row 'mutex(4x3), us' "$(per_execution mutex_4x3)" 6
row 'readers(14), us' "$(per_execution readers_14)" 10
row '10,000 events that branch late, us' "$(per_execution late)" 100
row 'phases of 64 points, us' "$(per_execution phases)" 5000
row '8 MiB of static data, times 64 bytes' "$(ratio large small)" 1.5
row 'auto, times optimal' "$(ratio auto optimal)" 1.1
[ "$failed" -eq 0 ]

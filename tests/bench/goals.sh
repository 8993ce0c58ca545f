#!/bin/sh
# What an execution costs, in processor time of explorer and target: the best of ROUNDS runs (3), in turn where two are compared; each
# figure beside its goal, and what part of the goal it is (1 or less: reached).  Two rows need an idle machine: --jobs and the memory.
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

# row TEXT VALUE GOAL [least]: the ratio is below 1 where the goal is reached; least: the goal is a lower bound.
row() {
        ratio=$(awk -v v="$2" -v g="$3" -v least="${4:-}" 'BEGIN { if (v + 0 > 0 && g > 0) printf "%.2f", least ? g / v : v / g }')
        printf '%-52s %8s %8s %8s\n' "$1" "$3" "$2" "$ratio"
}

# seconds_of NAME OPTION...: by the clock, of one exploration.
seconds_of() {
        name=$1
        shift
        "$HEDDLE" check --json "$tmp/wall.json" "$@" "$tmp/$name" </dev/null >/dev/null 2>"$tmp/err"
        awk -f "$json_awk" <"$tmp/wall.json" | awk '$1 == "seconds" { print $2 }'
}

# The peak of the explorer alone, in MB.
memory_of() {
        "$HEDDLE" check --strategy optimal --executions 100000 "$tmp/$1" </dev/null >/dev/null 2>&1 &
        kib=0
        while kill -0 $! 2>/dev/null; do
                now=$(sed -n 's/^VmHWM:[ \t]*\([0-9]*\).*/\1/p' "/proc/$!/status" 2>/dev/null)
                [ "${now:-0}" -gt "$kib" ] && kib=$now
                sleep 0.05
        done
        wait $!
        echo $((kib / 1024))
}

# Four processes that compute, on one core with explorer and target: how much one of them gets meanwhile, for what those two take.
crowded() {
        pids=
        for i in 1 2 3 4; do
                taskset -c 0 sh -c 'while :; do :; done' &
                pids="$pids $!"
        done
        before=$(awk '{ print $14 + $15 }' "/proc/$!/stat")
        taskset -c 0 "$tmp/cost" "$tmp/us" "$HEDDLE" check --strategy optimal --executions 20000 "$tmp/$1" </dev/null >/dev/null 2>&1
        after=$(awk '{ print $14 + $15 }' "/proc/$!/stat")
        # shellcheck disable=SC2086
        kill $pids
        # shellcheck disable=SC2086
        wait $pids 2>/dev/null
        awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" -v us="$(cat "$tmp/us")" \
                'BEGIN { printf "%.2f", ticks / hz / us * 1e6 }'
}

# ratio A B: of the best times of two programs.
ratio() {
        awk -v a="$(cat "$tmp/$1.best")" -v b="$(cat "$tmp/$2.best")" 'BEGIN { printf "%.2f", a / b }'
}

printf '%-52s %8s %8s %8s\n' 'what an execution costs' goal today ratio
program fib_6 programs/fib.c -DN=6
program mutex_4x3 programs/mutex_counter.c -DN=4 -DK=3
program readers_14 programs/readers.c -DN=14
program late bench/late.c -DEVENTS=10000
program small bench/late.c
program large bench/late.c -DSTATIC=8388608
program phases bench/phases.c -O2
program auto programs/fib.c -DN=5
cp "$tmp/auto" "$tmp/optimal"
program sync programs/indexer.c -DN=14
program sync_philosophers programs/philosophers.c -DN=9
for name in sync sync_philosophers; do
        cp "$tmp/$name" "$tmp/all_$name"
done
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
        for name in sync sync_philosophers; do
                took $name --strategy optimal --preempt sync
                took "all_$name" --strategy optimal --preempt all
        done
done
row 'fib(6), us' "$(per_execution fib_6)" 5
row 'mutex(4x3), us' "$(per_execution mutex_4x3)" 6
row 'readers(14), us' "$(per_execution readers_14)" 10
row '10,000 events that branch late, us' "$(per_execution late)" 100
row 'phases of 64 points, us' "$(per_execution phases)" 5000
row '8 MiB of static data, times 64 bytes' "$(ratio large small)" 1.5
row 'auto, times optimal' "$(ratio auto optimal)" 1.1
row '--preempt sync, times all: indexer(14)' "$(ratio sync all_sync)" 1
row '--preempt sync, times all: philosophers(9)' "$(ratio sync_philosophers all_sync_philosophers)" 1
row 'beside four processes on its core, times its share' "$(crowded fib_6)" 2.5
one=$(seconds_of fib_6 --strategy optimal)
two=$(seconds_of fib_6 --strategy optimal --jobs 2)
row '--jobs 2, times as fast' "$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.2f", a / b }')" 1.9 least
row 'memory of the explorer, MB' "$(memory_of mutex_4x3)" 32
[ "$failed" -eq 0 ]

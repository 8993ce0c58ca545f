#!/bin/sh
# How soon prediction meets the bugs of tests/bugs and of tests/predict/larger: executions to the failure, the median of SEEDS seeds
# (11), beside random, pct and deepen; "-": not in 3000 executions.  Then how long the analysis of an execution of a server with a
# million events takes, and its memory.  Arguments name the programs.
. "$(dirname "$0")/../programs/lib.sh"
SEEDS=${SEEDS:-11}
wanted=" $* "

median() { # STRATEGY SEEDS: of $program
        for seed in $(seq 1 "$2"); do
                heddle_check --strategy "$1" --seed "$seed" --executions 3000 --minimize never "$program"
                first=$(field failures.0.execution)
                echo "${first:-99999}"
        done | sort -n | awk '{ at[NR] = $1 } END { m = at[int((NR + 1) / 2)]; print m == 99999 ? "-" : m }'
}

printf '%-20s %8s %8s %8s %8s\n' "executions to a bug" predict random pct deepen
for source in "$root"/tests/bugs/*.c "$root"/tests/predict/larger/*.c; do
        name=$(basename "$source" .c)
        [ "$name" != locks ] || continue
        case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
        build "$source" || { fail "$name" "does not build" && continue; }
        printf '%-20s %8s %8s %8s %8s\n' "$name" "$(median predict "$SEEDS")" "$(median random "$SEEDS")" \
                "$(median pct "$SEEDS")" "$(median deepen 1)"
done
# The most memory that heddle takes for $program, in MiB, in $memory; the rest is as after heddle_check.
measure() {
        "$HEDDLE" check --strategy predict --executions 1 --json "$tmp/json" "$program" >"$tmp/err" 2>&1 &
        memory=0
        while kill -0 $! 2>/dev/null; do
                now=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$!/status" 2>/dev/null)
                [ "${now:-0}" -le "$memory" ] || memory=$now
                sleep 0.1
        done
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat"
}

case $wanted in
'  ' | *' server '*)
        build "$root/tests/predict/server.c" || fail server "does not build"
        measure
        printf '\n%-20s %8s %8s %8s\n' "one execution" events seconds MiB
        printf '%-20s %8s %8s %8s\n' server "$(field events)" "$(field seconds)" "$memory"
        ;;
esac
[ "$failed" -eq 0 ]

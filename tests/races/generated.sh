#!/bin/sh
# Races under each memory model on random programs of tests/memory: dpor and optimal must tell the same races as dfs, with
# the same verdicts, and one another's number of executions; tso and pso must tell all that sc tells.
. "$(dirname "$0")/../programs/lib.sh"
BUILD=${BUILD:-$root/build}
PROGRAMS=${PROGRAMS:-20}
SEED=${SEED:-41}

"$root/tests/memory/build.sh" "$BUILD/memory" || fail races_generated "the model cannot be built"
"$BUILD/memory/model" generate "$SEED" "$PROGRAMS" >"$tmp/programs" && "$BUILD/memory/model" emit "$tmp/programs" >"$tmp/generated.c" &&
        "$HEDDLE" cc -g -O0 -w -pthread -fno-strict-aliasing "$tmp/generated.c" -o "$tmp/generated" || fail races_generated "does not build"

# The races of the last report: line and kind of both accesses, verdict, executions.
races() {
        awk -F "$tab" '$1 ~ /^races\.[0-9]+\./ {
                split($1, path, ".")
                n = path[2] + 1 > n ? path[2] + 1 : n
                value[$1] = $2
        } END {
                for (i = 0; i < n; i++) {
                        for (k = 0; k < 2; k++)
                                side[k] = value["races." i ".accesses." k ".where.line"] " " value["races." i ".accesses." k ".kind"]
                        pair = side[0] < side[1] ? side[0] ", " side[1] : side[1] ", " side[0]
                        print pair ": " value["races." i ".verdict"] " " value["races." i ".count"]
                }
        }' "$tmp/flat" | sort
}

# differ FILE FILE: but for executions?
differ() {
        sed 's/ [0-9]*$//' "$1" >"$tmp/a"
        sed 's/ [0-9]*$//' "$2" >"$tmp/b"
        ! cmp -s "$tmp/a" "$tmp/b"
}

for memory in sc tso pso; do
        wrong= compared=0 seen=0 i=0
        while [ $i -lt "$PROGRAMS" ]; do
                set -- --memory "$memory" --time 5s "$tmp/generated" $i
                heddle_check --strategy optimal --executions 400 "$@"
                optimal=$(field complete)
                races >"$tmp/optimal"
                [ "$optimal" = true ] && heddle_check --strategy dfs --executions 30000 "$@"
                if [ "$optimal" = true ] && [ "$(field complete)" = true ]; then
                        races >"$tmp/dfs"
                        differ "$tmp/dfs" "$tmp/optimal" && wrong="$wrong optimal:$i"
                        heddle_check --strategy dpor "$@"
                        races >"$tmp/dpor"
                        cmp -s "$tmp/optimal" "$tmp/dpor" || wrong="$wrong dpor:$i"
                        sed 's/:.*//' "$tmp/dfs" >"$tmp/$memory.$i"
                        if [ $memory != sc ] && [ -f "$tmp/sc.$i" ]; then
                                [ -z "$(comm -23 "$tmp/sc.$i" "$tmp/$memory.$i")" ] || wrong="$wrong fewer-than-sc:$i"
                        fi
                        compared=$((compared + 1))
                        seen=$((seen + $(wc -l <"$tmp/dfs")))
                fi
                i=$((i + 1))
        done
        if [ -z "$wrong" ] && [ $((compared * 2)) -gt "$PROGRAMS" ]; then
                pass "races_generated $memory programs=$compared races=$seen"
        else
                fail "races_generated $memory" "programs that differ:$wrong of $compared"
        fi
done
finish

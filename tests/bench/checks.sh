#!/bin/sh
# What the checks of the heap, of leaks and of data races cost: processor seconds of an exploration with one of them on,
# beside the same with all off, as ratios of medians of five runs in turn.
. "$(dirname "$0")/../programs/lib.sh"

off='--heap-checks off --leaks off --races off'

# seconds OPTION...: of one exploration, explorer and target.
seconds() {
        (
                "$HEDDLE" check --strategy optimal --executions 20000 "$@" "$tmp/program" </dev/null >/dev/null 2>&1
                times
        ) | awk 'NR == 2 { split($1 $2, t, /[ms]/); print t[1] * 60 + t[2] + t[3] * 60 + t[4] }'
}

median() {
        sort -n "$1" | sed -n 3p
}

printf '%-16s %10s %12s %10s %10s %10s\n' 'checks' executions 'none, s' heap leaks races
while read -r name source flags; do
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -pthread $flags "$root/$source" -o "$tmp/program" 2>"$tmp/err" || {
                fail "checks_$name" "$(head -n 1 "$tmp/err")"
                continue
        }
        rm -f "$tmp"/took.*
        for round in 1 2 3 4 5; do
                # shellcheck disable=SC2086
                seconds $off >>"$tmp/took.none"
                seconds --leaks off --races off >>"$tmp/took.heap"
                seconds --heap-checks off --races off >>"$tmp/took.leaks"
                seconds --heap-checks off --leaks off >>"$tmp/took.races"
        done
        none=$(median "$tmp/took.none")
        # shellcheck disable=SC2086
        executions=$("$HEDDLE" check --strategy optimal --executions 20000 --json - $off "$tmp/program" </dev/null |
                sed -n 's/^  "executions": \(.*\),$/\1/p')
        printf '%-16s %10s %12s' "$name" "$executions" "$none"
        for what in heap leaks races; do
                printf ' %10s' "$(echo "$(median "$tmp/took.$what") $none" | awk '{ printf "%.2f", $1 / $2 }')"
        done
        echo
done <<END
heap_list tests/bench/list.c
lastzero_14 tests/programs/lastzero.c -DN=14
counter_7 tests/programs/plain_inc.c -DK=7
END

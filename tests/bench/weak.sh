#!/bin/sh
# The price of --memory tso and pso where it buys nothing: programs without racy accesses have as many executions as under
# sc, and processor time for one execution should be at most 1.3 times as much.  Models in turn, ROUNDS times (5); the
# least of each counts.  A timing never decides anything: the exit status is non-zero only when counts differ.
. "$(dirname "$0")/../programs/lib.sh"

ROUNDS=${ROUNDS:-5}
LEAST=${LEAST:-20000} # executions that one figure is taken from, if there are so many

# per_run MEMORY: nanoseconds of processor time for each run of $program, into $ns; executions into $executions.
per_run() {
        before=$(awk '{ print $16 + $17 }' "/proc/$$/stat")
        "$HEDDLE" check --strategy dpor --memory "$1" --executions "$LEAST" --json - "$program" </dev/null >"$tmp/json" \
                2>"$tmp/err"
        after=$(awk '{ print $16 + $17 }' "/proc/$$/stat")
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>/dev/null
        executions=$(field executions)
        ns=$(awk -v c="$((after - before))" -v t="$(getconf CLK_TCK)" -v e="$executions" -v b="$(field blocked)" \
                'BEGIN { printf "%.0f", e + b ? c / t * 1e9 / (e + b) : 0 }')
}

memories=$("$root/tests/memory/memories.sh" "$HEDDLE" | tr , ' ')
printf '%-34s %10s %10s %10s %10s %8s %8s\n' 'weak memory, no races' executions 'sc ns' 'tso ns' 'pso ns' tso/sc pso/sc
while read -r file flags; do
        # shellcheck disable=SC2086
        build "$root/tests/programs/$file" $flags || continue
        : >"$tmp/figures"
        for _ in $(seq "$ROUNDS"); do
                for memory in $memories; do
                        per_run "$memory"
                        echo "$memory $ns $executions" >>"$tmp/figures"
                done
        done
        awk -v name="${file%.c} $flags" '{
                if (!($1 in least) || $2 < least[$1])
                        least[$1] = $2
                if (n == "")
                        n = $3
                if ($3 != n)
                        wrong = $1 " has " $3 " executions"
        } END {
                printf "%-34s %10s %10s %10s %10s %8.2f %8.2f %s\n", name, n, least["sc"], least["tso"], least["pso"],
                       least["tso"] / least["sc"], least["pso"] / least["sc"], wrong
                exit wrong != ""
        }' "$tmp/figures" || failed=1
done <<EOF
mutex_counter.c -DN=3 -DK=4
mutex_counter.c -DN=2 -DK=8
philosophers.c -DN=14
philosophers_waiter.c -DN=8
producer_consumer_slots.c -DROUNDS=6
rwlock.c -DN=14
account.c -DN=4
EOF
[ "$failed" -eq 0 ]

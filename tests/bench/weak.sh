#!/bin/sh
# The price of --memory tso and pso where it buys nothing: programs without racy accesses have as many executions as under
# sc, and processor time for one execution should be at most 1.3 times as much.  Models in turn, ROUNDS times (3); the
# least of each counts.  A timing never decides anything: the exit status is non-zero only when counts differ.
#
# Then figure 3.9 of the thesis on MCR beside its tables 3.2 and 3.4; tests/memory/README.md says why they differ.
. "$(dirname "$0")/../programs/lib.sh"

ROUNDS=${ROUNDS:-3}
LEAST=${LEAST:-10000} # executions that one figure is taken from, if there are so many

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
: >"$tmp/ratios"
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
                print least["tso"] / least["sc"], least["pso"] / least["sc"] >>ratios
                exit wrong != ""
        }' ratios="$tmp/ratios" "$tmp/figures" || failed=1
done <<EOF
mutex_counter.c -DN=3 -DK=4
mutex_counter.c -DN=2 -DK=8
philosophers.c -DN=14
philosophers_waiter.c -DN=8
producer_consumer_slots.c -DROUNDS=6
rwlock.c -DN=14
account.c -DN=4
EOF
awk '{ tso += log($1); pso += log($2); if ($1 > most) most = $1 } END {
        printf "%-78s %8.2f %8.2f\n", "geometric mean (tso: at most 1.3 wanted)", exp(tso / NR), exp(pso / NR)
        printf "%-78s %8.2f\n", "most", most }' "$tmp/ratios"

# executions MEMORY OPTION...: of $program, or "-" when there are more than can be waited for.
executions() {
        "$HEDDLE" check --memory "$@" --executions 30000 --json - "$program" </dev/null >"$tmp/json" 2>"$tmp/err"
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>/dev/null
        case $(field complete) in true) field executions ;; *) echo - ;; esac
}
echo
printf '%-12s %-34s %-34s %-26s %s\n' 'figure 3.9' 'thesis, DPOR: sc, tso' 'thesis, MCR: sc, tso, pso' 'all: sc, tso, pso' \
        '--keep-going: sc, tso, pso'
while IFS='|' read -r n dpor mcr; do
        build "$root/tests/memory/litmus/figure_3_9.c" -DN="$n" -DGO_ON
        all=
        for memory in $memories; do
                all="$all${all:+, }$(executions "$memory" --strategy optimal)"
        done
        build "$root/tests/memory/litmus/figure_3_9.c" -DN="$n"
        going=
        for memory in $memories; do
                going="$going${going:+, }$(executions "$memory" --strategy optimal --keep-going)"
        done
        printf '%-12s %-34s %-34s %-26s %s\n' "N = $n" "$dpor" "$mcr" "$all" "$going"
done <<EOF
1|4, 4|2, 2, 10
2|105, 105|43, 43, 89
3|4282, 4282|296, 296, 819
EOF
[ "$failed" -eq 0 ]

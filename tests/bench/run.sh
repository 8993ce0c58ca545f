#!/bin/sh
# How fast executions are: each row of programs.tsv explored to its end, beside the same with --isolate fork for the
# first FORKED executions (2000), and beside the published times of other tools where there are some.  A timing never
# decides anything: the exit status is non-zero only when a program could not be explored.  Arguments name the rows.
#
# mem is the peak of the explorer and its target together, measured ten times a second.
. "$(dirname "$0")/../programs/lib.sh"

FORKED=${FORKED:-2000}
wanted=" $* "

# Peak memory of process $1 and its children, in KiB.
peak_of() {
        total=0
        for pid in "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
                kib=$(sed -n 's/^VmHWM:[ \t]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null)
                total=$((total + ${kib:-0}))
        done
        echo "$total"
}

# explore ARGUMENT...: heddle_check with an eye on memory; the peak in MiB is left in $peak.
explore() {
        kib=0
        "$HEDDLE" "$@" </dev/null >"$tmp/json" 2>"$tmp/err" &
        explorer=$!
        while kill -0 "$explorer" 2>/dev/null; do
                now=$(peak_of "$explorer")
                [ "$now" -gt "$kib" ] && kib=$now
                sleep 0.1
        done
        wait "$explorer"
        status=$?
        peak=$(((kib + 1023) / 1024))
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
}

format='%-22s %10s %8s %8s %12s %8s %12s %6s %8s %10s\n'
# shellcheck disable=SC2059
printf "$format" program executions blocked seconds executions/s 'mem MiB' 'forked ex/s' ratio 'GenMC s' 'Nidhugg s'
while IFS=$tab read -r name source flags genmc nidhugg; do
        case $name in
        '' | '#'*) continue ;;
        esac
        case $wanted in
        '  ' | *" $name "*) ;;
        *) continue ;;
        esac
        # shellcheck disable=SC2086
        if ! "$HEDDLE" cc -g -O0 -pthread $flags "$root/tests/programs/$source" -o "$tmp/program" 2>"$tmp/err"; then
                fail "$name" "does not build"
                continue
        fi
        explore check --strategy dpor --isolate snapshot --json - "$tmp/program"
        executions=$(field executions)
        blocked=$(field blocked)
        seconds=$(field seconds)
        rate=$(field per_second)
        memory=$peak
        if [ "$status" -ne 0 ]; then
                fail "$name" "exit status $status"
                continue
        fi
        explore check --strategy dpor --isolate fork --executions "$FORKED" --json - "$tmp/program"
        forked=$(field per_second)
        awk -v format="$format" -v n="$name" -v e="$executions" -v b="$blocked" -v s="$seconds" -v r="$rate" \
            -v m="$memory" -v f="$forked" -v g="$genmc" -v d="$nidhugg" 'BEGIN {
                printf format, n, e, b, sprintf("%.3f", s), sprintf("%.0f", r), m, sprintf("%.0f", f),
                       (f > 0 ? sprintf("%.0f", r / f) : "-"), g, d
        }'
done <"$root/tests/bench/programs.tsv"
# optimal beside dpor: processor time for one run, redundant ones included; no more than 1.5 times.
per_run() { # STRATEGY: microseconds for each run of $tmp/program, into $us; events for each into $events
        before=$(awk '{ print $16 + $17 }' "/proc/$$/stat")
        "$HEDDLE" check --strategy "$1" --executions 20000 --json - "$tmp/program" </dev/null >"$tmp/json" 2>"$tmp/err"
        after=$(awk '{ print $16 + $17 }' "/proc/$$/stat")
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>/dev/null
        us=$(awk -v c="$((after - before))" -v t="$(getconf CLK_TCK)" -v e="$(field executions)" -v b="$(field blocked)" \
                'BEGIN { print c / t * 1e6 / (e + b) }')
        events=$(awk -v e="$(field executions)" -v b="$(field blocked)" -v n="$(field events)" 'BEGIN { print n / (e + b) }')
}
printf '\n%-22s %12s %12s %12s %8s %14s\n' 'cost of a run' events 'dpor us' 'optimal us' times 'us for an event'
for row in 'mutex_counter.c -DN=4 -DK=3' 'fib.c -DN=5' 'readers.c -DN=12' 'lastzero.c -DN=10' 'plain_inc.c -DK=8' \
        'plain_inc.c -DK=32' 'plain_inc.c -DK=128' 'plain_inc.c -DK=512'; do
        source=${row%% *}
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -pthread ${row#* } "$root/tests/programs/$source" -o "$tmp/program" 2>"$tmp/err" || continue
        per_run dpor
        first=$us
        per_run optimal
        awk -v n="${source%.c} ${row#* }" -v a="$first" -v b="$us" -v e="$events" 'BEGIN {
                printf "%-22s %12.0f %12.1f %12.1f %8.2f %14.3f\n", n, e, a, b, b / a, b / e }'
done
# One exploration shared by two processes.
printf '\n%-22s %10s %10s %10s %8s\n' 'two explorers' executions '1 job s' '2 jobs s' times
while IFS=$tab read -r name source flags strategy; do
        case $wanted in
        '  ' | *" $name "*) ;;
        *) continue ;;
        esac
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -pthread $flags "$root/tests/programs/$source" -o "$tmp/program" 2>"$tmp/err" || continue
        explore check --strategy "$strategy" --json - "$tmp/program"
        executions=$(field executions)
        one=$(field seconds)
        explore check --strategy "$strategy" --jobs 2 --json - "$tmp/program"
        if [ "$executions" != "$(field executions)" ]; then
                fail "jobs_$name" "$(field executions) executions, not $executions"
                continue
        fi
        awk -v n="$name" -v e="$executions" -v a="$one" -v b="$(field seconds)" 'BEGIN {
                printf "%-22s %10s %10.3f %10.3f %8.2f\n", n, e, a, b, a / b
        }'
done <<EOF
account_5${tab}account.c${tab}-DN=5${tab}optimal
mutex_counter_4x3${tab}mutex_counter.c${tab}-DN=4 -DK=3${tab}optimal
lastzero_13${tab}lastzero.c${tab}-DN=13${tab}dpor
philosophers_14${tab}philosophers.c${tab}-DN=14${tab}dpor
EOF
# The programs of the thesis on SCALE: our runs, redundant ones included, beside those of its tables; SCALE* is without
# super steps; dpor, super-step and seen are filters.  A number in brackets is where the search was stopped.
ours() { # strategy option...
        explore check --time "${SCALE_TIME:-60s}" --json - --strategy "$@" "$tmp/program"
        runs=$(($(field executions) + $(field blocked)))
        [ "$(field complete)" = true ] || runs="($runs)"
        echo "$runs"
}
scale_format='%-16s %8s %8s %10s %10s %10s %10s %10s %10s\n'
# shellcheck disable=SC2059
printf "\n$scale_format" runs optimal dpor 'super-step' SCALE seen 'SCALE*' Inspect 'CHESS(2)'
while IFS=$tab read -r name source flags scale star inspect chess; do
        case $name in
        '' | '#'*) continue ;;
        esac
        case $wanted in
        '  ' | *" $name "*) ;;
        *) continue ;;
        esac
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -pthread $flags "$root/tests/scale/$source" -o "$tmp/program" 2>"$tmp/err" || continue
        # shellcheck disable=SC2059
        printf "$scale_format" "$name" "$(ours optimal)" "$(ours filters --filters dpor)" \
                "$(ours filters --filters seen,super-step)" "$scale" "$(ours filters)" \
                "$star" "$inspect" "$chess"
done <"$root/tests/bench/scale.tsv"
# Figures 6.1 and 6.3 of the same thesis (which are plots): runs to the first counterexample in its queue of N elements,
# by order, with the two seeds used there, and with dpor as a filter, by two orders (depth-first is as optimal); and runs to
# explore the queue of two with all failures, by filters.  Its figure 6.2, the cost of a run by its length, is the table of
# costs above.
first() { # strategy option...
        explore check --time "${SCALE_TIME:-60s}" --json - --strategy "$@" "$tmp/program"
        if [ "$status" = 1 ]; then echo $(($(field executions) + $(field blocked) + $(field probes))); else echo -; fi
}
if [ "$wanted" = '  ' ]; then
        printf '\n%-16s %12s %12s %12s %12s %10s %10s %10s %10s\n' 'first failure' depth-first super-step 'random 54' 'random 29' \
                'dpor few' 'dpor broad' optimal auto
        for n in 2 3 4 5 6 7 8 9 10; do
                "$HEDDLE" cc -g -O0 -pthread -DN=$n "$root/tests/scale/lost_element.c" -o "$tmp/program" 2>"$tmp/err" || continue
                printf '%-16s %12s %12s %12s %12s %10s %10s %10s %10s\n' "lost_element_$n" "$(first filters)" \
                        "$(first filters --filters seen,super-step)" "$(first filters --order random --seed 54)" \
                        "$(first filters --order random --seed 29)" \
                        "$(first filters --filters dpor --order fewest-preemptions)" \
                        "$(first filters --filters dpor --order breadth-first)" "$(first optimal)" "$(first auto)"
        done
        "$HEDDLE" cc -g -O0 -pthread -DN=2 "$root/tests/scale/lost_element.c" -o "$tmp/program" 2>"$tmp/err"
        printf '\n%-16s %12s %12s %12s %12s %12s\n' 'all failures' super-step seen both dpor optimal
        printf '%-16s %12s %12s %12s %12s %12s\n' lost_element_2 "$(ours filters --filters super-step --keep-going)" \
                "$(ours filters --keep-going)" "$(ours filters --filters seen,super-step --keep-going)" \
                "$(ours filters --filters dpor --keep-going)" "$(ours optimal --keep-going)"
fi
# What checks cost, McMini's programs, prediction, and what recording costs, unless rows were named.
if [ "$wanted" = '  ' ]; then
        echo
        "$root/tests/bench/checks.sh" || failed=1
        echo
        "$root/tests/bench/mcmini.sh" || failed=1
        echo
        "$root/tests/bench/predict.sh" || failed=1
        echo
        "$root/tests/record/cost.sh" || failed=1
fi
[ "$failed" -eq 0 ]

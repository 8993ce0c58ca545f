#!/bin/sh
# Locks and queues with raw loops (tests/loops/locks.c): executions and rounds that were cut, beside GenMC's executions (of Peterson's
# algorithm Nidhugg's, with assume); CPU seconds, start of the target included, beside GenMC 0.11's where they were measured.  The last
# column is with --loops cut: every wasted round is a run that is cut, loads do not wait, retries of compare-and-swap are kept; at most
# 50,000 executions.  A timing never decides anything.
. "$(dirname "$0")/../programs/lib.sh"

printf '%-18s %12s %8s %8s %12s %8s %20s\n' 'raw loops' executions cut 'CPU s' others 'CPU s' '--loops cut'
while read -r shape threads rounds most others; do
        case $shape in
        '' | '#'*) continue ;;
        CXX_*) source=locks.cc ;;
        *) source=locks.c ;;
        esac
        build "$root/tests/loops/$source" -w -DSHAPE="$shape" -DN="$threads" -DROUNDS="$rounds" || exit 2
        cpu
        before=$now
        heddle_check --strategy optimal "$program"
        cpu
        [ "$status" -eq 0 ] || fail "$shape $threads $rounds" "exit status $status"
        figures="$(field executions) $(field cut.spin) $(echo "$now $before" | awk '{ printf "%.2f", $1 - $2 }')"
        heddle_check --strategy optimal --loops cut --executions 50000 "$program"
        # shellcheck disable=SC2086
        printf '%-18s %12s %8s %8s %12s %8s %20s\n' "$shape $threads $rounds" $figures "$most" "${others:--}" \
                "$(field executions)+$(field cut.spin)"
done <"$root/tests/loops/counts.tsv"

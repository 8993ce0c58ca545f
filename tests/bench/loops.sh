#!/bin/sh
# Locks and queues with raw loops (tests/loops/locks.c): executions and rounds that were cut, beside GenMC's executions (of Peterson's
# algorithm Nidhugg's, with assume); CPU seconds, start of the target included, beside GenMC 0.11's where they were measured.  A timing never decides anything.
. "$(dirname "$0")/../programs/lib.sh"

printf '%-18s %12s %8s %8s %12s %8s\n' 'raw loops' executions cut 'CPU s' others 'CPU s'
while read -r shape threads rounds most others; do
        case $shape in
        '' | '#'*) continue ;;
        esac
        build "$root/tests/loops/locks.c" -w -DSHAPE="$shape" -DN="$threads" -DROUNDS="$rounds" || exit 2
        cpu
        before=$now
        heddle_check --strategy optimal "$program"
        cpu
        [ "$status" -eq 0 ] || fail "$shape $threads $rounds" "exit status $status"
        printf '%-18s %12s %8s %8.2f %12s %8s\n' "$shape $threads $rounds" "$(field executions)" "$(field cut.spin)" \
                "$(echo "$now $before" | awk '{ print $1 - $2 }')" "$most" "${others:--}"
done <"$root/tests/loops/counts.tsv"

#!/bin/sh
# Locks and queues with raw loops (tests/loops/locks.c): executions and rounds that were cut, beside GenMC's executions (of Peterson's
# algorithm Nidhugg's, with assume).  A timing never decides anything.
. "$(dirname "$0")/../programs/lib.sh"

printf '%-18s %12s %8s %8s %12s\n' 'raw loops' executions cut seconds others
while read -r shape threads rounds most; do
        case $shape in
        '' | '#'*) continue ;;
        esac
        heddle_check --strategy optimal -w -DSHAPE="$shape" -DN="$threads" -DROUNDS="$rounds" "$root/tests/loops/locks.c"
        [ "$status" -eq 0 ] || fail "$shape $threads $rounds" "exit status $status"
        printf '%-18s %12s %8s %8.2f %12s\n' "$shape $threads $rounds" "$(field executions)" "$(field cut.spin)" \
                "$(field seconds)" "$most"
done <"$root/tests/loops/counts.tsv"

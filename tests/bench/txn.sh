#!/bin/sh
# Programs with transactions: executions and seconds of optimal, to the first failure or the end, beside the figures of Blum's thesis
# (txn.tsv), and how many times ours go into those of Landslide.  The thesis has no seconds for some rows ("-", "not printed").
# Landslide's retry sets lose classes: fig63 (4,1) has 162.
#
#     txn.sh [NAME ...]
. "$(dirname "$0")/../programs/lib.sh"

format='%-32s %10s %8s %10s %10s %8s %12s\n'
wanted=$*
# shellcheck disable=SC2059
printf "$format" program Landslide s verdict executions s times
grep -v '^#' "$root/tests/bench/txn.tsv" | while IFS=$tab read -r name flags landslide seconds; do
        case " ${wanted:-$name} " in *" $name "*) ;; *) continue ;; esac
        # shellcheck disable=SC2086
        build "$root/tests/txn/programs/$name.c" $flags || exit 1
        heddle_check --strategy optimal "$program"
        ours=$(field seconds)
        times=$(awk -v theirs="$seconds" -v ours="$ours" 'BEGIN {
                if (theirs == "-") print "not printed"; else printf "%.0f\n", theirs / (ours > 0 ? ours : 0.001) }')
        # shellcheck disable=SC2059
        printf "$format" "$name $flags" "$landslide" "$seconds" "$(field verdict)" "$(field executions)" "$ours" "$times"
done

#!/bin/sh
# Programs with transactions: executions and seconds of optimal, to the first failure or the end, beside the figures of Blum's thesis
# (txn.tsv).  Landslide's retry sets lose classes: fig63 (4,1) has 162.
#
#     txn.sh [NAME ...]
. "$(dirname "$0")/../programs/lib.sh"

format='%-32s %10s %8s %10s %10s %8s\n'
wanted=$*
# shellcheck disable=SC2059
printf "$format" program Landslide s verdict executions s
grep -v '^#' "$root/tests/bench/txn.tsv" | while IFS=$tab read -r name flags landslide seconds; do
        case " ${wanted:-$name} " in *" $name "*) ;; *) continue ;; esac
        # shellcheck disable=SC2086
        build "$root/tests/txn/programs/$name.c" $flags || exit 1
        heddle_check --strategy optimal "$program"
        # shellcheck disable=SC2059
        printf "$format" "$name $flags" "$landslide" "$seconds" "$(field verdict)" "$(field executions)" "$(field seconds)"
done

#!/bin/sh
# Programs with transactions: executions and CPU seconds of optimal, to the first failure or the end, beside the figures of Blum's thesis
# (txn.tsv, CPU seconds, too), and how many times ours go into those of Landslide.  The mean of ten runs; start and report are
# included.  Landslide shows a bug as it was found, so failures are not minimised; the last column is with that.  The thesis has no
# seconds for some rows ("-", "not printed").  Landslide's retry sets lose classes: fig63 (4,1) has 162.
#
#     txn.sh [NAME ...]
. "$(dirname "$0")/../programs/lib.sh"

format='%-32s %10s %8s %10s %10s %8s %12s %10s\n'
wanted=$*

# mean OPTION...: the CPU seconds of a run.
mean() {
        times >"$tmp/before"
        for _ in 1 2 3 4 5 6 7 8 9 10; do
                timeout 100 "$HEDDLE" check --strategy optimal "$@" "$program" >/dev/null 2>&1 </dev/null
        done
        times >"$tmp/after"
        awk 'function seconds(s) { split(s, m, /[ms]/); return m[1] * 60 + m[2] }
                FNR == 2 { n++; at[n] = seconds($1) + seconds($2) } END { print (at[2] - at[1]) / 10 }' "$tmp/before" "$tmp/after"
}

# shellcheck disable=SC2059
printf "$format" program Landslide s verdict executions s times minimised
grep -v '^#' "$root/tests/bench/txn.tsv" | while IFS=$tab read -r name flags landslide seconds; do
        case " ${wanted:-$name} " in *" $name "*) ;; *) continue ;; esac
        # shellcheck disable=SC2086
        build "$root/tests/txn/programs/$name.c" $flags || exit 1
        mean --minimize never >"$tmp/never"
        mean >"$tmp/minimised"
        heddle_check --strategy optimal "$program"
        ours=$(cat "$tmp/never")
        times=$(awk -v theirs="$seconds" -v ours="$ours" 'BEGIN {
                if (theirs == "-") print "not printed"; else printf "%.0f\n", theirs / (ours > 0 ? ours : 0.001) }')
        # shellcheck disable=SC2059
        printf "$format" "$name $flags" "$landslide" "$seconds" "$(field verdict)" "$(field executions)" "$ours" "$times" \
                "$(cat "$tmp/minimised")"
done

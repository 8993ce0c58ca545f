#!/bin/sh
# The estimated size is a range: stopped after a share of its executions, a search says between which bounds their number lies,
# or only that it is not below one.  At least 4 in 5 of the ranges hold the number of the table; at least 30 have both bounds.
# Seconds: 60
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 3
HEDDLE=${HEDDLE:-$root/build/heddle}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT
cd "$root/tests/programs" || exit 3

range() { # SOURCE FLAGS EXECUTIONS STOP: writes executions, low, high
        # shellcheck disable=SC2086 # several flags
        "$HEDDLE" check --strategy optimal --executions "$4" --json - $2 "$1" </dev/null 2>>"$out/err" |
                sed -n "s/.*\"executions_range\": \\[\\([0-9]*\\), \\([0-9a-z]*\\)\\].*/$3 \\1 \\2/p"
}

awk -F '\t' '!/^#/ && $4 == "-" && $5 >= 400 && $5 <= 45000 && $8 == 0 {print $2, $5 + 0, $3}' counts.tsv counts-long.tsv >"$out/rows"
while read -r source executions flags; do
        for parts in 64 16 8 4 2; do
                range "$source" "$flags" "$executions" $((executions / parts))
        done
done <"$out/rows" >"$out/ranges"
awk '$3 != "null" {closed++; held += $2 <= $1 && $1 <= $3} $3 == "null" {open++; low += $2 <= $1}
        END {right = (closed >= 30 && held >= 0.8 * closed && low >= 0.8 * open)
                printf "%s progress/ranges %d of %d ranges hold, %d of %d lower bounds\n",
                        right ? "PASS" : "FAIL", held, closed, low, open}' "$out/ranges"

#!/bin/sh
# Where threads are preempted and what is checked: each row of table.tsv with dpor, optimal and dfs; failures replay.
# Arguments name the rows to run, by number.
. "$(dirname "$0")/../programs/lib.sh"

table=$root/tests/points/table.tsv

# run_row NUMBER
run_row() {
        awk -F "$tab" -v n="$1" '!/^#/ && ++k == n { for (i = 1; i <= 5; i++) print $i }' "$table" >"$tmp/row"
        { read -r file; read -r flags; read -r options; read -r wanted; read -r text; } <"$tmp/row"
        # shellcheck disable=SC2086
        build "$root/tests/points/$file" $flags || { fail "points_$1" "the program cannot be built"; return; }
        set -f
        case $options in
        *--strategy=*) strategies=auto ;; # the last one counts
        *) strategies='dpor optimal dfs' ;;
        esac
        for strategy in $strategies; do
                why=
                # shellcheck disable=SC2086
                heddle_check --strategy $strategy $options "$program"
                [ "$status" = "$wanted" ] || why="exit status $status, not $wanted"
                [ -z "$text" ] || grep -qF -- "$text" "$tmp/json" "$tmp/err" || why="$why${why:+; }no '$text' in the report"
                # shellcheck disable=SC2086
                [ "$wanted" != 1 ] || [ -n "$why" ] || replays $(echo " $options" | sed 's/--preempt [a-z]*//; s/--strategy=deepen//; s/--maximal//; s/--keep-going//') -- "$program"
                name="points_$1 $file $flags $options $strategy"
                if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
        done
        set +f
}

if [ "$1" = --row ]; then
        run_row "$2"
        exit 0
fi
[ $# -gt 0 ] || set -- $(seq "$(grep -vc '^#' "$table")")
rows "$@"

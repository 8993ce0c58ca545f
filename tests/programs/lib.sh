# What the runners of tests/ share; sourced.  Sets root, HEDDLE, tmp and the counters, and removes tmp at the end.
# LIMIT (seconds, 120 unless given) is how long one call of heddle may take before it counts as hanging; OPTIONS are
# added to those of every check and replay, such as "--compiler gcc" or "--isolate fork"; JOBS is how many rows run at
# once (one for each core unless given).

root=$(cd "$(dirname "$0")/../.." && pwd)
HEDDLE=${HEDDLE:-$root/build/heddle}
LIMIT=${LIMIT:-120}
json_awk=$root/tests/programs/json.awk
tab=$(printf '\t')
passed=0
failed=0

case $HEDDLE in
/*) ;;
*) HEDDLE=$PWD/$HEDDLE ;;
esac
if [ ! -x "$HEDDLE" ]; then
        echo "$0: $HEDDLE is not there: run make first, or set HEDDLE" >&2
        exit 2
fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

pass() {
        echo "PASS $1"
        passed=$((passed + 1))
}

# fail NAME WHY: the messages of the last call follow, indented; all in one write, because rows run side by side.
fail() {
        failed=$((failed + 1))
        messages=
        [ -s "$tmp/err" ] && messages=$(head -n 20 "$tmp/err" | sed 's/^/        /')
        printf 'FAIL %s: %s\n%s' "$1" "$2" "${messages:+$messages
}"
}

# rows NAME...: runs this script with --row NAME for each, JOBS at a time, and ends it with the figures.
rows() {
        printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -n 1 "$0" --row >"$tmp/rows" 2>&1
        status=$?
        cat "$tmp/rows"
        passed=$(grep -c '^PASS ' "$tmp/rows")
        failed=$(grep -c '^FAIL ' "$tmp/rows")
        if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
                fail "$0" "a row ended with status $status"
        fi
        finish
}

# build SOURCE FLAG...: builds it as heddle check does, once for the same words; leaves its name in $program.
build() {
        source=$1
        shift
        program=$tmp/bin/$(echo "$source $*" | cksum | tr ' ' -)/$(basename "${source%.*}")
        [ -x "$program" ] && return
        mkdir -p "$(dirname "$program")"
        case $source in
        *.c) driver=cc ;;
        *) driver=c++ ;;
        esac
        compiler=$(echo "$OPTIONS" | sed -n 's/.*--compiler[ =]\([^ ]*\).*/\1/p')
        "$HEDDLE" $driver ${compiler:+"--compiler=$compiler"} -O0 -g "$@" -o "$program" "$source" 2>"$tmp/err"
}

# Ends the script: the figures, and status 1 if anything failed.
finish() {
        echo "$(basename "$(cd "$(dirname "$0")" && pwd)"): $passed passed, $failed failed"
        [ "$failed" -eq 0 ]
        exit
}

# heddle_check ARGUMENT...: runs heddle check, and leaves its exit status in $status, the JSON report flattened in
# $tmp/flat, its messages in $tmp/err.
heddle_check() {
        # shellcheck disable=SC2086
        timeout -k 5 "$LIMIT" "$HEDDLE" check $OPTIONS --json - "$@" </dev/null >"$tmp/json" 2>"$tmp/err"
        status=$?
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
}

# Processor time of all that was run so far, in seconds, in $now; to be called without a subshell.
cpu() {
        times >"$tmp/times"
        now=$(awk 'NR == 2 { n = split($1 " " $2, p, /[ms ]+/); print p[1] * 60 + p[2] + p[3] * 60 + p[4] }' "$tmp/times")
}

# field PATH: the value at a path of the last report, empty if there is none.
field() {
        awk -F "$tab" -v path="$1" '$1 == path { print $2; exit }' "$tmp/flat"
}

# differs WHAT EXPECTED ACTUAL: appends to $why when they differ and the expectation is not "-".
differs() {
        if [ "$2" != - ] && [ "$2" != "$3" ]; then
                why="$why${why:+; }$1 is ${3:-missing}, not $2"
        fi
}

# replays WORD...: every failure of the last report must show itself again when its schedule is replayed, WORDs being
# options and what is replayed.
replays() {
        awk -F "$tab" '$1 ~ /^failures\.[0-9]+\.schedule$/ { print $2 }' "$tmp/flat" >"$tmp/schedules"
        while read -r schedule; do
                # shellcheck disable=SC2086
                timeout -k 5 "$LIMIT" "$HEDDLE" replay $OPTIONS "$schedule" "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
                replayed=$?
                if [ "$replayed" -ne 1 ]; then
                        why="$why${why:+; }the replay of $schedule exits with $replayed, not 1"
                fi
        done <"$tmp/schedules"
}

# run_row ROW: one row, with dpor and with optimal (which must not start a redundant execution), or with the strategy that the options
# name, of a table with the columns name, source
# (beside the table), compiler flags, options, executions (N+V: V runs of optimal, or of that strategy, are redundant), verdict, kind of the first failure (a|b: one of them), exit status; "-" is none, or not checked.
run_row() {
        IFS=$tab read -r name source flags options executions verdict kind code
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        case $executions in *+*) vain=${executions#*+} ;; *) vain=0 ;; esac
        executions=${executions%+*}
        why=
        # shellcheck disable=SC2086
        build "$(dirname "$table")/$source" $flags || why="the program cannot be built"
        case $options in
        *--strategy*) strategies=$(echo "$options" | sed 's/.*--strategy \([^ ]*\).*/\1/') ;;
        *) strategies='dpor optimal' ;;
        esac
        for strategy in $strategies; do
                [ -z "$why" ] || break
                # shellcheck disable=SC2086
                heddle_check --strategy $strategy $options "$program"
                first=$(field failures.0.kind)
                differs "exit status" "$code" "$status"
                differs verdict "$verdict" "$(field verdict)"
                case "|$kind|" in
                '|-|' | *"|$first|"*) ;;
                *) differs kind "$kind" "$first" ;;
                esac
                differs executions "$executions" "$(field executions)"
                [ $strategy = dpor ] || differs blocked "$vain" "$(field blocked)"
                # A replay must be told again what may happen at all.
                # shellcheck disable=SC2046
                [ -n "$why" ] ||
                        replays $(echo "$options" | grep -oE -e '--(wakeup|spurious|timeouts) [^ ]+') -- "$program"
                why=${why:+$strategy: $why}
        done
        if [ -z "$why" ]; then
                pass "$name"
        else
                fail "$name" "$why"
        fi
}

# run_table FILE NAME...: the rows of a table, or those that are named; ends the script.
run_table() {
        table=$1
        shift
        if [ "$1" = --row ]; then
                grep "^$2$tab" "$table" >"$tmp/row" || fail "$2" "no such row"
                [ -s "$tmp/row" ] && run_row <"$tmp/row"
                exit 0
        fi
        [ $# -gt 0 ] || set -- $(sed -e '/^#/d' -e "s/$tab.*//" "$table")
        rows "$@"
}

# What the runners of tests/ share; sourced.  Sets root, HEDDLE, tmp and the counters, and removes tmp at the end.
# LIMIT (seconds, 120 unless given) is how long one call of heddle may take before it counts as hanging; OPTIONS are
# added to those of every check and replay, such as "--compiler gcc" or "--isolate fork".

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

# fail NAME WHY: the report and the messages of the last call follow, indented.
fail() {
        echo "FAIL $1: $2"
        failed=$((failed + 1))
        if [ -s "$tmp/err" ]; then
                head -n 20 "$tmp/err" | sed 's/^/        /'
        fi
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

# replays FLAG... FILE...: every failure of the last report must show itself again when its schedule is replayed.
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

# run_table FILE NAME...: one line per program with the columns name, source (beside the table), compiler flags, options,
# executions, verdict, kind of the first failure (a|b: one of them), exit status; "-" is none, or not looked at.  Rows
# not named are left out, unless no row is named.
run_table() {
        table=$1
        here=$(dirname "$table")
        shift
        wanted=" $* "
        while IFS=$tab read -r name source flags options executions verdict kind code; do
                case $name in
                '' | '#'*) continue ;;
                esac
                case $wanted in
                '  ' | *" $name "*) ;;
                *) continue ;;
                esac
                [ "$flags" = - ] && flags=
                [ "$options" = - ] && options=
                # shellcheck disable=SC2086
                heddle_check --strategy dpor $options $flags "$here/$source"
                why=
                first=$(field failures.0.kind)
                differs "exit status" "$code" "$status"
                differs verdict "$verdict" "$(field verdict)"
                case "|$kind|" in
                '|-|' | *"|$first|"*) ;;
                *) differs kind "$kind" "$first" ;;
                esac
                differs executions "$executions" "$(field executions)"
                # shellcheck disable=SC2086
                [ -n "$why" ] || replays $flags "$here/$source"
                if [ -z "$why" ]; then
                        pass "$name"
                else
                        fail "$name" "$why"
                fi
        done <"$table"
}

#!/bin/sh
# Data races: for each row of races.tsv the races of its program, by place, kind and verdict, and no other; with each of
# the strategies that explore everything, the set is the same.  Arguments name the rows to run.
. "$(dirname "$0")/../programs/lib.sh"

table=$root/tests/races/races.tsv
source_file=$root/tests/races/races.c

# The lines of the case that have a tag, as "line tag".
tags() {
        awk -v wanted="$1" '
                /^#endif/ { inside = tail = 1 }
                /^#(if|elif)/ { inside = tail || ($2 == "CASE" && $4 == wanted) }
                inside && match($0, /\/\* [A-Z][0-9] \*\//) { print NR, substr($0, RSTART + 3, 2) }' "$source_file"
}

# The races of the last report in the words of the table.
races() {
        tags "$1" >"$tmp/tags"
        awk -F "$tab" -v tags="$tmp/tags" '
                BEGIN {
                        while ((getline line < tags) > 0) {
                                split(line, part, " ")
                                tag[part[1]] = part[2]
                        }
                }
                $1 ~ /^races\.[0-9]+\./ {
                        split($1, path, ".")
                        n = path[2] + 1 > n ? path[2] + 1 : n
                        value[$1] = $2
                }
                END {
                        for (i = 0; i < n; i++) {
                                for (k = 0; k < 2; k++) {
                                        at = "races." i ".accesses." k
                                        line = value[at ".where.line"]
                                        side[k] = value[at ".kind"] "@" (line in tag ? tag[line] : line)
                                }
                                split(side[0], a, "@")
                                split(side[1], b, "@")
                                forward = a[2] != b[2] ? a[2] < b[2] : a[1] <= b[1]
                                print value["races." i ".verdict"] (value["races." i ".candidate"] == "true" ? "?" : "") "=" \
                                        (forward ? side[0] "+" side[1] : side[1] "+" side[0])
                        }
                }' "$tmp/flat" | sort | paste -sd, -
}

run_case() {
        grep "^$1$tab" "$table" >"$tmp/row" || fail "$1" "no such row"
        IFS=$tab read -r name number options code expected <"$tmp/row"
        [ "$options" = - ] && options=
        [ "$expected" = - ] && expected=
        expected=$(echo "$expected" | tr , '\n' | sort | paste -sd, -)
        why=
        build "$source_file" -DCASE="$number" || why="the program cannot be built"
        strategies='optimal dpor dfs'
        case "$code $options" in
        *executions*) strategies=optimal ;;
        *--memory* | *--preempt* | *off*) ;;
        0* | *keep-going*) strategies="$strategies deepen" ;;
        esac
        for strategy in $strategies; do
                # shellcheck disable=SC2086
                heddle_check --strategy $strategy $options "$program"
                differs "exit status of $strategy" "$code" "$status"
                [ "$expected" = "$(races "$number")" ] ||
                        why="$why${why:+; }$strategy: races are $(races "$number"), not $expected"
        done
        case $options in
        *fail-on*)
                memory=sc
                case $options in *--memory*) memory=${options#*--memory } memory=${memory%% *} ;; esac
                [ -n "$why" ] || replays --fail-on race --memory "$memory" -- "$program"
                ;;
        esac
        if [ -z "$why" ]; then pass "races_$name"; else fail "races_$name" "$why"; fi
}

if [ "$1" = --row ]; then
        run_case "$2"
        exit 0
fi
failed=0
if [ $# = 0 ]; then
        "$root/tests/races/generated.sh" || failed=1
        mutations=--check
        [ -z "${HEDDLE_TEST_LONG:-}" ] || mutations=
        # shellcheck disable=SC2086
        HEDDLE=$HEDDLE BUILD=${BUILD:-$root/build} "$root/tests/races/mutate.sh" $mutations || failed=1
fi
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(sed -e '/^#/d' -e "s/$tab.*//" "$table")
(rows "$@") || failed=1
exit $failed

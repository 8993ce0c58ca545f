#!/bin/sh
# Wrong uses of memory: for each row of heap.tsv every failure is of its kind and at a line HERE, its block was allocated at
# a line MADE and freed at a line FREED, with dpor (in long runs also dfs), and it replays.  Arguments name the rows to run.
# Seconds: 25
. "$(dirname "$0")/../programs/lib.sh"

table=$root/tests/heap/heap.tsv

# lines FILE CASE WORD: the numbers of the case's lines, and of main's, that have the word.
lines() {
        awk -v wanted="$2" -v word="$3" '
                /^#endif/ { tail = inside = 1 }
                /^#(if|elif)/ { inside = tail || ($2 == "CASE" && $4 == wanted) }
                inside && index($0, "* ") && index($0, word) { print NR }' "$1"
}

# at WORD PATH: the line of the report at that path, if there is one, is one with the word.
at() {
        [ -z "$(field "$2")" ] || lines "$source_file" "$number" "$1" | grep -qx "$(field "$2")" ||
                why="$why${why:+; }$strategy: $1 is line $(field "$2")"
}

run_case() {
        grep "^$1$tab" "$table" >"$tmp/row" || fail "$1" "no such row"
        IFS=$tab read -r name file number options kind <"$tmp/row"
        [ "$options" = - ] && options=
        [ "$kind" = - ] && kind=
        source_file=$root/tests/heap/$file
        why=
        build "$source_file" -DCASE="$number" -Wno-free-nonheap-object -Wno-use-after-free -D_GNU_SOURCE || build "$source_file" -DCASE="$number" -D_GNU_SOURCE ||
                why="the program cannot be built"
        for strategy in dpor ${HEDDLE_TEST_LONG:+dfs}; do
                # shellcheck disable=SC2086
                heddle_check --strategy $strategy --keep-going --executions 3000 $options "$program"
                kinds=$(awk -F "$tab" '$1 ~ /^failures\.[0-9]+\.kind$/ { print $2 }' "$tmp/flat" | sort -u)
                [ "$kinds" = "$kind" ] || why="$why${why:+; }$strategy: kinds are $kinds, not $kind"
                for i in 0 1 2; do
                        at HERE "failures.$i.where.line"
                        at MADE "failures.$i.block.allocated.stack.0.line"
                        at FREED "failures.$i.block.freed.stack.0.line"
                done
        done
        case $kind in leak) options="$options --leaks all" ;; esac # the line that the report prints has it
        # shellcheck disable=SC2086
        [ -n "$why" ] || replays $(echo "$options" | grep -oE -e '--(isolate|heap-checks|fail-malloc|leaks|memory) [^ ]+') -- "$program"
        if [ -z "$why" ]; then pass "heap_$name"; else fail "heap_$name" "$why"; fi
}

if [ "$1" = --row ]; then
        run_case "$2"
        exit 0
fi
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(sed -e '/^#/d' -e "s/$tab.*//" "$table")
rows "$@"

#!/bin/sh
# Misuse of locks: each case of misuse.c is reported as lock-misuse at its line HERE, with the place of the other half
# (THERE) in the message, and replays; case 0 is right and safe.  Arguments name the cases to run.
. "$(dirname "$0")/../programs/lib.sh"

source_file=$root/tests/misuse/misuse.c

# lines CASE WORD: the numbers of the case's lines that have the word.
lines() {
        awk -v wanted="$1" -v word="$2" '
                /^#(if|elif|else|endif)/ { inside = $2 == "CASE" && $4 == wanted }
                inside && index($0, word) { print NR }' "$source_file"
}

run_case() {
        why=
        build "$source_file" -DCASE="$1" || why="the program cannot be built"
        heddle_check --strategy dpor --keep-going "$program"
        if [ "$1" = 0 ]; then
                differs verdict safe "$(field verdict)"
        else
                differs kind lock-misuse "$(field failures.0.kind)"
                lines "$1" HERE | grep -qx "$(field failures.0.where.line)" ||
                        why="$why${why:+; }the place is line $(field failures.0.where.line)"
                there=$(lines "$1" THERE)
                found=${there:+no}
                for line in $there; do
                        case $(field failures.0.message) in *"misuse.c:$line") found= ;; esac
                done
                [ -z "$found" ] || why="$why${why:+; }the other half is not told: $(field failures.0.message)"
                [ -n "$why" ] || replays -- "$program"
        fi
        if [ -z "$why" ]; then pass "misuse_$1"; else fail "misuse_$1" "$why"; fi
}

if [ "$1" = --row ]; then
        run_case "$2"
        exit 0
fi
[ $# -gt 0 ] || set -- 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22
rows "$@"

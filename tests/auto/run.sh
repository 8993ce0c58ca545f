#!/bin/sh
# --strategy auto: its figures are those of the strategy that it verifies with, looks apart; it finds what random schedules
# find soon and a search late; it says what was proven.
. "$(dirname "$0")/../programs/lib.sh"
verify=${VERIFY:-optimal} # what auto verifies with

build() { # program flags... source
        program=$1
        shift
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" "$@" -o "$tmp/$program" 2>"$tmp/err" || fail "$program" "does not build"
}

figures() {
        for key in verdict complete executions blocked events transitions threads; do
                echo "$key $(field $key)"
        done
}

# same NAME LOOKS FLAG... SOURCE: the figures of a search to the end.
same() {
        label=$1 looks=$2
        shift 2
        build program "$@"
        heddle_check --strategy "$verify" "$tmp/program"
        figures >"$tmp/expected"
        heddle_check --strategy auto "$tmp/program"
        figures >"$tmp/actual"
        why=
        cmp -s "$tmp/expected" "$tmp/actual" || why="$(diff "$tmp/expected" "$tmp/actual" | tr '\n' ' ')"
        differs strategy auto "$(field strategy)"
        case $looks in
        none) differs looked 0 "$(field looked)" ;;
        some) [ "$(field looked)" -gt 0 ] || why="$why nothing was looked at" ;;
        esac
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
same small none "$root/tests/litmus/sb/sb.c"
same large some -DN=6 "$root/tests/programs/lastzero.c"

# deep: a bug that a search meets late.
build program -DDEPTH=2 -DPAD=12 "$root/tests/random/depth.c"
heddle_check --strategy auto --time 60s "$tmp/program"
why=
differs "exit status" 1 "$status"
differs found_by look "$(field failures.0.found_by)"
replays "$tmp/program"
if [ -z "$why" ]; then pass "deep looked=$(field looked)"; else fail deep "$why"; fi

# everything is asked for: no looks.
heddle_check --strategy auto --executions 300 --keep-going "$tmp/program"
why=
differs looked 0 "$(field looked)"
if [ -z "$why" ]; then pass keep_going; else fail keep_going "$why"; fi

# several explorers: the default serves.
heddle_check --jobs 2 "$root/examples/spsc_ring.c"
why=
differs "exit status" 0 "$status"
if [ -z "$why" ]; then pass jobs; else fail jobs "$why"; fi

# cut: said so, with what was looked at.
build program -DN=8 "$root/tests/programs/lastzero.c"
"$HEDDLE" check --executions 400 "$tmp/program" >"$tmp/out" 2>"$tmp/err"
status=$?
why=
differs "exit status" 4 "$status"
grep -q '% explored' "$tmp/out" || why="$why no share: $(head -1 "$tmp/out")"
grep -q 'random ones besides' "$tmp/out" || why="$why no looks: $(head -1 "$tmp/out")"
if [ -z "$why" ]; then pass words; else fail words "$why"; fi
finish

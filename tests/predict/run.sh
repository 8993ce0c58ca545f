#!/bin/sh
# Prediction: every bug of tests/bugs is found, in at most as many executions as its row of bugs.tsv says, and replays; nothing is
# said of the same programs without the bug, and they are not called safe.  Each kind of prediction is confirmed in the program that has
# it (kinds.c).  Bugs of larger programs are found, too (larger.tsv).  Outcomes of generated programs are among those of dfs.  Arguments name the rows.
# Seconds: 20
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/predict
bugs=$root/tests/bugs
BUILD=${BUILD:-$root/build}
kinds='RACE:race DEADLOCK:deadlock WAKEUP:wakeup FREED:freed UNSET:null ATOMICITY:atomicity'

verdict() { # NAME
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

# found SOURCE MOST: within so many executions.
found() {
        why=
        build "$1" || why="the program cannot be built"
        heddle_check --strategy predict --executions 3000 "$program"
        differs "exit status" 1 "$status"
        [ "$(field failures.0.execution)" -le "$2" ] 2>/dev/null ||
                why="$why${why:+; }found in execution $(field failures.0.execution), not within $2"
        [ -n "$why" ] || replays -- "$program"
        verdict "$(basename "$1" .c)"
}

# fixed NAME: without the bug.
fixed() {
        why=
        build "$bugs/$1.c" -DFIXED || why="the program cannot be built"
        heddle_check --strategy predict --executions 60 "$program"
        differs "exit status" 4 "$status"
        differs verdict unknown "$(field verdict)"
        verdict "$1 fixed"
}

# kind MACRO KEY: a prediction of this kind is confirmed soon, and is a failure, or a race.
kind() {
        why=
        build "$here/kinds.c" "-D$1" || why="the program cannot be built"
        heddle_check --strategy predict --fail-on race --executions 8 --keep-going "$program"
        differs "exit status" 1 "$status"
        [ "$(field "confirmed.$2")" -ge 1 ] 2>/dev/null || why="$why${why:+; }confirmed.$2 is $(field "confirmed.$2")"
        verdict "$1"
}

# Nothing is predicted that the values read forbid; the figures say so.
ordered() {
        why=
        build "$here/kinds.c" -DORDERED || why="the program cannot be built"
        heddle_check --strategy predict --executions 10 "$program"
        differs "exit status" 4 "$status"
        differs both 1 "$(field pairs.both_orders)"
        differs impossible 2 "$(field pairs.impossible)"
        differs open 0 "$(field pairs.open)"
        differs races 0 "$(field predicted.race)"
        build "$here/kinds.c" -DDEADLOCK || why="the program cannot be built"
        heddle_check --strategy predict --window 1 --executions 1 "$program"
        differs "deadlocks in a window of 1" 0 "$(field predicted.deadlock)"
        verdict ordered
}

most() { # TABLE NAME
        awk -F "$tab" -v name="$2" '$1 == name { print $2 }' "$here/$1.tsv"
}

outcomes() {
        awk -F "$tab" '$1 ~ /^outcomes\.[0-9]+\.state\./ { sub(/^outcomes\./, "", $1); i = $1; sub(/\..*/, "", i)
                sub(/.*\./, "", $1); s[i] = s[i] $1 "=" $2 " " } END { for (i in s) print s[i] }' "$tmp/flat" | sort
}

# FIRST: eight generated programs from there on.
generated() {
        why= compared=0
        "$root/tests/oracle/build.sh" "$BUILD/oracle" >"$tmp/err" 2>&1
        "$BUILD/oracle/generate" -l 300 4242 30 >"$tmp/generated.c"
        build "$tmp/generated.c"
        for i in $(seq "$1" $(($1 + 7))); do
                heddle_check --strategy dfs --keep-going --observe r,x "$program" "$i"
                [ "$(field complete)" = true ] || continue
                outcomes >"$tmp/dfs"
                heddle_check --strategy predict --executions 200 --keep-going --observe r,x "$program" "$i"
                outcomes >"$tmp/predict"
                [ -z "$(comm -13 "$tmp/dfs" "$tmp/predict")" ] || why="$why $i"
                [ ! -s "$tmp/predict" ] || compared=$((compared + 1))
                [ "$(field refuted.race)" = 0 ] || why="$why $i: $(field refuted.race) races refuted"
        done
        [ "$compared" -ge 4 ] || why="$why only $compared programs have outcomes"
        verdict "generated from $1"
}

if [ "$1" = --row ]; then
        case $2 in
        generated*) generated "${2#generated}" ;;
        ordered) ordered ;;
        *:*) kind "${2%:*}" "${2#*:}" ;;
        larger/*) found "$here/$2.c" "$(most larger "${2#larger/}")" ;;
        *)
                found "$bugs/$2.c" "$(most bugs "$2")"
                fixed "$2"
                ;;
        esac
        exit 0
fi
# shellcheck disable=SC2046,SC2086
[ $# -gt 0 ] || set -- $kinds ordered generated0 generated8 $(sed -e '/^#/d' -e "s/$tab.*//" "$here/bugs.tsv") \
        $(sed -e '/^#/d' -e "s/$tab.*//" -e 's,^,larger/,' "$here/larger.tsv")
rows "$@"

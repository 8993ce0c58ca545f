#!/bin/sh
# Prediction: every bug of tests/bugs is found, in at most as many executions as its row of bugs.tsv says, and replays; nothing is
# said of the same programs without the bug, and they are not called safe.  Each kind of prediction is confirmed in the program that has
# it (kinds.c).  Bugs of larger programs are found, too (larger.tsv).  Outcomes of generated programs are among those of dfs.
# A long execution is analysed in time, and an analysis ends when --time says so (server.c).  Arguments name the rows.
# Seconds: 20
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/predict
bugs=$root/tests/bugs
BUILD=${BUILD:-$root/build}
kinds='RACE:race DEADLOCK:deadlock JOINED:deadlock VALUE:value WAKEUP:wakeup FREED:freed UNSET:null ATOMICITY:atomicity'

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

# kind MACRO KEY: a prediction of this kind is confirmed soon, and is a failure, or a race.  With this seed the first execution does not fail.
kind() {
        why=
        build "$here/kinds.c" "-D$1" || why="the program cannot be built"
        heddle_check --strategy predict --seed 3 --fail-on race --executions 8 --keep-going "$program"
        differs "exit status" 1 "$status"
        [ "$(field "confirmed.$2")" -ge 1 ] 2>/dev/null || why="$why${why:+; }confirmed.$2 is $(field "confirmed.$2")"
        verdict "$1"
}

# A race that no sync-preserving reordering has: the one execution before it has the sections in the other order.
flipped() {
        why=
        build "$here/kinds.c" -DFLIPPED || why="the program cannot be built"
        heddle_check --strategy predict --seed 2 --fail-on race --executions 2 "$program"
        differs "exit status" 1 "$status"
        differs confirmed 1 "$(field confirmed.race)"
        heddle_check --strategy predict --seed 2 --executions 1 "$program"
        differs predicted 1 "$(field predicted.race)"
        verdict flipped
}

# With store buffers, which the same program without them does not need.
buffered() {
        why=
        build "$here/kinds.c" -DBUFFERED || why="the program cannot be built"
        for memory in sc tso pso; do
                heddle_check --strategy predict --memory "$memory" --seed 2 --executions 40 "$program"
                expected=1
                [ "$memory" != sc ] || expected=4
                differs "exit status of $memory" "$expected" "$status"
                [ "$(field confirmed.value)$(field failures.0.kind)" != 0 ] || why="$why${why:+; }$memory: no value is confirmed"
                [ "$memory" = sc ] || differs "pairs of $memory" null "$(field pairs)"
                heddle_check --strategy predict --memory "$memory" --seed 2 --executions 1 "$program"
                differs "values of $memory" 2 "$(field predicted.value)" # each load may see the other value
        done
        verdict buffered
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
        build "$here/kinds.c" -DVALUE || why="the program cannot be built"
        heddle_check --strategy predict --seed 2 --executions 1 "$program"
        [ "$(field predicted.value)" -ge 1 ] 2>/dev/null || why="$why${why:+; }no value predicted"
        heddle_check --strategy predict --seed 2 --window 1 --executions 1 "$program"
        differs "values in a window of 1" 0 "$(field predicted.value)"
        build "$here/larger/version.c" || why="the program cannot be built"
        heddle_check --strategy predict --seed 2 --executions 1 "$program" # the reader is first: it may see each version
        differs "versions" 3 "$(field predicted.value)"
        verdict ordered
}

# REQUESTS SECONDS: an execution of a server is analysed in so long; --time ends an analysis.
server() {
        why=
        build "$here/server.c" "-DREQUESTS=$1" || why="the program cannot be built"
        began=$(date +%s)
        heddle_check --strategy predict --executions 1 --time "$2s" "$program"
        differs executions 1 "$(field executions)"
        differs why "1 execution was run, which proves nothing; more with --executions or --time" "$(field why_incomplete)"
        [ "$(field events)" -ge $((80 * $1)) ] || why="$why${why:+; }$(field events) events"
        heddle_check --strategy predict --time 1s "$program"
        differs "exit status" 4 "$status"
        [ $(($(date +%s) - began)) -le $(($2 + 5)) ] || why="$why${why:+; }took $(($(date +%s) - began)) s"
        verdict "server $1"
}

# Workers draw and predict a part each: --executions counts all of them, and so do the figures.  Pairs are those of one process.
jobs() {
        why=
        build "$bugs/if_wait.c" -DFIXED || why="the program cannot be built"
        for strategy in random pct pos predict; do
                heddle_check --strategy "$strategy" --jobs 2 --alone 1ms --executions 300 "$program"
                differs "exit status of $strategy" 4 "$status"
                differs "executions of $strategy" 300 "$(field executions)"
        done
        differs pairs null "$(field pairs)"
        [ "$(field confirmed.value)" -ge 1 ] 2>/dev/null || why="$why${why:+; }confirmed.value is $(field confirmed.value)"
        build "$bugs/if_wait.c" || why="the program cannot be built"
        heddle_check --strategy predict --jobs 2 --alone 1ms --executions 3000 "$program"
        differs "exit status" 1 "$status"
        [ -n "$why" ] || replays -- "$program"
        verdict jobs
}

# Stored and continued, by one process and by two: figures are those of all executions, predictions that wait are run.
stored() {
        why=
        build "$here/kinds.c" -DORDERED || why="the program cannot be built"
        heddle_check --strategy predict --executions 10 "$program"
        pairs=$(field pairs.both_orders)/$(field pairs.impossible)/$(field pairs.open)
        heddle_check --strategy predict --executions 4 --save "$tmp/state" "$program"
        heddle_check --strategy predict --executions 10 --resume "$tmp/state" "$program"
        differs executions 10 "$(field executions)"
        differs pairs "$pairs" "$(field pairs.both_orders)/$(field pairs.impossible)/$(field pairs.open)"
        build "$bugs/if_wait.c" -DFIXED || why="the program cannot be built"
        for n in 1 2; do
                heddle_check --strategy predict --jobs "$n" --alone 1ms --executions 100 --save "$tmp/state" "$program"
                first=$(field predicted.value)
                heddle_check --strategy predict --jobs "$n" --executions 300 --resume "$tmp/state" "$program"
                differs "executions of $n" 300 "$(field executions)"
                [ "$(field predicted.value)" -ge "$first" ] 2>/dev/null ||
                        why="$why${why:+; }predicted.value is $(field predicted.value), was $first"
        done
        verdict stored
}

# Windows end with a use after free: values that were predicted before it are neither confirmed nor refuted.
ended() {
        why=
        build "$here/larger/proxy.c" || why="the program cannot be built"
        heddle_check --strategy predict --seed 3 --executions 150 --keep-going "$program"
        differs "exit status" 1 "$status"
        differs refuted 0 "$(field refuted.value)"
        [ "$(field predicted.value)" -gt "$(field confirmed.value)" ] || why="$why${why:+; }all of $(field predicted.value) values are confirmed"
        verdict ended
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
                memory=$(echo sc tso pso | cut -d " " -f $((i % 3 + 1)))
                heddle_check --strategy dfs --memory "$memory" --keep-going --observe r,x "$program" "$i"
                [ "$(field complete)" = true ] || continue
                outcomes >"$tmp/dfs"
                heddle_check --strategy predict --memory "$memory" --executions 200 --keep-going --observe r,x "$program" "$i"
                outcomes >"$tmp/predict"
                [ -z "$(comm -13 "$tmp/dfs" "$tmp/predict")" ] || why="$why $i"
                [ ! -s "$tmp/predict" ] || compared=$((compared + 1))
                for refuted in race value; do
                        [ "$(field refuted.$refuted)" = 0 ] || why="$why $i: $(field refuted.$refuted) $refuted refuted"
                done
        done
        [ "$compared" -ge 4 ] || why="$why only $compared programs have outcomes"
        verdict "generated from $1"
}

# Every mutation still compiles; in a long run each is noticed.
mutations() {
        check=--check
        [ -z "${HEDDLE_TEST_LONG:-}" ] || check=
        # shellcheck disable=SC2086
        "$here/mutate.sh" $check
}

if [ "$1" = --row ]; then
        case $2 in
        generated*) generated "${2#generated}" ;;
        ordered) ordered ;;
        buffered) buffered ;;
        flipped) flipped ;;
        mutations) mutations ;;
        jobs) jobs ;;
        stored) stored ;;
        ended) ended ;;
        server*) server "${2#server}" 30 ;;
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
[ $# -gt 0 ] || set -- mutations $kinds flipped ordered buffered jobs stored ended server1${HEDDLE_TEST_LONG:+1}000 generated0 generated8 $(sed -e '/^#/d' -e "s/$tab.*//" "$here/bugs.tsv") \
        $(sed -e '/^#/d' -e "s/$tab.*//" -e 's,^,larger/,' "$here/larger.tsv")
rows "$@"

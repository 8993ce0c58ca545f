#!/bin/sh
# Programs that use the world around them: helpers, timers and signals by descriptor, limits (programs.c), signal
# handlers (signals.c), event loops and sockets (sockets.c).  Failures replay.
# Seconds: 12
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/world

# run_one LABEL STATUS TEXT CASE [OPTION...]: the report contains TEXT; CASE may name its program in front of a slash (programs is
# the default), and have an argument after a comma.
run_one() {
        label=$1 expected=$2 text=$3 arguments=$(echo "${4#*/}" | tr , ' ') program=$PROGRAMS
        case $4 in */*) program=$(dirname "$PROGRAMS")/${4%%/*} ;; esac
        shift 4
        why=
        # shellcheck disable=SC2086
        timeout -k 5 "$LIMIT" "$HEDDLE" check $OPTIONS "$@" "$program" $arguments </dev/null >"$tmp/err" 2>&1
        status=$?
        [ "$status" = "$expected" ] || why="exit status $status"
        tr -s ' \n' '  ' <"$tmp/err" | grep -q -- "$text" || why="$why${why:+; }no '$text'"
        schedule=$(sed -n "s/^ *Replay: heddle replay '\([^']*\)'.*/\1/p" "$tmp/err")
        if [ -z "$why" ] && [ -n "$schedule" ]; then
                # shellcheck disable=SC2086
                timeout -k 5 "$LIMIT" "$HEDDLE" replay "$schedule" -- "$program" $arguments >/dev/null 2>"$tmp/err"
                replayed=$?
                [ "$replayed" = 1 ] || why="the replay exits with $replayed"
        fi
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}

all='every behaviour explored'
# Each helper runs once, however many executions and workers there are.
recorded() {
        COUNT=$tmp/count
        export COUNT
        for jobs in 1 2; do
                rm -f "$COUNT"
                timeout -k 5 "$LIMIT" "$HEDDLE" check --helpers record --jobs "$jobs" "$PROGRAMS" clock >"$tmp/err" 2>&1
                n=$(wc -l <"$COUNT")
                if [ "$n" = 1 ]; then pass "recorded, jobs $jobs"; else fail "recorded, jobs $jobs" "$n runs"; fi
        done
}

# A helper in the background does not outlive its shell, and a helper that runs not the program.
left_behind() {
        NAP=$$.5
        export NAP
        timeout -k 5 "$LIMIT" "$HEDDLE" check "$PROGRAMS" left >"$tmp/err" 2>&1
        timeout -s KILL 1 "$HEDDLE" check "$PROGRAMS" slow >"$tmp/err" 2>&1
        for i in 1 2 3 4 5 6 7 8 9 10; do
                pgrep -f "^sleep 1$NAP\$" >/dev/null || break
                sleep 0.5
        done
        if pgrep -f "^sleep 1$NAP\$" >/dev/null; then fail left_behind "a helper still runs"; else pass left_behind; fi
}

# A connection to a process that heddle does not run.
other_process() {
        "$(dirname "$PROGRAMS")/sockets" serve "$tmp/socket" &
        server=$!
        while [ ! -S "$tmp/socket" ] && kill -0 "$server"; do sleep 0.1; done
        run_one other_process 4 'what is written to sockets of other processes' "sockets/connection,$tmp/socket"
        kill "$server"
}

if [ "$1" = --row ]; then
        case $2 in
        recorded | left_behind | other_process)
                "$2"
                exit 0
                ;;
        esac
        IFS='|' read -r label status text case options <<EOF
$(sed -n "s/^$2|/$2|/p" "$here/table")
EOF
        # shellcheck disable=SC2086
        run_one "$label" "$status" "${text:-$all}" "$case" $options
        exit 0
fi
PROGRAMS=$tmp/programs
export PROGRAMS
for source in "$here"/*.c; do
        if ! "$HEDDLE" cc -O0 -g -w -o "$tmp/$(basename "$source" .c)" "$source" 2>"$tmp/err"; then
                fail "$(basename "$source")" "cannot be built"
                finish
        fi
done
# shellcheck disable=SC2046
rows recorded left_behind other_process $(sed -n 's/^\([a-z_]*\)|.*/\1/p' "$here/table")


#!/bin/sh
# limited.sh NAME SECONDS CALL-SECONDS COMMAND...: runs a test script within its limits and ends with its status.
#
# A call of heddle that takes more than CALL-SECONDS, or a script that takes more than SECONDS, is killed; a line
# `FAIL NAME: ...` says which one it was.
name=$1
limit=$2
call=$3
shift 3

# A session of its own, so that everything that belongs to the script is found.  A shell makes what it starts in the
# background ignore SIGINT: undo that.
setsid env --default-signal=INT,QUIT "$@" &
session=$!
trap 'pkill -KILL -s "$session"; exit 130' HUP INT TERM

watch() {
        seconds=0
        while sleep 5; do
                seconds=$((seconds + 5))
                ps -o pid=,etimes=,comm=,args= -s "$session" | while read -r pid age program words; do
                        [ "$program" = heddle ] && [ "$age" -gt "$call" ] || continue
                        kill -KILL "$pid" && echo "FAIL $name: over its limit of $call s: $words"
                done
                [ "$seconds" -le "$limit" ] || {
                        echo "FAIL $name: over its limit of $limit s, in: $(ps -o args= -s "$session" | tail -n 1)"
                        pkill -KILL -s "$session"
                }
        done
}
watch &
watcher=$!
wait "$session"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"

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

# A call is killed when two looks in a row find it late: ps shows a wrong age of a process that just starts or ends.
watch() {
        seconds=0
        suspects=
        while sleep 5; do
                seconds=$((seconds + 5))
                late=$(ps -o pid=,etimes=,comm= -s "$session" |
                        awk -v call="$call" '$3 == "heddle" && $2 > call { print $1 }')
                for pid in $late; do
                        case " $suspects " in *" $pid "*) ;; *) continue ;; esac
                        words=$(ps -o args= -p "$pid") || continue
                        kill -KILL "$pid" && echo "FAIL $name: over its limit of $call s: $words"
                done
                suspects=$(echo $late)
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

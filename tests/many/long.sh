#!/bin/sh
# Searches on many machines for minutes: numbers of workers, processes that are killed, a Redis server that restarts or stops.  run.sh runs
# it with HEDDLE_TEST_LONG=1.
# Seconds: 200
. "$(dirname "$0")/../programs/lib.sh"
. "$(dirname "$0")/lib.sh"
bad=

build fib programs/fib.c -DN=6
build large programs/sigma.c -O1 -DN="${LARGE:-9}"
command -v redis-server >/dev/null 2>&1 || finish
port=$((20000 + $$ % 20000))
cli() { redis-cli -p "$port" -a secret "$@" 2>/dev/null; }
start_server() {
        redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes --appendfsync always --requirepass secret --dir "$tmp" >"$tmp/redis" 2>&1 &
        echo $! >"$tmp/server"
        soon cli ping
}
trap 'kill "$(cat "$tmp/server")"; rm -rf "$tmp"' EXIT
start_server
url=redis://:secret@127.0.0.1:$port

# wanted PROGRAM: what one process says.
wanted() {
        heddle_check --keep-going --strategy optimal "$1"
        counts "$tmp/wanted"
}
# enough NAME: twenty workers and five coordinators were killed.
enough() {
        if [ "$kills" -ge 20 ] && [ "$coordinators" -ge 5 ]; then pass "$1"; else fail "$1" "killed: $kills workers, $coordinators coordinators"; fi
}
searching() { [ "$(cli exists "heddle:$1:state")" = 1 ]; }

# disturbed NAME COMMAND: two workers search, and COMMAND does something to the server after two seconds.
disturbed() {
        rm -f "$tmp/during"
        {
                soon searching "$1"
                sleep 2
                searching "$1" && : >"$tmp/during"
                "$2"
        } &
        disturber=$!
        with_workers "$url/$1" 2 "$tmp/large" --cluster "$url/$1" --strategy optimal
        wait "$disturber"
        [ -f "$tmp/during" ] || bad="$bad the search was over before"
        same "$1"
}
# The server is killed and comes back with what it has written.
restart() {
        kill -9 "$(cat "$tmp/server")"
        sleep 2
        start_server
}
# Half a minute without the server.
stop() {
        kill -STOP "$(cat "$tmp/server")"
        sleep 30
        kill -CONT "$(cat "$tmp/server")"
}
# It answers, but for some seconds refuses to write: commands time out, connections do not.
pause() { cli client pause 8000 write >/dev/null; }
# It has lost jobs, and nothing else.
lose() { cli del heddle:redis_lost:jobs heddle:redis_lost:bodies >/dev/null; }

wanted "$tmp/fib"
heddle_check --keep-going --strategy optimal --jobs 2 "$tmp/fib"
same jobs_2
for workers in 1 2 4 8; do
        with_workers "$tmp/spool$workers" "$workers" "$tmp/fib" --spool "$tmp/spool$workers" --strategy optimal
        same "spool_$workers"
        with_workers "$url/$workers" "$workers" "$tmp/fib" --cluster "$url/$workers" --strategy optimal
        same "redis_$workers"
done

wanted "$tmp/large"
killed spool_killed "$tmp/spool" 24 "$tmp/large" --spool "$tmp/spool" --strategy optimal
enough spool_kills
killed redis_killed "$url/killed" 24 "$tmp/large" --cluster "$url/killed" --strategy optimal
enough redis_kills
disturbed redis_restarted restart
disturbed redis_stopped stop
disturbed redis_paused pause
disturbed redis_lost lose

# A server that never answers.
kill -STOP "$(cat "$tmp/server")"
timeout 30 "$HEDDLE" check --cluster "$url/mute" "$tmp/fib" </dev/null >"$tmp/out" 2>"$tmp/err"
status=$?
kill -CONT "$(cat "$tmp/server")"
if [ "$status" = 2 ] && grep -q 'does not answer' "$tmp/err"; then pass redis_mute; else fail redis_mute "exit status $status"; fi
finish

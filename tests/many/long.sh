#!/bin/sh
# Searches on many machines for minutes: numbers of workers, processes that are killed, a Redis server that restarts or stops.  run.sh runs
# it with HEDDLE_TEST_LONG=1.
# Seconds: 400
. "$(dirname "$0")/../programs/lib.sh"
. "$(dirname "$0")/lib.sh"
bad=
worker_failed=

build fib programs/fib.c -DN=6
build large programs/sigma.c -DN="${LARGE:-7}"
command -v redis-server >/dev/null 2>&1 || finish
port=$((20000 + $$ % 20000))
start_server() {
        redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes --appendfsync always --requirepass secret --dir "$tmp" >"$tmp/redis" 2>&1 &
        server=$!
        for _ in 1 2 3 4 5 6 7 8 9 10; do
                redis-cli -p "$port" -a secret ping >/dev/null 2>&1 && break
                sleep 0.2
        done
}
start_server
url=redis://:secret@127.0.0.1:$port/search

# wanted PROGRAM: what one process says.
wanted() {
        heddle_check --keep-going --strategy optimal "$1"
        counts "$tmp/wanted"
}
# enough NAME: twenty workers and five coordinators were killed.
enough() {
        if [ "$kills" -ge 20 ] && [ "$coordinators" -ge 5 ]; then pass "$1"; else fail "$1" "killed: $kills workers, $coordinators coordinators"; fi
}

wanted "$tmp/fib"
heddle_check --keep-going --strategy optimal --jobs 2 "$tmp/fib"
same jobs_2
for workers in 1 2 4 8; do
        with_workers "$tmp/spool" "$workers" "$tmp/fib" --spool "$tmp/spool" --strategy optimal
        same "spool_$workers"
        with_workers "$url" "$workers" "$tmp/fib" --cluster "$url" --strategy optimal
        same "redis_$workers"
done

wanted "$tmp/large"
killed spool_killed "$tmp/spool" 24 "$tmp/large" --spool "$tmp/spool" --strategy optimal
enough spool_kills
killed redis_killed "$url" 24 "$tmp/large" --cluster "$url" --strategy optimal
enough redis_kills

# The server is killed and comes back with what it has written.
{
        sleep 3
        kill -9 "$server"
        sleep 2
        start_server
        echo "$server" >"$tmp/server"
        wait
} &
with_workers "$url" 2 "$tmp/large" --cluster "$url" --strategy optimal
same redis_restarted
server=$(cat "$tmp/server")

# Half a minute without the server.
{
        sleep 3
        kill -STOP "$server"
        sleep 30
        kill -CONT "$server"
} &
with_workers "$url" 2 "$tmp/large" --cluster "$url" --strategy optimal
same redis_stopped
kill "$server"
finish

#!/bin/sh
# Searches on many machines.  First what a job costs beside its executions (processor time of a worker, the coordinator and the server,
# divided by the jobs), with two workers in a directory and in a Redis server on the loopback.  Then how long searches would take on 8, 64
# and 512 workers: a simulation with the job times that were recorded there.
#
#     cluster.sh [TIMES]      simulates with the times in a file, one for each line, and measures nothing
#
# A timing never decides anything.
. "$(dirname "$0")/../programs/lib.sh"

# simulate FILE: times of jobs, in seconds.  A job that ends gives its rest, and up to sixteen parts as long as workers wait.  One that did
# not end by itself (half a second or more) lasts five seconds while there are enough jobs for all, as remote_worker.c has it.  The
# coordinator takes answers in one after the other (TAKES seconds each).
simulate() {
        awk -v takes="${TAKES:-0.002}" -v cost="${COST:-0.005}" '
        { time[n++] = $1; sum += $1 }
        function less(a, b) { return heap[a] < heap[b] }
        function swap(a, b,   t) { t = heap[a]; heap[a] = heap[b]; heap[b] = t }
        function push(t,   i) {
                heap[++size] = t
                for (i = size; i > 1 && less(i, int(i / 2)); i = int(i / 2))
                        swap(i, int(i / 2))
        }
        function pop(   top, i, c) {
                top = heap[1]
                heap[1] = heap[size--]
                for (i = 1; (c = 2 * i) <= size; i = c) {
                        if (c < size && less(c + 1, c))
                                c++
                        if (!less(c, i))
                                break
                        swap(c, i)
                }
                return top
        }
        function search(work, workers,   free, waiting, now, server, d, end) {
                size = 0; free = workers; waiting = 1; now = server = end = 0
                while (1) {
                        while (free && waiting && work > 0) {
                                d = time[int(rand() * n)]
                                if (d >= 0.5 && waiting >= workers)
                                        d = 5
                                if (d > work)
                                        d = work
                                work -= d
                                push((now > server ? now : server) + d * (1 + cost))
                                free--; waiting--
                        }
                        if (!size)
                                return end
                        now = pop()
                        end = now > end ? now : end
                        server = (server > now ? server : now) + takes
                        free++
                        waiting += 1 + (free > waiting ? (free - waiting < 16 ? free - waiting : 16) : 0)
                        if (waiting > 2 * workers)
                                waiting = 2 * workers
                }
        }
        function show(s) { return s < 120 ? sprintf("%.1f s", s) : s < 7200 ? sprintf("%.1f min", s / 60) : sprintf("%.1f h", s / 3600) }
        END {
                if (!n)
                        exit 1
                srand(1)
                printf "%d recorded jobs of %.2f s on average, %.1f %% of it for the job, %.1f ms of the coordinator for each\n", n, sum / n, cost * 100, takes * 1000
                split("60 3600 86400", work, " ")
                split("1 minute,1 hour,1 day", name, ",")
                split("8 64 512", workers, " ")
                for (i = 1; i <= 3; i++) {
                        printf "%-10s", name[i]
                        for (k = 1; k <= 3; k++) {
                                t = search(work[i], workers[k])
                                printf " %3d workers: %8s (%.0f times)", workers[k], show(t), work[i] / t
                        }
                        print ""
                }
        }' "$1"
}

if [ $# -gt 0 ]; then
        simulate "$1"
        exit
fi

# used PID...: processor time of these processes, in hundredths of a second.
used() {
        for pid; do cat "/proc/$pid/stat" 2>/dev/null; done | awk '{ sub(/.*\) /, ""); sum += $12 + $13 } END { print sum + 0 }'
}

# measure NAME STORE SERVER OPTION...: one search by a coordinator with two workers of its own.
measure() {
        name=$1
        store=$2
        server=$3
        shift 3
        before=$(used $server)
        "$HEDDLE" check --keep-going --strategy optimal --jobs 2 "$@" "$program" </dev/null >"$tmp/out" 2>"$tmp/err" &
        coordinator=$!
        coordinated=0
        look() { "$HEDDLE" cluster "$store" >"$tmp/now" 2>/dev/null && grep -q 'beside executions' "$tmp/now" && cp "$tmp/now" "$tmp/seen"; }
        while kill -0 "$coordinator" 2>/dev/null; do
                now=$(used "$coordinator")
                [ "$now" -gt "$coordinated" ] && coordinated=$now
                [ -n "$server" ] || look
                sleep 0.2
        done
        spent=$(($(used $server) - before))
        [ -z "$server" ] || look # once, after the end: it costs the server something, too
        wait "$coordinator" || fail "$name" "ended with $?"
        awk -v name="$name" -v coordinator="$coordinated" -v server="$spent" '
        / jobs \(/ {
                for (i = 1; i < NF; i++)
                        if ($(i + 1) == "jobs") { jobs += $i; spent += $i * substr($(i + 2), 2) }
        }
        END {
                if (!jobs)
                        exit
                each = spent / jobs + (coordinator + server) * 10 / jobs
                printf "%-8s %4d jobs: worker %.1f ms, coordinator %.1f ms, server %.1f ms; %.2f %% of half a second\n", name, jobs, spent / jobs,
                        coordinator * 10 / jobs, server * 10 / jobs, each / 5
        }' "$tmp/seen"
}

build "$root/tests/programs/fib.c" -DN="${N:-7}" || exit 1
measure spool "$tmp/spool" "" --spool "$tmp/spool"
if command -v redis-server >/dev/null 2>&1; then
        port=$((20000 + $$ % 20000))
        redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes --dir "$tmp" >"$tmp/redis" 2>&1 &
        server=$!
        sleep 1
        measure redis "redis://127.0.0.1:$port/bench" "$server" --cluster "redis://127.0.0.1:$port/bench"
        redis-cli -p "$port" monitor 2>/dev/null | cut -c1-200 >"$tmp/commands" &
        heddle_check --keep-going --strategy optimal --jobs 2 --cluster "redis://127.0.0.1:$port/bench" "$program"
        kill "$server"
        wait
        # From when a worker has read a job until it answers.
        awk '/"HGET" "heddle:bench:bodies"/ { taken[$6] = $1 }
        /"HSETNX" "heddle:bench:results"/ && $6 in taken { print $1 - taken[$6] }' "$tmp/commands" >"$tmp/times"
        [ -z "${KEEP:-}" ] || cp "$tmp/times" "$KEEP"
        simulate "$tmp/times"
fi
[ "$failed" -eq 0 ]

# What the runners of this folder share; sourced after programs/lib.sh.
races=yes # are counted
. "$root/tests/share/lib.sh"

# build NAME SOURCE FLAG...: leaves the program in $tmp/NAME.
bins=$tmp
build() { compile "$@"; }

# flatten FILE: the report becomes the last one.
flatten() {
        awk -f "$json_awk" <"$1" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
}

# shards N OPTION...: explores all N shards; $bad says what is wrong with one of them, and $reports are their reports.
shards() {
        n=$1
        shift
        bad=
        reports=
        shard=1
        while [ "$shard" -le "$n" ]; do
                timeout -k 5 "$LIMIT" "$HEDDLE" check --shard "$shard/$n" --json "$tmp/shard$shard.json" "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
                case $? in
                1 | 4) ;;
                0) [ "$n" = 1 ] || bad="$bad shard $shard ended with 0" ;;
                *) bad="$bad shard $shard failed: $(head -n 1 "$tmp/err")" ;;
                esac
                reports="$reports $tmp/shard$shard.json"
                shard=$((shard + 1))
        done
}

# merged: puts $reports together; the result is the last report.
merged() {
        # shellcheck disable=SC2086
        timeout -k 5 "$LIMIT" "$HEDDLE" merge --json "$tmp/merged.json" $reports >"$tmp/out" 2>"$tmp/err"
        status=$?
        flatten "$tmp/merged.json"
}

# with_workers STORE N PROGRAM OPTION...: a coordinator, and N workers that wait for it; the result is the last report.  The store is new: in
# one whose last search is over, workers would end at once.
with_workers() {
        store=$1
        n=$2
        program=$3
        shift 3
        pids=
        while [ "$n" -gt 0 ]; do
                timeout -k 5 "$LIMIT" "$HEDDLE" worker "$store" -- "$program" </dev/null >/dev/null 2>"$tmp/worker$n" &
                pids="$pids $!"
                soon grep -q waiting "$tmp/worker$n" || bad="$bad a worker does not wait: $(cat "$tmp/worker$n")"
                n=$((n - 1))
        done
        heddle_check --keep-going --lease 2s "$@" "$program"
        for pid in $pids; do
                wait "$pid" || bad="$bad a worker ended with $?: $(cat "$tmp"/worker*)"
        done
}

# soon COMMAND...: waits until it succeeds, ten seconds at most.
soon() {
        tries=0
        while ! "$@" >/dev/null 2>&1; do
                tries=$((tries + 1))
                [ "$tries" -lt 500 ] || return 1
                sleep 0.02
        done
}

# running PID: the process has not ended.
running() { grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null; }

# same NAME: compares the last report with $tmp/wanted.
same() {
        counts "$tmp/got"
        why=$bad
        bad=
        cmp -s "$tmp/wanted" "$tmp/got" || why="$why the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

# killed NAME STORE ROUNDS PROGRAM OPTION...: a worker, and now and then the coordinator, is killed every 0.2 seconds.  Only processes that
# still ran count.
killed() {
        name=$1
        store=$2
        rounds=$3
        program=$4
        shift 4
        start_worker() { "$HEDDLE" worker "$store" -- "$program" </dev/null >/dev/null 2>&1 & }
        start_coordinator() {
                "$HEDDLE" check --keep-going --lease 1s --json "$tmp/killed.json" "$@" "$program" </dev/null >"$tmp/out" 2>"$tmp/err" &
                coordinator=$!
        }
        start_coordinator "$@"
        start_worker
        worker=$!
        kills=0
        coordinators=0
        round=0
        while running "$coordinator" && [ "$round" -lt "$rounds" ]; do
                sleep 0.2
                round=$((round + 1))
                running "$worker" && kills=$((kills + 1))
                kill -9 "$worker" 2>/dev/null
                wait "$worker" 2>/dev/null
                start_worker
                worker=$!
                [ $((round % 4)) = 0 ] || continue
                running "$coordinator" || break
                kill -9 "$coordinator"
                coordinators=$((coordinators + 1))
                wait "$coordinator" 2>/dev/null
                start_coordinator "$@"
        done
        wait "$coordinator" 2>/dev/null
        status=$?
        kill "$worker" 2>/dev/null
        wait "$worker" 2>/dev/null
        flatten "$tmp/killed.json"
        same "$name"
}

# taken_over NAME STORE PROGRAM OPTION...: a second coordinator waits for the first one, which is killed, and ends the search.
taken_over() {
        name=$1
        store=$2
        program=$3
        shift 3
        "$HEDDLE" check --keep-going --lease 3s "$@" "$program" </dev/null >/dev/null 2>&1 &
        coordinator=$!
        soon has_job "$store" || bad="$bad there is no job"
        kill -STOP "$coordinator" # so that the search is not over before the second one looks
        "$HEDDLE" check --keep-going --lease 3s --json "$tmp/second.json" "$@" "$program" </dev/null >"$tmp/out" 2>"$tmp/second" &
        second=$!
        soon grep -q 'another process coordinates' "$tmp/second" || bad="$bad the second one does not wait"
        running "$coordinator" || bad="$bad the search was over before"
        kill -9 "$coordinator"
        wait "$coordinator" 2>/dev/null
        wait "$second" || bad="$bad the second one ended with $?"
        flatten "$tmp/second.json"
        same "$name"
}

# stops NAME STORE OPTION...: a failure ends the coordinator and two workers, which are in the middle of their jobs.  The time from when a
# worker found it until the last worker has ended is printed; it depends on the machine, and does not count.
stops() {
        name=$1
        store=$2
        shift 2
        bad=
        "$HEDDLE" check --strategy optimal --json "$tmp/stops.json" "$@" "$tmp/rare" </dev/null >/dev/null 2>"$tmp/err" &
        coordinator=$!
        soon has_job "$store" || bad="$bad there is no job"
        pids=
        for n in 1 2; do
                timeout -k 5 "$LIMIT" "$HEDDLE" worker "$store" -- "$tmp/rare" </dev/null >/dev/null 2>"$tmp/worker$n" &
                pids="$pids $!"
        done
        for pid in $pids; do
                wait "$pid" || bad="$bad a worker ended with $?: $(cat "$tmp"/worker*)"
        done
        ended=$(date +%s%3N)
        wait "$coordinator"
        status=$?
        found=$("$HEDDLE" cluster "$store" | sed -n 's/.*found at \(.* UTC\)).*/\1/p')
        [ -n "$found" ] || bad="$bad the time of the failure is not known"
        why=$bad
        bad=
        differs "exit status" 1 "$status"
        flatten "$tmp/stops.json"
        differs failures 1 "$(field failures.0.count)"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
        echo "# $name: the last worker ended $((ended - $(date -ud "$found" +%s%3N))) ms after the failure was found"
}

#!/bin/sh
# Explorations by processes that were each started by themselves: shards put together (--shard, heddle merge).  The whole is that of
# one process: the same executions, outcomes, failures and races.
# Seconds: 25
. "$(dirname "$0")/../programs/lib.sh"
. "$(dirname "$0")/lib.sh"
rounds=6

build lastzero programs/lastzero.c -DN=7
build fib programs/fib.c -DN=4
build waiter programs/philosophers_waiter.c -DN=6
build counter programs/mutex_counter.c -DN=3 -DK=3
build failures litmus/two_failures/two_failures.c
build seats programs/philosophers_seats.c
build choose litmus/choose_branch/choose_branch.c
build iriw litmus/iriw/iriw.c
build ignored litmus/ignored_failures/ignored_failures.c -DASSERTED=2 -DSTATUS=0
build weak memory/litmus/figure_3_9.c -DN=2 -DGO_ON
build bakery bugs/locks.c -DBAKERY
build stack litmus/handed_over_stack/handed_over_stack.c

# sharded NAME N OPTION... PROGRAM: the merge of N shards says what the whole says.
sharded() {
        name=$1
        n=$2
        shift 2
        heddle_check --keep-going "$@"
        wanted=$status
        counts "$tmp/wanted"
        shards "$n" --plan "${PLAN:-5}" --keep-going "$@"
        merged
        counts "$tmp/got"
        why=$bad
        differs "exit status" "$wanted" "$status"
        cmp -s "$tmp/wanted" "$tmp/got" || why="$why the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
sharded shard_optimal 4 --strategy optimal "$tmp/lastzero"
sharded shard_auto 3 "$tmp/fib"
sharded shard_dpor 2 --strategy dpor "$tmp/waiter"
sharded shard_dfs 3 --strategy dfs "$tmp/failures"
sharded shard_locks 2 --strategy optimal "$tmp/counter"
sharded shard_failures 2 --strategy optimal "$tmp/failures"
sharded shard_choices 2 --strategy optimal "$tmp/choose"
sharded shard_outcomes 3 --strategy optimal --observe r1,r2,r3,r4 "$tmp/iriw"
sharded shard_ignored 2 --only leak "$tmp/ignored"
sharded shard_tso 2 --memory tso --strategy optimal --observe wrong "$tmp/weak"
sharded shard_pso 2 --memory pso --strategy dpor --observe wrong "$tmp/weak"
sharded shard_stack 2 --strategy optimal "$tmp/stack"
sharded shard_one 1 "$tmp/fib"
sharded shard_mcr 3 --strategy mcr "$tmp/fib"
sharded shard_mcr_failures 2 --strategy mcr "$tmp/failures"
sharded shard_mcr_outcomes 3 --strategy mcr --observe r1,r2,r3,r4 "$tmp/iriw"
sharded shard_mcr_tso 2 --memory tso --strategy mcr --observe wrong "$tmp/weak"
sharded shard_maximal 2 --strategy deepen --maximal --test-locks "$tmp/bakery"

# The need for some branches is found by several shards, and what several of them have run counts once.
PLAN=60
sharded shard_overlap 4 --strategy optimal "$tmp/seats"
if [ "$(field shard.duplicates)" -gt 0 ]; then pass shard_duplicates; else fail shard_duplicates "there are none"; fi

# balanced NAME SOURCE FLAG...: four shards run at most 1.3 times what one process runs, redundant executions and plans included, and none
# of them more than 0.4 of it.
balanced() {
        row=$1
        shift
        build balanced "$@"
        heddle_check --keep-going --strategy optimal "$tmp/balanced"
        whole=$(($(field executions) + $(field blocked)))
        shards 4 --keep-going --strategy optimal "$tmp/balanced"
        all=0
        most=0
        for report in $reports; do
                flatten "$report"
                work=$(($(field executions) + $(field blocked)))
                [ "$(field shard.index)" = 1 ] || work=$((work + $(field shard.planned)))
                all=$((all + work))
                [ "$work" -le "$most" ] || most=$work
        done
        why=$bad
        [ $((all * 10)) -le $((whole * 13)) ] || why="$why all shards run $all executions, and one process $whole"
        [ $((most * 10)) -le $((whole * 4)) ] || why="$why one shard runs $most of $whole executions"
        if [ -z "$why" ]; then pass "$row"; else fail "$row" "$why"; fi
}
balanced balance_waiter programs/philosophers_waiter.c -DN=7
balanced balance_readers programs/readers.c -DN=13
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        balanced balance_lastzero programs/lastzero.c -DN=14
        balanced balance_counter programs/mutex_counter.c -DN=3 -DK=4
        balanced balance_fib programs/fib.c -DN=6
        balanced balance_sigma programs/sigma.c -DN=7
fi

# Random programs, as the oracle has them.
tests=$root/tests/oracle
programs=${PROGRAMS:-8}
[ -z "${HEDDLE_TEST_LONG:-}" ] || programs=100
if "$tests/build.sh" "$tmp/oracle" 2>"$tmp/err" && "$tmp/oracle/generate" -l 2000 "${SEED:-99}" "$programs" >"$tmp/random.c" &&
        "$HEDDLE" cc -O0 -g -pthread "$tmp/random.c" -o "$tmp/random" 2>"$tmp/err"; then
        i=0
        bad_programs=
        while [ "$i" -lt "$programs" ] && [ -z "$bad_programs" ]; do
                for strategy in optimal dpor mcr; do
                        [ "$strategy" != dpor ] || [ $((i % 4)) = 0 ] || continue
                        set -- --keep-going --strategy "$strategy" --observe r,x "$tmp/random" "$i"
                        heddle_check "$@"
                        counts "$tmp/wanted"
                        shards 3 --plan $((i % 3 + 1)) "$@"
                        merged
                        if grep -q 'shards know different things' "$tmp/flat"; then # as the report says
                                for shard in 1 2 3; do mv "$tmp/shard$shard.json" "$tmp/known$shard.json"; done
                                shards 3 --plan $((i % 3 + 1)) --known "$tmp/known1.json" --known "$tmp/known2.json" --known "$tmp/known3.json" "$@"
                                merged
                        fi
                        counts "$tmp/got"
                        cmp -s "$tmp/wanted" "$tmp/got" && [ -z "$bad" ] || bad_programs="$bad_programs $i ($strategy)$bad"
                done
                i=$((i + 1))
        done
        if [ -z "$bad_programs" ]; then pass shard_random; else fail shard_random "other counts: $bad_programs $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"; fi
else
        fail shard_random "cannot be built"
fi

# refused NAME PATTERN REPORT...
refused() {
        name=$1
        pattern=$2
        shift 2
        timeout -k 5 "$LIMIT" "$HEDDLE" merge "$@" >"$tmp/out" 2>"$tmp/err"
        status=$?
        why=
        differs "exit status" 2 "$status"
        grep -q -e "$pattern" "$tmp/err" || why="$why no '$pattern'"
        [ "$(wc -l <"$tmp/err")" = 1 ] || why="$why not one line"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
shards 2 "$tmp/fib" 7
mv "$tmp/shard1.json" "$tmp/foreign.json"
shards 3 "$tmp/fib"
mv "$tmp/shard1.json" "$tmp/third.json"
FOREIGN=1 shards 2 "$tmp/fib"
mv "$tmp/shard1.json" "$tmp/elsewhere.json"
shards 2 "$tmp/fib"
refused merge_missing 'shard 2/2 is missing' "$tmp/shard1.json"
refused merge_double 'is there twice' "$tmp/shard1.json" "$tmp/shard1.json"
refused merge_double_all 'is there twice' "$tmp/shard1.json" "$tmp/shard2.json" "$tmp/shard2.json"
refused merge_arguments 'other arguments' "$tmp/foreign.json" "$tmp/shard2.json"
refused merge_environment 'another environment' "$tmp/elsewhere.json" "$tmp/shard2.json"
refused merge_number 'one of 3 shards' "$tmp/third.json" "$tmp/shard2.json"
refused merge_nothing 'No such file' "$tmp/nothing.json" "$tmp/shard2.json"
refused merge_no_report 'is not the report of a shard' "$tmp/fib" "$tmp/shard2.json"
sed 's/"data": "\(.\{4000\}\)./"data": "\1A/' "$tmp/shard1.json" >"$tmp/damaged.json"
cmp -s "$tmp/shard1.json" "$tmp/damaged.json" && sed 's/"data": "\(.\{4000\}\)./"data": "\1B/' "$tmp/shard1.json" >"$tmp/damaged.json"
refused merge_damaged 'is damaged' "$tmp/damaged.json" "$tmp/shard2.json"
refused merge_no_files 'name the reports'

# Jobs in a directory: the same executions with any number of workers, and whichever is killed.
bad=
build longer programs/fib.c -DN=5
heddle_check --keep-going --strategy optimal "$tmp/longer"
counts "$tmp/wanted"
for workers in 0 2; do
        with_workers "$tmp/spool$workers" "$workers" "$tmp/longer" --spool "$tmp/spool$workers" --strategy optimal
        same "spool_$workers"
done
heddle_check --keep-going --strategy mcr "$tmp/longer"
counts "$tmp/wanted"
with_workers "$tmp/spool_mcr" 2 "$tmp/longer" --spool "$tmp/spool_mcr" --strategy mcr
same spool_mcr
killed spool_mcr_killed "$tmp/spool" 4 "$tmp/longer" --spool "$tmp/spool" --strategy mcr
heddle_check --keep-going --strategy optimal "$tmp/longer"
counts "$tmp/wanted"
killed spool_killed "$tmp/spool" "$rounds" "$tmp/longer" --spool "$tmp/spool" --strategy optimal

# has_job STORE: a job waits for its answer, and none has one.
has_job() {
        case $1 in
        redis:*)
                key=heddle:${1##*/}
                [ "$(cli xlen "$key:jobs")" -gt 0 ] && [ "$(cli hlen "$key:bodies")" -gt 0 ] && [ "$(cli hlen "$key:results")" = 0 ]
                ;;
        *) find "$1/jobs" "$1/taken" -type f | grep -q . && ! find "$1/results" -type f | grep -q . ;;
        esac
}
# begun KIND STORE OPTION... PROGRAM: a search by --spool or --cluster that was killed while a job was under way.
begun() {
        kind=$1
        store=$2
        shift 2
        for _ in 1 2 3 4 5 6 7 8 9 10; do
                "$HEDDLE" check --lease 1s "$kind" "$store" "$@" </dev/null >/dev/null 2>&1 &
                coordinator=$!
                soon has_job "$store"
                kill -9 "$coordinator"
                wait "$coordinator" 2>/dev/null
                sleep 0.1 # its worker ends, too
                has_job "$store" && return
        done
        bad="$bad there is no job"
}
# What one process has stored continues in a directory, and the other way round; nothing counts twice.
for strategy in optimal mcr; do
        heddle_check --keep-going --strategy $strategy "$tmp/waiter"
        counts "$tmp/wanted"
        heddle_check --keep-going --strategy $strategy --executions 30 --save "$tmp/saved" "$tmp/waiter"
        heddle_check --keep-going --strategy $strategy --resume "$tmp/saved" --spool "$tmp/resumed" "$tmp/waiter"
        same "spool_resumes_$strategy"
        heddle_check --keep-going --strategy $strategy --executions 30 --save "$tmp/saved" --spool "$tmp/limited" "$tmp/waiter"
        differs executions 30 "$(field executions)"
        rm -r "$tmp/limited"
        heddle_check --keep-going --strategy $strategy --resume "$tmp/saved" --spool "$tmp/resumed" "$tmp/waiter"
        same "spool_saves_$strategy"
done
heddle_check --keep-going --strategy optimal "$tmp/longer"
counts "$tmp/wanted"
taken_over spool_taken_over "$tmp/over" "$tmp/longer" --spool "$tmp/over" --strategy optimal
build rare programs/fib.c -DN=6 -DWRONG
stops spool_stops "$tmp/stops" --spool "$tmp/stops"
# Garbage among jobs and results does not count, even under the name of a result that is waited for.
begun --spool "$tmp/garbage" --keep-going --strategy optimal "$tmp/longer"
for job in "$tmp/garbage/jobs"/* "$tmp/garbage/taken"/*; do
        job=${job##*/}
        case $job in [0-9a-f]*) echo garbage >"$tmp/garbage/results/${job%%.*}" ;; esac
done
for folder in jobs results workers; do
        echo garbage | tee "$tmp/garbage/$folder/0123456789abcdef" >"$tmp/garbage/$folder/garbage"
done
heddle_check --keep-going --strategy optimal --spool "$tmp/garbage" "$tmp/longer"
same spool_garbage

heddle_check --keep-going --strategy dpor --observe r1,r2,r3,r4 "$tmp/iriw"
counts "$tmp/wanted"
with_workers "$tmp/spool1" 1 "$tmp/iriw" --spool "$tmp/spool1" --strategy dpor --observe r1,r2,r3,r4
same spool_outcomes
heddle_check "$tmp/failures"
wanted=$status
heddle_check --spool "$tmp/spool" "$tmp/failures"
if [ "$status" = "$wanted" ] && [ "$status" = 1 ]; then pass spool_failure; else fail spool_failure "exit status $status, not $wanted"; fi

# foreign NAME STORE OPTION: a worker with another program is refused.
foreign() {
        "$HEDDLE" check "$3" "$2" --strategy dfs "$tmp/waiter" </dev/null >/dev/null 2>&1 &
        coordinator=$!
        timeout -k 5 20 "$HEDDLE" worker "$2" -- "$tmp/fib" </dev/null >"$tmp/out" 2>"$tmp/err"
        status=$?
        kill -9 "$coordinator"
        wait "$coordinator" 2>/dev/null
        why=
        differs "exit status" 2 "$status"
        grep -q 'another program' "$tmp/err" || why="$why: $(cat "$tmp/err")"
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}
foreign spool_foreign "$tmp/foreign" --spool
# A worker with other arguments, and one with another environment, is refused.
refused_worker() {
        name=$1
        pattern=$2
        shift 2
        begun --spool "$tmp/identity" --strategy optimal "$tmp/longer"
        timeout -k 5 20 env "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
        status=$?
        why=$bad
        bad=
        differs "exit status" 2 "$status"
        grep -q -e "$pattern" "$tmp/err" || why="$why no '$pattern': $(cat "$tmp/err")"
        [ "$(wc -l <"$tmp/err")" = 1 ] || why="$why not one line"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
refused_worker spool_arguments 'other arguments' "$HEDDLE" worker "$tmp/identity" -- "$tmp/longer" more
refused_worker spool_environment 'another environment' MORE=1 "$HEDDLE" worker "$tmp/identity" -- "$tmp/longer"
# Watching makes nothing, and an address that is none is refused.
timeout -k 5 20 "$HEDDLE" cluster "$tmp/nothing" >"$tmp/out" 2>"$tmp/err"
status=$?
if [ "$status" = 2 ] && [ ! -e "$tmp/nothing" ] && grep -q 'there is no search' "$tmp/err"; then pass watch_nothing; else fail watch_nothing "exit status $status"; fi
timeout -k 5 20 "$HEDDLE" worker "http://$tmp/nothing" -- "$tmp/fib" >"$tmp/out" 2>"$tmp/err"
status=$?
if [ "$status" = 2 ] && grep -q 'not the address of a search' "$tmp/err"; then pass worker_address; else fail worker_address "exit status $status"; fi

# What cannot be shared, and what is damaged or full: one line, and no verdict.
# hostile NAME PATTERN OPTION... PROGRAM
hostile() {
        name=$1
        pattern=$2
        shift 2
        timeout -k 5 30 "$HEDDLE" check --lease 1s --strategy optimal "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
        status=$?
        why=
        differs "exit status" 2 "$status"
        grep -q -e "$pattern" "$tmp/err" || why="$why no '$pattern': $(tail -n 1 "$tmp/err")"
        [ "$(wc -l <"$tmp/err")" = 1 ] || why="$why not one line"
        [ ! -s "$tmp/out" ] || why="$why there is a report"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
build large programs/lastzero.c -DN=16
hostile spool_strategy '--spool: --strategy icb cannot be shared' --strategy icb --spool "$tmp/hostile" "$tmp/fib"
begun --spool "$tmp/hostile" --strategy optimal "$tmp/large"
for job in "$tmp/hostile/jobs/"* "$tmp/hostile/taken/"*; do
        [ ! -f "$job" ] || printf forged | dd of="$job" bs=1 seek=30 conv=notrunc 2>/dev/null
done
hostile spool_damaged 'a job is damaged' --spool "$tmp/hostile" "$tmp/large"
# A job and a state that are whole, but belong to other searches.
begun --spool "$tmp/forged" --strategy optimal "$tmp/large"
begun --spool "$tmp/forged2" --strategy dpor "$tmp/large"
for job in "$tmp/forged/jobs"/* "$tmp/forged/taken"/*; do
        [ ! -f "$job" ] || cat "$tmp/forged2"/[jt]*[sn]/* >"$job"
done
hostile spool_forged 'a job is damaged' --spool "$tmp/forged" "$tmp/large"
cp "$tmp/forged2/state" "$tmp/forged/state"
hostile spool_forged_state 'the state of the search is damaged' --spool "$tmp/forged" "$tmp/large"
rm "$tmp/forged/state" && mkfifo "$tmp/forged/state"
hostile spool_pipe 'not a file of a search' --spool "$tmp/forged" "$tmp/large"
timeout -k 5 1 "$HEDDLE" check --strategy optimal --spool "$tmp/hostile3" "$tmp/large" </dev/null >/dev/null 2>&1
hostile spool_other_program 'a search of another program in this place' --spool "$tmp/hostile3" "$tmp/fib"
printf forged | dd of="$tmp/hostile3/state" bs=1 seek=40 conv=notrunc 2>/dev/null
hostile spool_damaged_state 'the state of the search is damaged' --spool "$tmp/hostile3" "$tmp/large"
if [ "$(id -u)" = 0 ] && mkdir -p "$tmp/full" && mount -t tmpfs -o size=64k tmpfs "$tmp/full" 2>/dev/null; then
        hostile spool_full 'No space left' --spool "$tmp/full" "$tmp/large"
        umount "$tmp/full"
fi

# The same with a Redis server of our own, on the loopback alone.
if command -v redis-server >/dev/null 2>&1; then
        port=$((20000 + $$ % 20000))
        redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes --requirepass secret --dir "$tmp" >"$tmp/redis" 2>&1 &
        server=$!
        for _ in 1 2 3 4 5 6 7 8 9 10; do
                redis-cli -p "$port" -a secret ping >/dev/null 2>&1 && break
                sleep 0.1
        done
        url=redis://:secret@127.0.0.1:$port/search
        heddle_check --keep-going --strategy optimal "$tmp/longer"
        counts "$tmp/wanted"
        with_workers "$url" 2 "$tmp/longer" --cluster "$url" --strategy optimal
        same redis_2
        killed redis_killed "$url" "$rounds" "$tmp/longer" --cluster "$url" --strategy optimal
        cli() { redis-cli -p "$port" -a secret "$@" 2>/dev/null; }
        taken_over redis_taken_over "${url%search}over" "$tmp/longer" --cluster "${url%search}over" --strategy optimal
        stops redis_stops "${url%search}stops" --cluster "${url%search}stops"
        # The group of workers is removed under the feet of the search.
        lose() { # tries until there is a group, which is long before the search ends
                tries=0
                while [ "$(cli xgroup destroy heddle:lost:jobs w)" != 1 ]; do
                        tries=$((tries + 1))
                        [ "$tries" -lt 2000 ] || return
                done
                : >"$tmp/removed"
        }
        heddle_check --keep-going --strategy optimal "$tmp/longer"
        counts "$tmp/wanted"
        lose >/dev/null &
        disturber=$!
        with_workers "${url%search}lost" 1 "$tmp/longer" --cluster "${url%search}lost" --strategy optimal
        wait "$disturber"
        [ -f "$tmp/removed" ] || bad="$bad nothing was removed"
        same redis_no_group
        refused_cluster() {
                timeout -k 5 20 "$HEDDLE" check --cluster "$3" "$tmp/fib" </dev/null >"$tmp/out" 2>"$tmp/err"
                status=$?
                why=
                differs "exit status" 2 "$status"
                grep -q -e "$2" "$tmp/err" || why="$why no '$2': $(cat "$tmp/err")"
                if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
        }
        refused_cluster redis_password 'refuses the user or the password' "redis://:wrong@127.0.0.1:$port/search"
        refused_cluster redis_no_server 'refused' "redis://127.0.0.1:1/search"
        refused_cluster redis_no_name 'malformed' "redis://127.0.0.1:$port/"
        refused_cluster redis_tls 'stunnel' "rediss://:secret@127.0.0.1:$port/search"
        cli set heddle:type:jobs garbage >/dev/null
        hostile redis_type WRONGTYPE --cluster "${url%search}type" "$tmp/fib"
        begun --cluster "${url%search}damaged" --strategy optimal "$tmp/large"
        for job in $(cli hkeys heddle:damaged:bodies); do
                cli hset heddle:damaged:bodies "$job" garbage >/dev/null
        done
        hostile redis_damaged 'a job is damaged' --cluster "${url%search}damaged" "$tmp/large"
        cli client pause 2000 all >/dev/null
        with_workers "${url%search}slow" 1 "$tmp/longer" --cluster "${url%search}slow" --strategy optimal
        same redis_slow
        hostile redis_strategy '--cluster: --strategy icb cannot be shared' --strategy icb --cluster "$url" "$tmp/fib"
        cli config set maxmemory 1mb >/dev/null
        hostile redis_full 'OOM' --cluster "redis://:secret@127.0.0.1:$port/full" "$tmp/large"
        cli config set maxmemory 0 >/dev/null
        foreign redis_foreign "redis://:secret@127.0.0.1:$port/other" --cluster
        kill "$server"
        wait "$server" 2>/dev/null
fi
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        if "$(dirname "$0")/long.sh" >"$tmp/long"; then pass long; else fail long "$(grep FAIL "$tmp/long" | head -n 3)"; fi
fi
finish

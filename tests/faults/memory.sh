# heddle without memory: whichever of its allocations fails, it ends with the true result, or with status 3 and a message,
# and leaves no process behind.  Sourced by run.sh.  SAMPLES allocations of each row; with HEDDLE_TEST_LONG every one.
SAMPLES=${SAMPLES:-3}
${CC:-cc} -O1 -shared -fPIC -w -o "$tmp/nth.so" "$root/tests/faults/nth.c" || fail memory "nth.c does not compile"

# result: what must be the same.
result() {
        awk -F "$tab" '$1 == "verdict" || $1 ~ /^failures\.[0-9]+\.kind$/ { print $2 }' "$tmp/flat" | tr '\n' ' '
}

# starved NTH OPTION...: one check with the NTH allocation failing (0: none).
starved() {
        nth=$1
        shift
        # shellcheck disable=SC2086
        LD_PRELOAD=$tmp/nth.so NTH=$nth COUNT=$tmp/count timeout -k 5 "$LIMIT" "$HEDDLE" check --json "$tmp/json" "$@" \
                "$program" </dev/null >"$tmp/out" 2>"$tmp/err"
        status=$?
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>/dev/null || : >"$tmp/flat"
}

# memory SOURCE FLAGS OPTIONS
memory() {
        # shellcheck disable=SC2086
        build "$root/tests/$1" $2
        name="memory $(basename "$program") $3"
        # shellcheck disable=SC2086
        starved 0 $3
        total=$(cat "$tmp/count")
        true_status=$status
        true_result=$(result)
        step=$((total / SAMPLES + 1))
        [ -n "${HEDDLE_TEST_LONG:-}" ] && step=1
        why=
        nth=$((step > 1 ? 1 + ${#name} % step : 1)) # another one for each row
        while [ "$nth" -le "$total" ] && [ -z "$why" ]; do
                at=$nth
                # shellcheck disable=SC2086
                starved "$nth" $3
                if [ "$status" = 3 ]; then
                        grep -q 'out of memory' "$tmp/err" || why="status 3 without a message"
                else
                        differs "exit status" "$true_status" "$status"
                        differs result "$true_result" "$(result)"
                fi
                # what it started dies with it, but not at once
                tries=0
                while pgrep -f "$program" >/dev/null 2>&1; do
                        tries=$((tries + 1))
                        [ "$tries" -le 50 ] || break
                        sleep 0.1
                done
                [ "$tries" -le 50 ] || why="$why${why:+; }a process is left"
                nth=$((at + step))
        done
        if [ -z "$why" ] && [ -n "$total" ]; then pass "$name"; else fail "$name" "allocation $at of $total: $why"; fi
}

memory programs/mutex_counter.c '-DN=2 -DK=1' '--strategy optimal'
memory programs/mutex_counter.c '-DN=2 -DK=1' '--strategy dpor'
memory programs/plain_inc.c '' '--strategy auto'
memory programs/philosophers.c '' '--strategy icb'
memory programs/fib.c '-DN=2' '--strategy dfs'
memory programs/rwlock.c '' '--strategy deepen'
memory programs/cas.c '' '--strategy filters --preempt sync'
memory programs/work_queue.c '' '--strategy random --executions 50'
memory programs/barrier.c '' '--strategy pct --executions 50'
memory programs/account.c '' '--memory tso --keep-going --html /dev/null'
memory programs/lastzero.c '-DN=2' '--jobs 2 --strategy optimal'
memory faults/kill_self.c '-DLOST=1' '--keep-going --observe x --isolate fork'

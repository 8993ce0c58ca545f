# Ctrl-C: once, and there is a partial result and exit status 4; twice, and it ends at once.  Sourced by run.sh.
build "$root/tests/programs/mutex_counter.c" -DN=5 -DK=3

# A shell makes what it starts in the background ignore SIGINT; heddle handles it even so.  SIGHUP may be ignored (nohup),
# which heddle respects.
start() {
        rm -f "$tmp/err" "$tmp/json"
        env --default-signal=HUP "$HEDDLE" check --json "$tmp/json" --progress always "$@" </dev/null >"$tmp/out" 2>"$tmp/err" &
        explorer=$!
        tries=0
        until [ -s "$tmp/err" ] || [ "$tries" -ge 100 ]; do
                sleep 0.1
                tries=$((tries + 1))
        done
}

# ... and timeout(1) sends it twice, once to the group.
for signal in INT TERM HUP; do
        start "$program"
        kill -"$signal" "$explorer"
        kill -"$signal" "$explorer"
        wait "$explorer"
        status=$?
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
        why=
        differs "exit status" 4 "$status"
        differs verdict unknown "$(field verdict)"
        differs why_incomplete interrupted "$(field why_incomplete)"
        [ "$(field executions)" -gt 0 ] 2>/dev/null || why="$why${why:+; }no executions so far"
        grep -q 'not everything was explored: interrupted' "$tmp/out" || why="$why${why:+; }no partial report"
        if [ -z "$why" ]; then pass "interrupt $signal"; else fail "interrupt $signal" "$why"; fi
done

# The second one ends a heddle that does not come to look at the first: the compiler is stuck.
mkdir -p "$tmp/stuck"
printf '#!/bin/sh\necho x >&2\nexec sleep 60\n' >"$tmp/stuck/clang" && chmod +x "$tmp/stuck/clang"
PATH=$tmp/stuck:$PATH
start --compiler clang "$root/examples/lost_update.c"
PATH=${PATH#*:}
kill -INT "$explorer"
sleep 0.5
kill -INT "$explorer"
before=$(date +%s)
wait "$explorer"
status=$?
why=
differs "exit status" 4 "$status"
[ $(($(date +%s) - before)) -le 5 ] || why="$why${why:+; }it took more than 5 seconds"
if [ -z "$why" ]; then pass "interrupt twice"; else fail "interrupt twice" "$why"; fi

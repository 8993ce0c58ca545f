# --time, and Ctrl-C, end an execution that never ends, and what it takes to learn from one of a million events.  Sourced by
# run.sh.

# late NAME OPTION...: --time 1s is kept, but for some seconds on a busy machine, and reported.
late() {
        name=$1
        shift
        before=$(date +%s)
        heddle_check --time 1s "$@" "$program"
        why=
        differs "exit status" 4 "$status"
        differs verdict unknown "$(field verdict)"
        [ $(($(date +%s) - before)) -le 15 ] || why="$why${why:+; }it took more than 15 seconds"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}

build "$root/tests/faults/endless.c"
for strategy in auto deepen filters; do
        late "late $strategy" --strategy "$strategy"
done
build "$root/tests/faults/long_trace.c"
for strategy in filters icb; do
        late "late long $strategy" --strategy "$strategy"
done
build "$root/tests/faults/endless.c" -DQUIET
late "late quiet"
differs why_incomplete "the limit of --time was reached" "$(field why_incomplete)"
if [ -z "$why" ]; then pass "late reported"; else fail "late reported" "$why"; fi
rm -f "$tmp/kept"
late "late shared" --jobs 2 --strategy optimal --save "$tmp/kept"
late "late resumed" --jobs 2 --strategy optimal --resume "$tmp/kept"

"$HEDDLE" check "$program" </dev/null >"$tmp/out" 2>"$tmp/err" &
explorer=$!
sleep 2
kill -INT "$explorer"
before=$(date +%s)
wait "$explorer"
status=$?
why=
differs "exit status" 4 "$status"
[ $(($(date +%s) - before)) -le 5 ] || why="$why${why:+; }it took more than 5 seconds"
grep -q 'not everything was explored: interrupted' "$tmp/out" || why="$why${why:+; }no partial report"
if [ -z "$why" ]; then pass "late interrupted"; else fail "late interrupted" "$why"; fi

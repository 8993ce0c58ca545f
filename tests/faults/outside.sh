# The target killed from outside, 12 times in one exploration, or a hundred with HEDDLE_TEST_LONG=1: the figures are those of an
# undisturbed one (tests/programs/counts-long.tsv).  Sourced by run.sh.
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        KILLS=${KILLS:-100} count=369600
        build "$root/tests/programs/mutex_counter.c" -DN=4 -DK=3
else
        KILLS=${KILLS:-12} count=113400
        build "$root/tests/programs/mutex_counter.c" -DN=5 -DK=2
fi
"$HEDDLE" check --strategy dpor --json "$tmp/disturbed" "$program" </dev/null >"$tmp/out" 2>"$tmp/err" &
explorer=$!
kills=0
before=
while [ "$kills" -lt "$KILLS" ] && kill -0 "$explorer" 2>/dev/null; do
        read -r child _ 2>/dev/null <"/proc/$explorer/task/$explorer/children" || : # the line has no end
        if [ -n "$child" ] && [ "$child" != "$before" ]; then
                sleep 0.03 # so that it comes to run something
                kill -KILL "$child" 2>/dev/null && kills=$((kills + 1))
                before=$child
        fi
        sleep 0.005
done
wait "$explorer"
status=$?
awk -f "$json_awk" <"$tmp/disturbed" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
why=
differs "number of kills" "$KILLS" "$kills"
differs "exit status" 0 "$status"
differs verdict safe "$(field verdict)"
differs executions "$count" "$(field executions)"
if [ -z "$why" ]; then pass outside; else fail outside "$why"; fi

# A target that is lost once, in several ways, costs one execution: the figures are those of the same program without it.
# Sourced by run.sh.
for kind in 1 3 '3 -DPATTERN=0' '3 -DPATTERN=1' '3 -DPATTERN=0x41'; do
        why=
        FAULT_MARKER=$tmp/marker
        export FAULT_MARKER
        rm -f "$FAULT_MARKER"
        # shellcheck disable=SC2086
        heddle_check --strategy dpor -DKIND=$kind "$root/tests/faults/once.c"
        differs "exit status" 0 "$status"
        differs verdict safe "$(field verdict)"
        differs executions 90 "$(field executions)"
        [ -e "$FAULT_MARKER" ] || why="$why${why:+; }the fault did not happen"
        if [ -z "$why" ]; then pass "once KIND=$kind"; else fail "once KIND=$kind" "$why"; fi
        unset FAULT_MARKER
done

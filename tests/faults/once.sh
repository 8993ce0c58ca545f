# A target that is lost once, in several ways, costs one execution: the figures are those of the same program without it.
# Sourced by run.sh.
for kind in 1 3 '3 -DPATTERN=0' '3 -DPATTERN=1' '3 -DPATTERN=0x41'; do
        why=
        FAULT_MARKER=$tmp/marker
        export FAULT_MARKER
        rm -f "$FAULT_MARKER"
        mkfifo "$FAULT_MARKER"
        exec 8<>"$FAULT_MARKER"
        printf x >&8
        # shellcheck disable=SC2086
        heddle_check --strategy dpor -DKIND=$kind "$root/tests/faults/once.c"
        differs "exit status" 0 "$status"
        differs verdict safe "$(field verdict)"
        differs executions 90 "$(field executions)"
        printf y >&8
        [ "$(dd bs=1 count=1 <&8 2>/dev/null)" = y ] || why="$why${why:+; }the fault did not happen"
        exec 8>&-
        if [ -z "$why" ]; then pass "once KIND=$kind"; else fail "once KIND=$kind" "$why"; fi
        unset FAULT_MARKER
done

#!/bin/sh
# Ten million executions in one exploration, without the memory of the explorer growing: its size after the first seconds
# and at the end.  Only in long runs.  EXECUTIONS sets another number.
. "$(dirname "$0")/lib.sh"

build "$root/tests/programs/floating_read.c" -DN=10 || fail memory "cannot be built"
"$HEDDLE" check --strategy optimal --executions "${EXECUTIONS:-10000000}" --quiet --json "$tmp/json" "$program" \
        </dev/null >/dev/null 2>&1 &
explorer=$!
early= late=
while kill -0 "$explorer" 2>/dev/null; do
        sleep 2
        now=$(sed -n 's/^VmRSS:[ \t]*\([0-9]*\).*/\1/p' "/proc/$explorer/status" 2>/dev/null)
        [ -n "$now" ] || continue
        early=${early:-$now}
        late=$now
done
if [ -n "$early" ] && [ "$late" -le $((early + 1024)) ]; then
        pass "memory: ${early} KiB early, ${late} KiB late"
else
        fail memory "$early KiB early, $late KiB late"
fi
finish

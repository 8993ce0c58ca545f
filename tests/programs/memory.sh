#!/bin/sh
# Ten million executions in one exploration, without the memory of the explorer and its target growing: their size after
# one million and at the end.  Only in long runs.  EXECUTIONS sets another number.
. "$(dirname "$0")/lib.sh"

most=${EXECUTIONS:-10000000}
build "$root/tests/programs/floating_read.c" -DN=10 || fail memory "cannot be built"
"$HEDDLE" check --strategy optimal --executions "$most" --quiet --progress always "$program" \
        </dev/null >/dev/null 2>"$tmp/progress" &
explorer=$!

# KiB in use by the explorer and its target.
in_use() {
        for pid in "$explorer" $(cat "/proc/$explorer/task/$explorer/children" 2>/dev/null); do
                sed -n 's/^VmRSS:[ \t]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null
        done | awk '{ sum += $1 } END { print sum + 0 }'
}

early= late=0
while kill -0 "$explorer" 2>/dev/null; do
        sleep 1
        done=$(tail -c 400 "$tmp/progress" | tr '\r' '\n' | sed -n 's/^[^0-9]*\([0-9][0-9]*\) executions.*/\1/p' | tail -n 1)
        now=$(in_use)
        [ "$now" -gt 0 ] || continue
        late=$now
        [ -n "$early" ] || [ "${done:-0}" -lt $((most / 10)) ] || early=$now
done
wait "$explorer"
if [ -n "$early" ] && [ "$late" -le $((early + 1024)) ]; then
        pass "memory: $early KiB after $((most / 10)) executions, $late KiB after $most"
else
        fail memory "$early KiB after $((most / 10)) executions, $late KiB after $most"
fi
finish

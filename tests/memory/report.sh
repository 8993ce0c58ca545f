#!/bin/sh
# What users see of weak memory: the story, the table, steps, schedule texts and trace files that know their memory model.
set -u
cd "$(dirname "$0")/../../examples" || exit 3
HEDDLE=${HEDDLE:-../build/heddle}
case $HEDDLE in /*) ;; *) HEDDLE=$(cd .. && cd "$(dirname "$HEDDLE")" && pwd)/$(basename "$HEDDLE") ;; esac
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT
failed=0

# expect NAME STATUS PATTERN... -- COMMAND...: each pattern is in the output, lines joined.
expect() {
        name=$1 status=$2 why=
        shift 2
        : >"$out/patterns"
        while [ "$1" != -- ]; do
                printf '%s\n' "$1" >>"$out/patterns"
                shift
        done
        shift
        COLUMNS=120 LC_ALL=C "$@" >"$out/log" 2>&1 </dev/null
        got=$?
        tr -s ' \n' '  ' <"$out/log" >"$out/line"
        [ $got = "$status" ] || why="status $got, not $status"
        while IFS= read -r pattern; do
                grep -q -e "$pattern" "$out/line" || why="no '$pattern'"
        done <"$out/patterns"
        if [ -z "$why" ]; then
                echo "PASS memory/$name"
        else
                echo "FAIL memory/$name: $why"
                sed 's/^/    /' "$out/log" | head -n 40
                failed=1
        fi
}

field() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$2" | head -n 1; }

expect story_tso 1 \
        'T1 reads flag\[1\] = 0 (flags.c:24, step [0-9]*): T2.s flag\[1\] = 1 (flags.c:20, step [0-9]*) is still in T2.s store buffer' \
        'repair: a full fence, atomic_thread_fence(memory_order_seq_cst), between' 'between flag\[1\] = 1' \
        'unavoidable' -- "$HEDDLE" check --memory tso --trace "$out/flags.trace" --json "$out/flags.json" flags.c
expect story_pso 1 \
        'T2 reads message.length = 0 (publish.c:33, step [0-9]*): T1.s message.length = 5 .* still in T1.s store buffer, though T1.s ready = 1 (publish.c:26, step [0-9]*), stored after it, is there since step' \
        'repair: store with memory_order_release: ready = 1 (publish.c:26' \
        -- "$HEDDLE" check --memory pso --trace "$out/publish.trace" publish.c
cat >"$out/order.c" <<'PROGRAM'
#include <assert.h>
#include <pthread.h>
static volatile int x, y;
static void *left(void *arg)
{
        x = 1;
        y = 2;
        return arg;
}
int main(void)
{
        pthread_t t;
        pthread_create(&t, NULL, left, NULL);
        y = 1;
        x = 2;
        pthread_join(t, NULL);
        assert(x != 1 || y != 1);
        return 0;
}
PROGRAM
expect order_2+2w 1 'T[01].s [xy] = 1 (order.c:[0-9]*, step [0-9]*) waits in T[01].s store buffer while T[01].s [xy] = 2 (order.c:[0-9]*, step [0-9]*)' -- \
        "$HEDDLE" check --memory pso "$out/order.c"
expect fence_tso 0 'No failure' -- "$HEDDLE" check --memory tso -DFENCE flags.c
expect release_pso 0 'No failure' -- "$HEDDLE" check --memory pso -DORDER=memory_order_release publish.c

# A trace file of sources, and of a program: replay, explain, report and gdb know the memory model from it.
expect replay_trace 1 'flag\[0\] = 1 (in its store buffer until step' 'atomic load flag\[0\] = 0 (T1.s flag\[0\] = 1 of step' \
        'flag\[0\] = 1 of step [0-9]* reaches memory' 'inside == 1. failed' -- "$HEDDLE" replay --steps "$out/flags.trace"
expect explain_trace 1 'simplified to 0 preemptions' 'still in T1.s store buffer' -- "$HEDDLE" explain "$out/flags.trace"
expect report_trace 0 'still in T1.s store buffer' 'repair: a full fence' "Replay: heddle replay '.*' --memory=tso flags.c" -- \
        "$HEDDLE" report "$out/flags.trace"
expect report_trace_json 0 '"memory": "tso"' -- "$HEDDLE" report --json - "$out/flags.trace"
"$HEDDLE" cc -g -o "$out/flags" flags.c -pthread
"$HEDDLE" check --memory tso --posix-fences --wakeup mutex=fifo --trace "$out/program.trace" "$out/flags" >/dev/null 2>&1
expect replay_program_trace 1 'inside == 1. failed' ':tso+posix,.*--posix-fences --memory=tso --wakeup=mutex=fifo -- ' -- \
        "$HEDDLE" replay "$out/program.trace"
expect replay_trace_other_program 1 'inside == 1. failed' -- "$HEDDLE" replay "$out/program.trace" -- "$out/flags"

# A schedule text says its memory model.
schedule=$(field schedule "$out/flags.json")
expect replay_text 1 'inside == 1. failed' -- "$HEDDLE" replay "$schedule" flags.c
expect replay_text_same 1 'inside == 1. failed' -- "$HEDDLE" replay --memory tso "$schedule" flags.c
expect replay_text_other 2 'the schedule needs --memory tso; leave' -- "$HEDDLE" replay --memory pso "$schedule" flags.c
expect replay_text_posix 2 'the schedule needs --memory tso; leave' -- "$HEDDLE" replay --posix-fences "$schedule" flags.c
bare=$(echo "$schedule" | sed 's/\.[0-9a-f]*:tso,/:/')
expect replay_text_bare 2 'name it with --memory tso or pso' -- "$HEDDLE" replay "$bare" flags.c
expect replay_text_bare_tso 1 'inside == 1. failed' -- "$HEDDLE" replay --memory tso "$bare" flags.c
sed 's|^option .*|option --json=x|' "$out/program.trace" >"$out/bad.trace"
expect trace_bad_option 2 'the trace: ' -- "$HEDDLE" replay "$out/bad.trace"
exit $failed

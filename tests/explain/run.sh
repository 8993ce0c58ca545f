#!/bin/sh
# Minimised failures and `heddle explain`: what they say, that they are minimal and stay the same failure, and limits.
# Seconds: 33
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 3
HEDDLE=${HEDDLE:-$root/build/heddle}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT
cd "$root/tests/explain" || exit 3
lost=$root/examples/lost_update.c

pass() { echo "PASS explain/$1"; }
fail() { # name why; the last output
        echo "FAIL explain/$1: $2"
        sed 's/^/    /' "$out/log" | head -n 40
}

# expect NAME STATUS PATTERN... -- COMMAND...: the status, and each pattern in the output.
expect() {
        name=$1 status=$2 why=
        shift 2
        : >"$out/want"
        while [ "$1" != -- ]; do
                printf '%s\n' "$1" >>"$out/want"
                shift
        done
        shift
        timeout 120 "$@" >"$out/log" 2>&1 </dev/null
        got=$?
        [ $got = "$status" ] || why="status $got, not $status"
        while IFS= read -r want; do
                tr '\n' ' ' <"$out/log" | tr -s ' ' | grep -q -e "$want" || why="${why:-no '$want'}"
        done <"$out/want"
        [ -z "$why" ] && pass "$name" || fail "$name" "$why"
}

field() { # name of a string field of the first failure
        sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$2" | head -n 1
}

# The cause is traced back from what failed: known causes planted among busy, correct code.
mkdir "$out/planted"
if timeout 300 node planted.js "$HEDDLE" "$out/planted" 1 "${HEDDLE_TEST_LONG:+40}8" >"$out/log" 2>&1; then
        pass "planted ($(tail -n 1 "$out/log"))"
else
        fail planted "a cause is not named, or its repair does not help"
fi

# What a failure says: no value that was not recorded, the right signal, the exception, the compiler's trap.
says() { # NAME PATTERN FILE TEXT...: each text is a line of the program
        name=$1 pattern=$2 file=$out/$3
        shift 3
        printf '%s\n' '#include <pthread.h>' '#include <signal.h>' '#include <stdlib.h>' "$@" \
                'int main() { pthread_t t; p = (int *)malloc(4); pthread_create(&t, 0, f, 0); g(); pthread_join(t, 0); }' >"$file"
        expect "$name" 1 "$pattern" -- "$HEDDLE" check -w "$file"
}
says freed_value ':5 write [a-z0-9]* [^=]' freed.c 'static int *p;' 'static void *f(void *a) { *p = 1; return a; }' \
        'static void g(void) { free(p); }'
says signal '^crash: SIGTERM: a signal ended the process' term.c 'static int *p;' 'static void *f(void *a) { raise(SIGTERM); return a; }' \
        'static void g(void) { free(p); }'
says exception 'abort: uncaught exception std::runtime_error: queue is empty in f [^ ]*thrown.cc:6' thrown.cc '#include <stdexcept>' \
        'static int *p;' 'static void *f(void *a) { if (p) throw std::runtime_error("queue is empty"); return a; }' \
        'static void g() { free(p); }'
says no_return "SIGILL: a trap of the compiler (ud2): a function with a result ends without .return'" trap.cc 'static int *p;' \
        'static int h() { p++; }' 'static void *f(void *a) { h(); return a; }' 'static void g() { }'

# Every thread that waits has a row, and nothing is shown after the failure.
says every_thread 'T0 main .* T1 f .* waits for mutex m, .* waits for mutex m,' waits.c '#undef pthread_create' \
        'static int *p; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;' \
        'static void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return a; }' \
        'static void g(void) { pthread_t u; pthread_mutex_lock(&m); pthread_create(&u, 0, f, 0); pthread_join(u, 0); }'

# One numbering of executions, and marks as preemptions are counted.
set -- store_buffer.c
for name in barrier_too_few atexit_registered cancel_relock cond_lost_wakeup; do set -- "$@" "$root/tests/litmus/$name/$name.c"; done
if node numbers.js "$HEDDLE" "-I$root/tests/litmus" "-I$root/include" -- "$@" >"$out/log" 2>&1; then
        pass "numbers ($(tail -n 1 "$out/log"))"
else
        fail numbers "numbers differ"
fi

# What check says.
expect said 1 'simplified to 1 preemption (found with 2) and 4 switches.*; no failing schedule has fewer preemptions' \
        'after step [0-9]*, T2 reads balance = 0 (lost_update.c:14), the failure is unavoidable' -- "$HEDDLE" check "$lost"
expect from_random 1 'simplified to 1 preemption (found with [2-9]) and 4 switches.*; no failing schedule has fewer preemptions' \
        'after step [0-9]*, T2 reads balance = 0' -- "$HEDDLE" check --strategy random --seed 5 "$lost"
expect from_pct 1 'simplified to 1 preemption' -- "$HEDDLE" check --strategy pct --seed 3 "$lost"
expect json 1 '"minimized": {"fewest": true, "switches": 4,' '"found": {"preemptions":' \
        '"inflection": {"step": [1-9][0-9]*, "thread": 2, "text": "after step' '"preemptions": 1,' -- \
        "$HEDDLE" check --json - "$lost"
expect never 1 'first seen in execution 2, with 2 preemptions' -- "$HEDDLE" check --minimize never "$lost"
if grep -q 'simplified\|unavoidable' "$out/log"; then fail never_says_nothing "it does"; else pass never_says_nothing; fi
expect never_json 1 '"minimized": null' '"inflection": null' -- "$HEDDLE" check --minimize never --json - "$lost"
expect certain 1 'every execution fails, whatever the schedule' -- "$HEDDLE" check certain.c
expect late 1 'T0 deposits, the last step' -- sh -c "'$HEDDLE' check certain.c -DLATE --json - | sed -n 's/.*\"text\": \"after step [0-9]*, T0 reads total.*/T0 deposits, the last step/p'; exit 1"
expect rare 1 'after step [0-9]*, T[012] .*, the failure is unavoidable' -- "$HEDDLE" check --minimize 60s certain.c -DRARE
expect keep_going 1 '1 of 2' '2 of 2' 'simplified to [01] preemption.*simplified to [01] preemption' -- \
        "$HEDDLE" check --keep-going --strategy random --seed 1 two.c
expect race 1 'race: balance: .*simplified to 0 preemptions (found with [1-9])' -- \
        "$HEDDLE" check --fail-on race --strategy random --seed 3 "$lost"
expect tso 1 'simplified to 0 preemptions and 3 switches' 'T2 reads x = 0 (store_buffer.c:17, step [0-9]*): T1.s x = 1' 'repair: a full fence' \
        'after step [0-9]*, T[12] reads [xy] = 0 (store_buffer.c:[0-9]*), the failure is unavoidable' -- \
        "$HEDDLE" check --memory tso --strategy random store_buffer.c
expect jobs 1 'simplified to 1 preemption' -- "$HEDDLE" check --jobs 2 --alone 1ms "$lost"
expect fork 1 'simplified to 1 preemption' -- "$HEDDLE" check --isolate fork "$lost"
expect in_time 1 'simplified within\|not simplified: there was not enough time\|no failing schedule has fewer' -- "$HEDDLE" check --minimize 1ms --strategy random --seed 5 "$lost"
printf '%s\n' '#include <assert.h>' '#include <pthread.h>' 'int x, y, z; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;' \
        'static void *f(void *p) { x++; for (int i = 0; i < 500; i++) { pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); } z++; return p; }' \
        'int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);' \
        'pthread_join(t, 0); pthread_join(u, 0); assert(x == 2 || z == 2); return 0; }' >"$out/both_ends.c"
expect long_plan 1 'simplified [a-z 0-9.]*to [1-9] preemptions (found with [0-9][0-9][0-9]*)' "Simplify: heddle explain --minimize 60s 'h1:" -- \
        "$HEDDLE" check --strategy random --seed 2 --executions 4000 "$out/both_ends.c"
expect bad_time 2 "'soon' is not a time; give one such as" -- "$HEDDLE" check --minimize soon "$lost"

# explain.
"$HEDDLE" check --minimize never --strategy random --seed 5 --json "$out/json" --trace "$out/trace" "$lost" >"$out/log" 2>&1
schedule=$(field schedule "$out/json")
expect explain_text 1 'simplified to 1 preemption (found with [2-9]).*; no failing schedule has fewer preemptions' 'unavoidable' 'Replay: heddle replay' -- \
        "$HEDDLE" explain "$schedule" "$lost"
expect explain_trace 1 'simplified to 1 preemption (found with [2-9]).*; no failing schedule has fewer preemptions' -- "$HEDDLE" explain "$out/trace"
"$HEDDLE" check --trace "$out/small.trace" "$lost" >"$out/log" 2>&1
expect retold 0 'simplified to 1 preemption (found with 2) and 4 switches.*; no failing schedule has fewer preemptions' 'after step 6, T2 reads balance = 0' -- \
        "$HEDDLE" report "$out/small.trace"
expect retold_html 0 '"inflection":6' '"races":\[\[' -- sh -c "'$HEDDLE' report '$out/small.trace' --html -"
sed 's/^inflection .*/inflection ffff/' "$out/small.trace" >"$out/damaged.trace"
expect retold_damaged 2 'the failure does not match the trace' -- "$HEDDLE" report "$out/damaged.trace"
expect explain_json 1 '"minimized": {"fewest": true' -- "$HEDDLE" explain "$out/trace" --json -
expect explain_steps 1 ' 1 T0 .*create T1' -- "$HEDDLE" explain --steps "$out/trace"
expect explain_no_failure 2 'the schedule does not fail, so there is nothing to explain' -- "$HEDDLE" explain 1,1 "$lost"
expect explain_nothing 2 'give the schedule: heddle explain SCHEDULE -- PROGRAM' -- "$HEDDLE" explain
expect explain_never 2 'use heddle replay' -- "$HEDDLE" explain --minimize never "$out/trace"
expect explain_other_build 2 'belongs to another program' -- "$HEDDLE" explain "$schedule" two.c

# The schedule that is shown replays.
"$HEDDLE" check --strategy random --seed 5 --json "$out/json" "$lost" >"$out/log" 2>&1
expect replays 1 'assertion `balance == 30. failed' -- "$HEDDLE" replay "$(field schedule "$out/json")" "$lost"

# The smallest number of preemptions, and the same failure: the programs of the bench, and generated ones.
minimum() { # name words...
        name=$1
        shift
        if node minimum.js "$HEDDLE" 3 "$@" >"$out/log" 2>&1; then
                pass "$name ($(tail -n 1 "$out/log"))"
        else
                fail "$name" "not minimal, or not the same"
        fi
}
build() { # binary words...
        binary=$1
        shift
        "$HEDDLE" cc -g -O0 -pthread -I"$root/include" "$@" -o "$out/$binary" 2>"$out/log" || fail "build_$binary" "does not build"
}
build lost "$lost"
build philosophers "$root/examples/philosophers.c"
build scale_lost "$root/tests/scale/lost_update.c"
build element -DN=4 "$root/tests/scale/lost_element.c"
build pipe -DN=2 "$root/tests/scale/producer_consumer.c"
build depth2 -DDEPTH=2 -DPAD=8 "$root/tests/random/depth.c"
build depth3 -DDEPTH=3 -DPAD=3 "$root/tests/random/depth.c"
minimum bench "$out/lost" , "$out/philosophers" , "$out/scale_lost" , "$out/element" , "$out/pipe"
SEARCH='--strategy pct --pct-depth 3 --executions 3000' minimum depth "$out/depth2" , "$out/depth3"
build cycle -I"$root/tests/litmus" "$root/tests/litmus/mutex_cycle/mutex_cycle.c"
build wakeup -I"$root/tests/litmus" "$root/tests/litmus/cond_lost_wakeup/cond_lost_wakeup.c"
build livelock -I"$root/tests/litmus" "$root/tests/litmus/livelock_race/livelock_race.c"
SEARCH='--strategy optimal' minimum litmus "$out/cycle" , "$out/wakeup" , "$out/livelock"

programs=${HEDDLE_TEST_LONG:+1000}
"$root/tests/oracle/build.sh" "$out" >"$out/log" 2>&1 || fail oracle "does not build"
for seed in $(seq 501 $((500 + (${programs:-100} + 99) / 100))); do
        "$out/generate" -l 3000 "$seed" 100 >"$out/generated.c" && build generated "$out/generated.c"
        set --
        for i in $(seq 0 99); do set -- "$@" "$out/generated" "$i" ,; done
        minimum "generated_$seed" "$@" "$out/lost"
done

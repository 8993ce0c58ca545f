#!/bin/sh
# --strategy auto: its figures are those of the strategy that it verifies with, looks apart; it finds what bounded search or
# random schedules find soon and verification late; it is at most at twice the executions of the best strategy where that can
# be promised; it says what was proven.
# Seconds: 15
. "$(dirname "$0")/../programs/lib.sh"
verify=${VERIFY:-optimal} # what auto verifies with

build() { # program flags... source
        program=$1
        shift
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" "$@" -o "$tmp/$program" 2>"$tmp/err" || fail "$program" "does not build"
}

figures() {
        for key in verdict complete executions blocked events transitions threads; do
                echo "$key $(field $key)"
        done
}

# same NAME LOOKS FLAG... SOURCE: the figures of a search to the end, with at most LOOKS looks.
same() {
        label=$1 looks=$2
        shift 2
        build program "$@"
        heddle_check --strategy "$verify" "$tmp/program"
        figures >"$tmp/expected"
        heddle_check --strategy auto "$tmp/program"
        figures >"$tmp/actual"
        why=
        cmp -s "$tmp/expected" "$tmp/actual" || why="$(diff "$tmp/expected" "$tmp/actual" | tr '\n' ' ')"
        differs strategy auto "$(field strategy)"
        [ "$(field probes)" -gt 0 ] || why="$why there were no probes"
        [ "$(field probes)" -le "$looks" ] || why="$why $(field probes) looks"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
same small 3 "$root/tests/litmus/sb/sb.c"
same large 100 -DN=8 "$root/tests/programs/lastzero.c"

# deep: a bug that a search meets late.
build program -DDEPTH=2 -DPAD=12 "$root/tests/random/depth.c"
heddle_check --strategy auto --time 60s "$tmp/program"
why=
differs "exit status" 1 "$status"
differs found_by probe "$(field failures.0.found_by)"
replays "$tmp/program"
if [ -z "$why" ]; then pass "deep probes=$(field probes)"; else fail deep "$why"; fi

# All failures are wanted: looks until the first one is found, as without --keep-going.
heddle_check --strategy auto --executions 300 "$tmp/program"
first=$(field failures.0.execution)
probes=$(field probes)
heddle_check --strategy auto --executions 300 --keep-going "$tmp/program"
why=
differs probes "$probes" "$(field probes)"
differs execution "$first" "$(field failures.0.execution)"
if [ -z "$why" ]; then pass keep_going; else fail keep_going "$why"; fi

# Where executions are long, predictions are probes.
build program "$root/tests/auto/inversion.c"
heddle_check --minimize never --executions 200 "$tmp/program"
why=
differs "exit status" 1 "$status"
differs kind deadlock "$(field failures.0.kind)"
if [ -z "$why" ]; then pass "inversion probes=$(field probes)"; else fail inversion "$why"; fi

# A search over states takes over: the probes stay.
heddle_check --time 60s --minimize never "$root/tests/auto/back_off.c"
why=
differs "exit status" 1 "$status"
differs found_by probe "$(field failures.0.found_by)"
[ "$(field executions)" -le 100 ] || why="$why $(field executions) executions"
if [ -z "$why" ]; then pass "back_off probes=$(field probes)"; else fail back_off "$why"; fi

# A probe follows what verification has recorded where rounds are cut.
heddle_check --executions 200 -std=c++17 "$root/tests/auto/updates.cc"
why=
differs "failures" "" "$(field failures.0.kind)"
if [ -z "$why" ]; then pass "updates probes=$(field probes)"; else fail updates "$why"; fi

# several explorers: the default serves.
heddle_check --jobs 2 "$root/examples/spsc_ring.c"
why=
differs "exit status" 0 "$status"
if [ -z "$why" ]; then pass jobs; else fail jobs "$why"; fi

# estimates of other searches: bounded, and by several explorers.
guess() { # NAME LOWEST HIGHEST OPTION...: executions expected of the whole
        label=$1 lowest=$2 highest=$3
        shift 3
        heddle_check "$@" "$tmp/program"
        if awk -v e="$(field estimate.executions)" -v s="$(field estimate.share)" -v l="$lowest" -v h="$highest" \
                'BEGIN { exit !(s > 0 && s < 1 && e >= l && e <= h) }'; then
                pass "$label executions=$(field estimate.executions)"
        else
                fail "$label" "$(grep estimate "$tmp/json")"
        fi
}
build program -DK=6 "$root/tests/programs/plain_inc.c"
guess estimate_icb 600 20000 --strategy icb --executions 1500
why=
differs estimate.preemptions 3 "$(field estimate.preemptions)"
if [ -z "$why" ]; then pass estimate_within; else fail estimate_within "$why"; fi
guess estimate_bound 300 7000 --bound 3 --executions 700
build program -DN=12 "$root/tests/programs/lastzero.c"
guess estimate_jobs 3000 80000 --strategy optimal --jobs 2 --alone 5ms --executions 8000

# resumed: at any moment.
build program -DK=6 "$root/tests/programs/plain_inc.c"
heddle_check --executions 1500 "$tmp/program"
{ figures; field probes; field proven.text; } >"$tmp/expected"
heddle_check --executions 333 --save "$tmp/save" "$tmp/program"
heddle_check --executions 800 --resume "$tmp/save" --save "$tmp/save" "$tmp/program"
heddle_check --executions 1500 --resume "$tmp/save" "$tmp/program"
{ figures; field probes; field proven.text; } >"$tmp/actual"
if cmp -s "$tmp/expected" "$tmp/actual"; then pass resumed; else fail resumed "$(diff "$tmp/expected" "$tmp/actual" | tr '\n' ' ')"; fi

# twice NAME...: rows of the bench set.  In executions, looks and redundant ones included, auto is at most at twice the best
# single strategy; what is drawn is run with SEEDS seeds, whose median counts.
SEEDS=${SEEDS:-7}
first_failure() { # STRATEGY: executions up to the failure of $tmp/program, a great number if there is none in 6,000
        seeds=1
        case $1 in random | pct | pos | auto) seeds=$SEEDS ;; esac
        for seed in $(seq "$seeds"); do
                heddle_check --minimize never --strategy "$1" --seed "$seed" --executions 6000 "$tmp/program"
                if [ "$status" = 1 ]; then
                        echo $(($(field executions) + $(field blocked) + $(field probes) + $(field cut.assume)))
                else
                        echo 1000000
                fi
        done | sort -n | sed -n "$((seeds / 2 + 1))p"
}
twice() {
        for label; do
                source=$(awk -F"$tab" -v n="$label" '$1 == n { print $2 }' "$root/tests/bench/failing.tsv")
                flags=$(awk -F"$tab" -v n="$label" '$1 == n && $3 != "-" { print $3 }' "$root/tests/bench/failing.tsv")
                # shellcheck disable=SC2086
                build program $flags "$root/$source"
                best=1000000
                for strategy in dpor optimal icb random pct pos; do
                        n=$(first_failure "$strategy")
                        [ "$n" -lt "$best" ] && best=$n
                done
                n=$(first_failure auto)
                why=
                [ "$n" -le $((2 * best + 2)) ] || why="$n executions, the best strategy $best"
                if [ -z "$why" ]; then pass "twice_$label $n of $best"; else fail "twice_$label" "$why"; fi
        done
}
twice philosophers_8 reorder_9_1 string_buffer_8 cancel_compete depth_2 depth_2_long driver_1 peterson_wrong lowest_2x3
[ -z "${HEDDLE_TEST_LONG:-}" ] || twice scale_producer two_stage_4_2 signal_second depth_3 wrong_lock_3 aba fib_4 \
        lowest_2x5 lowest_3x3

# hold NAME FLAG... SOURCE: what the single schedule shows is found at once.
hold() {
        label=$1
        shift
        build program "$@"
        heddle_check "$tmp/program"
        why=
        differs "exit status" 1 "$status"
        differs probes 1 "$(field probes)"
        differs executions 1 "$(field executions)"
        differs found_by probe "$(field failures.0.found_by)"
        [ -n "$why" ] || replays "$tmp/program"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
hold hold_stale "$root/tests/bench/failing/reorder.c"
hold hold_deadlock -DN=8 -DTWIST=0 "$root/tests/programs/philosophers.c"
hold hold_main_last -DN=2 "$root/tests/scale/producer_consumer.c"
plain=$OPTIONS
OPTIONS="$OPTIONS --loops wait" # where rounds are cut, the first execution fails
hold hold_last_waiter -DSECOND "$root/tests/programs/signal_order.c"
OPTIONS=$plain
# ... and ends where the program waits for a thread that it keeps from running.
cat >"$tmp/waits.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn, given;

static void *give(void *arg) /* two that give way to each other for as long as they alternate */
{
        int me = (int)(long)arg;
        while (!atomic_load(&given)) {
                atomic_store(&turn, me);
                if (atomic_load(&turn) == me)
                        atomic_store(&given, 1);
        }
        return 0;
}

int main(void)
{
        pthread_t t[2];
        for (long i = 0; i < 2; i++)
                pthread_create(&t[i], 0, give, (void *)i);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], 0);
}
END
heddle_check --executions 200 --time 20s "$tmp/waits.c"
why=
differs "exit status" 4 "$status"
differs executions 200 "$(field executions)"
if [ -z "$why" ]; then pass hold_ends; else fail hold_ends "$why"; fi

# mcr beside optimal: the program is proven by the one that is done first, and where that is optimal its figures are the same.
beside() { # NAME EXECUTIONS-AT-MOST CLASSES [OPTION...]
        label=$1 most=$2 classes=$3
        shift 3
        heddle_check "$@" "$tmp/program"
        why=
        differs complete true "$(field complete)"
        differs classes "$classes" "$(field value_classes)"
        [ "$(field executions)" -le "$most" ] || why="$why $(field executions) executions"
        heddle_check --executions 1500 --save "$tmp/save" "$@" "$tmp/program"
        heddle_check --resume "$tmp/save" "$@" "$tmp/program"
        differs "complete, resumed" true "$(field complete)"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
build program -DN=5 "$root/tests/mcr/programs/pingpong.c"
beside beside_pingpong 20000 211
build program -DN=5 "$root/tests/programs/fib.c"
beside beside_fib 8953 null
# Verification is late by its own estimate.
build program -DN=4 "$root/tests/mcr/programs/dekker.c"
beside beside_late 5000 1027 --memory pso --keep-going

# Few states and many orders: a search over states takes over, and is done.
build program -DN=20 "$root/tests/auto/turns.c"
heddle_check --time 60s "$tmp/program"
why=
differs "exit status" 0 "$status"
differs complete true "$(field complete)"
[ "$(field executions)" -lt 10000 ] || why="$why $(field executions) executions"
if [ -z "$why" ]; then pass few_states; else fail few_states "$why"; fi

# As many states as orders: trials of that search end without result, and nothing that was explored is lost.
build program "$root/tests/auto/log.c"
heddle_check --time 60s "$tmp/program"
why=
differs complete true "$(field complete)"
differs executions 369600 "$(field executions)"
[ "$(field restarts)" -le 2 ] || why="$why $(field restarts) restarts"
if [ -z "$why" ]; then pass many_states; else fail many_states "$why"; fi

# cut: said so in words, with what was proven; what stops at a depth proves nothing.
words() { # NAME WORDS OPTION...
        label=$1 text=$2
        shift 2
        heddle_check "$@" "$tmp/program"
        why=
        differs "exit status" 4 "$status"
        words=$(field proven.text)
        echo "$words" | grep -qE "^$text\$" || why="$why proven: $words"
        "$HEDDLE" check "$@" "$tmp/program" >"$tmp/out" 2>"$tmp/err" </dev/null
        [ -z "$text" ] || grep -qF "$words" "$tmp/out" || why="$why $(head -1 "$tmp/out")"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
build program -DK=6 "$root/tests/programs/plain_inc.c"
words words_auto 'no failure with up to 2 preemptions(; [a-z0-9. ]+ % of the rest explored( \(80 % confidence\))?)?' --executions 1000
words words_optimal '([a-z0-9. ]+ % explored( \(80 % confidence\))?)?' --strategy optimal --executions 1000
words words_icb 'no failure with up to [0-9]+ preemptions?.*' --strategy icb --executions 3000
words words_depth '.*explored|' --thread-depth 3 --executions 1000
"$HEDDLE" check --thread-depth 3 --executions 1000 "$tmp/program" 2>&1 </dev/null | grep -q 'no failure with up to' &&
        fail words_depth "something is proven by executions that were cut"
finish

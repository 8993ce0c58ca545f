#!/bin/sh
# --strategy auto: its figures are those of the strategy that it verifies with, looks apart; it finds what bounded search or
# random schedules find soon and verification late; it never takes more than twice as long as verification; it says what was
# proven.
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
        [ "$(field looked)" -gt 0 ] || why="$why nothing was looked at"
        [ "$(field looked)" -le "$looks" ] || why="$why $(field looked) looks"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
same small 32 "$root/tests/litmus/sb/sb.c"
same large 160 -DN=6 "$root/tests/programs/lastzero.c"

# deep: a bug that a search meets late.
build program -DDEPTH=2 -DPAD=12 "$root/tests/random/depth.c"
heddle_check --strategy auto --time 60s "$tmp/program"
why=
differs "exit status" 1 "$status"
differs found_by look "$(field failures.0.found_by)"
replays "$tmp/program"
if [ -z "$why" ]; then pass "deep looked=$(field looked)"; else fail deep "$why"; fi

# everything is asked for: no looks.
heddle_check --strategy auto --executions 300 --keep-going "$tmp/program"
why=
differs looked 0 "$(field looked)"
if [ -z "$why" ]; then pass keep_going; else fail keep_going "$why"; fi

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

# resumed: whoever's turn it was.
build program -DK=6 "$root/tests/programs/plain_inc.c"
heddle_check --executions 1500 "$tmp/program"
{ figures; field looked; field proven.words; } >"$tmp/expected"
heddle_check --executions 333 --save "$tmp/save" "$tmp/program"
heddle_check --executions 800 --resume "$tmp/save" --save "$tmp/save" "$tmp/program"
heddle_check --executions 1500 --resume "$tmp/save" "$tmp/program"
{ figures; field looked; field proven.words; } >"$tmp/actual"
if cmp -s "$tmp/expected" "$tmp/actual"; then pass resumed; else fail resumed "$(diff "$tmp/expected" "$tmp/actual" | tr '\n' ' ')"; fi

# turns NAME FLAG... SOURCE: at most twice the executions of verification, and six times those of the best look and QUIET more, as
# long as every second execution is a look.
turns() {
        label=$1
        shift
        build program "$@"
        heddle_check --strategy "$verify" --executions 20000 "$tmp/program"
        most=$((2 * ($(field executions) + $(field blocked))))
        for look in icb pos random; do
                heddle_check --strategy $look --seed 3 --executions 20000 "$tmp/program"
                [ "$status" = 1 ] && [ $((6 * $(field executions) + 96)) -lt "$most" ] && most=$((6 * $(field executions) + 96))
        done
        heddle_check --strategy auto --seed 3 "$tmp/program"
        total=$(($(field executions) + $(field blocked) + $(field looked)))
        why=
        differs "exit status" 1 "$status"
        [ "$total" -le "$most" ] || why="$why $total executions, not at most $most"
        [ -n "$why" ] || replays "$tmp/program"
        if [ -z "$why" ]; then pass "$label $total of $most"; else fail "$label" "$why"; fi
}
failing=$root/tests/bench/failing
turns turns_aba "$failing/aba.c"
turns turns_wrong_lock "$failing/wrong_lock.c"
turns turns_reorder -DSETTERS=9 "$failing/reorder.c"
turns turns_two_stage -DWRITERS=4 -DREADERS=2 "$failing/two_stage.c"
turns turns_driver "$failing/driver.c"
turns turns_depth -DDEPTH=2 -DPAD=40 "$root/tests/random/depth.c"
turns turns_philosophers -DN=8 -DTWIST=0 "$root/tests/programs/philosophers.c"
turns turns_fib -DN=4 -DWRONG "$root/tests/programs/fib.c"

# single NAME LOOKS FLAG... SOURCE: what one of the two single schedules shows is found at once.
single() {
        label=$1 looks=$2
        shift 2
        build program "$@"
        heddle_check "$tmp/program"
        why=
        differs "exit status" 1 "$status"
        differs looked "$looks" "$(field looked)"
        differs executions 1 "$(field executions)"
        [ -n "$why" ] || replays "$tmp/program"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
single single_alternate 1 -DN=8 -DTWIST=0 "$root/tests/programs/philosophers.c"
single single_newest 2 -DN=2 "$root/tests/scale/producer_consumer.c"
# ... and ends where the program waits for somebody whom it keeps from running.
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
if [ -z "$why" ]; then pass single_ends; else fail single_ends "$why"; fi

# cut: said so in words, with what was proven; what stops at a depth proves nothing.
words() { # NAME WORDS OPTION...
        label=$1 text=$2
        shift 2
        heddle_check "$@" "$tmp/program"
        why=
        differs "exit status" 4 "$status"
        words=$(field proven.words)
        echo "$words" | grep -qE "^$text\$" || why="$why proven: $words"
        "$HEDDLE" check "$@" "$tmp/program" >"$tmp/out" 2>"$tmp/err" </dev/null
        [ -z "$text" ] || grep -qF "$words" "$tmp/out" || why="$why $(head -1 "$tmp/out")"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}
build program -DK=6 "$root/tests/programs/plain_inc.c"
words words_auto 'no failure with up to 2 preemptions; about [0-9.]+ % of the rest explored' --executions 1000
words words_optimal 'about [0-9.]+ % explored' --strategy optimal --executions 1000
words words_icb 'no failure with up to [0-9]+ preemptions?.*' --strategy icb --executions 3000
words words_depth '.*explored|' --thread-depth 3 --executions 1000
"$HEDDLE" check --thread-depth 3 --executions 1000 "$tmp/program" 2>&1 </dev/null | grep -q 'no failure with up to' &&
        fail words_depth "something is proven by executions that were cut"
finish

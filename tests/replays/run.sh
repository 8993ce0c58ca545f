#!/bin/sh
# Replay does what check did: every failure of a program is replayed twice, in long runs three times, from its schedule text and
# from its trace file, and must be the same in kind, place and threads.  The programs are those of tests/litmus that fail; arguments name the
# directories to run.  With HEDDLE_TEST_LONG=1 all of them, by every strategy, and with a process for each execution; and the random programs of
# tests/oracle (random:SEED).
# Seconds: 15
. "$(dirname "$0")/../programs/lib.sh"

litmus=$root/tests/litmus

# The values of a key of the expect file under test, one a line.
expected() {
        sed -n "s/^$1 //p" "$expect"
}

# shows N: what the report says of failure N, without what a replay cannot know.
shows() {
        awk -F "$tab" -v n="failures.$1." 'index($1, n) == 1 {
                key = substr($1, length(n) + 1)
                if (key == "kind" || key ~ /^where\./ || key ~ /^threads\.[0-9]+\.(id|name|stack)/)
                        print key, $2
        }' "$2"
}

# replayed LABEL N WORD...: the failure N of $tmp/checked is shown by heddle replay WORDs.
replayed() {
        label=$1
        shows "$2" "$tmp/checked" >"$tmp/was"
        shift 2
        for round in 1 2 ${HEDDLE_TEST_LONG:+3}; do
                # shellcheck disable=SC2086
                timeout -k 5 "$LIMIT" "$HEDDLE" replay --json "$tmp/again" $more "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
                got=$?
                awk -f "$json_awk" <"$tmp/again" >"$tmp/flat" 2>/dev/null || : >"$tmp/flat"
                if [ "$got" -ne 1 ]; then
                        why="$why${why:+; }$label exits with $got, not 1"
                        return
                fi
                found=
                for n in $(seq 0 9); do
                        shows "$n" "$tmp/flat" >"$tmp/is"
                        cmp -s "$tmp/was" "$tmp/is" && found=1
                done
                if [ -z "$found" ]; then
                        shows 0 "$tmp/flat" >"$tmp/is"
                        why="$why${why:+; }$label shows something else: $(diff "$tmp/was" "$tmp/is" | sed -n 2,4p | tr '\n' ' ')"
                        return
                fi
        done
}

# one LABEL OPTION...: a check, and its replays.
one() {
        name=$1
        shift
        why=
        # shellcheck disable=SC2086
        heddle_check --trace "$tmp/trace" "$@" $options "$program" $args
        cp "$tmp/flat" "$tmp/checked"
        [ "$status" -eq 1 ] || return
        awk -F "$tab" '$1 ~ /^failures\.[0-9]+\.schedule$/ { print $2 }' "$tmp/checked" >"$tmp/schedules"
        n=0
        while read -r schedule; do
                # shellcheck disable=SC2086
                replayed "the text of failure $n" "$n" "$schedule" -- "$program" $args
                n=$((n + 1))
        done <"$tmp/schedules"
        [ -n "$why" ] || replayed "the trace" 0 "$tmp/trace"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}

# The same build with another argument follows the schedule and does not fail: that is not reproduced.
unreproduced() {
        why=
        cat >"$tmp/argument.c" <<'END'
#include <assert.h>
#include <pthread.h>

static int count;

static void *thread(void *arg)
{
        assert(!arg);
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t t;

        count = argc;
        pthread_create(&t, 0, thread, argc > 1 ? argv : 0);
        pthread_join(t, 0);
        return 0;
}
END
        build "$tmp/argument.c" || why="the program cannot be built"
        heddle_check "$program" more
        schedule=$(field failures.0.schedule)
        for argument in more ''; do
                timeout -k 5 "$LIMIT" "$HEDDLE" replay "$schedule" -- "$program" $argument </dev/null >"$tmp/out" 2>"$tmp/err"
                differs "exit status with argument '$argument'" "$([ "$argument" ] && echo 1 || echo 3)" "$?"
        done
        grep -q 'not reproduced' "$tmp/err" || why="$why${why:+; }the message is missing"
        if [ -z "$why" ]; then pass unreproduced; else fail unreproduced "$why"; fi
}

# Random programs: how they are checked changes from one to the next.
random() {
        "$root/tests/oracle/build.sh" "$BUILD/oracle"
        "$BUILD/oracle/generate" -l 3000 "$1" 30 >"$tmp/random.c"
        build "$tmp/random.c" || fail "random:$1" "the programs cannot be built"
        for args in $(seq 0 29); do
                case $((args % 6)) in
                0) options='--strategy dfs --timeouts stuck' ;;
                1) options='--strategy dpor --timeouts stuck' ;;
                2) options='--strategy optimal --spurious 1' ;;
                3) options='--strategy optimal --memory tso' ;;
                4) options='--preempt sync' ;;
                5) options='--strategy deepen' ;;
                esac
                more="--leaks=all $(echo "$options" | sed -n 's/.*\(--timeouts stuck\|--spurious 1\|--memory tso\|--preempt sync\).*/\1/p')"
                options="$options --leaks=all"
                one "random:$1 program $args" --keep-going --time 5s
        done
}

few="unreproduced cancel_compete atomic_section_signal cond_two exit_status_thread cxx_deadlock livelock mutex_missing_unlock pipe_deadlock signal_stops spin_peterson_wrong timed_stuck_unseen two_failures"
if [ "$1" != --row ]; then
        if [ $# -eq 0 ] && [ -z "$HEDDLE_TEST_LONG" ]; then
                # shellcheck disable=SC2086
                set -- $few
        elif [ $# -eq 0 ]; then
                # shellcheck disable=SC2046
                set -- unreproduced $(seq -f random:%g 1 20) $(cd "$litmus" && grep -l '^exit 1' ./*/expect | xargs -n 1 dirname | xargs -n 1 basename)
        fi
        rows "$@"
fi
if [ "$2" = unreproduced ]; then
        unreproduced
        exit 0
fi
case $2 in random:*)
        random "${2#random:}"
        exit 0
        ;;
esac
expect=$litmus/$2/expect
replay=$(expected replay)
[ "$replay" = no ] && exit 0
from=$(expected source)
file=$(ls "$litmus/${from:-$2}"/*.c "$litmus/${from:-$2}"/*.cpp 2>/dev/null | head -n 1)
options=$(expected options)
args=$(expected args)
more=$replay
# shellcheck disable=SC2046
if ! build "$file" $(expected flags); then
        fail "$2" "the program cannot be built"
        exit 0
fi
strategies=auto
[ -z "$HEDDLE_TEST_LONG" ] || strategies='auto optimal dpor dfs icb deepen random pct'
case $options in *--strategy*) strategies=given ;; esac
for strategy in $strategies; do
        case $strategy in given) chosen= ;; random | pct) chosen="--strategy $strategy --executions 200" ;; *) chosen="--strategy $strategy" ;; esac
        # shellcheck disable=SC2086
        one "$2 $strategy" $chosen --keep-going --time 5s
        # shellcheck disable=SC2086
        [ -z "$HEDDLE_TEST_LONG" ] || one "$2 $strategy fork" $chosen --isolate fork --time 5s
done

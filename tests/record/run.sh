#!/bin/sh
# Recordings: programs with a classic bug each run natively until they fail, and the failure is reproduced along the recorded paths;
# two ways to one assertion give two schedules; a ring that lost its beginning, a hang, a dump; inputs; random programs; what is not
# a recording, or not a whole one, is refused in one line.  Long runs: AMOUNT recordings of each program, 100 random ones.  The argument
# `random` runs these alone, `plain` all but the mutations.
# Seconds: 15
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/record
AMOUNT=${HEDDLE_TEST_LONG:+20}
AMOUNT=${AMOUNT:-1}
RUNS=20000
RACEY=${HEDDLE_TEST_LONG:+1000 1500}
RANDOM_PROGRAMS=${HEDDLE_TEST_LONG:+100}
RANDOM_PROGRAMS=${RANDOM_PROGRAMS:-4}
mkdir "$tmp/work" && cd "$tmp/work" || exit 3

verdict() { # NAME
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

if ! command -v clang >/dev/null; then
        echo "PASS record (skipped: no clang)"
        exit 0
fi

build_recorded() { # NAME
        "$HEDDLE" cc --record --compiler clang -g -O1 "$here/programs/$1.c" -o "$1" 2>"$1.err" ||
                why="cannot be built: $(head -n 1 "$1.err")"
}

# reproduced NAME RECORDING KIND: under 60 seconds, with a schedule that replays.
reproduced() {
        timeout 60 "$HEDDLE" reproduce --json "$1.json" --verify --solver-timeout 3s "$2" >"$1.out" 2>&1
        code=$?
        [ "$code" = 1 ] || why="$why${why:+; }reproduce ends with $code: $(tail -n 3 "$1.out" | tr '\n' ' ')"
        [ -n "$why" ] || awk -f "$json_awk" "$1.json" >"$tmp/flat"
        [ -n "$why" ] || field failures.0.kind | grep -Eq "$3" || why="another failure: $(field failures.0.kind)"
        [ -n "$why" ] || schedule=$(field failures.0.schedule)
        # shellcheck disable=SC2086 # args may be none
        [ -n "$why" ] || timeout 60 "$HEDDLE" replay --quiet "$schedule" -- "./$1" $args >"$1.replay" 2>&1
        code=$?
        [ -n "$why" ] || [ "$code" = 1 ] || why="the schedule does not replay: $code"
}

# The line of the report in run.out replays it, from any folder and without its input.
by_its_line() {
        [ -z "$why" ] || return
        (cd / && eval "'$HEDDLE' $(sed -n 's/^ *Replay: heddle //p' "$tmp/work/run.out")" >"$tmp/replay.out" 2>&1 </dev/null)
        [ $? = 1 ] || why="the line does not replay it: $(tail -n 1 "$tmp/replay.out")"
}

# shellcheck source=tests/record/random.sh
. "$here/random.sh"

plain=
if [ "${1:-}" = plain ]; then
        plain=1
        shift
fi
if [ "${1:-}" = random ]; then
        random_programs
        cd "$root" || exit 3
        finish
        exit
fi

# shape NAME KIND: recorded with delays, and reproduced.
shape() {
        why=
        args=
        build_recorded "$1"
        i=0
        while [ $i -lt "$AMOUNT" ] && [ -z "$why" ]; do
                i=$((i + 1))
                timeout 100 "$HEDDLE" record --jitter --seed $i --timeout 10s --until-failure $RUNS -o "$1.rec" "./$1" \
                        >"$1.run" 2>&1
                code=$?
                [ "$code" = 1 ] || why="record ends with $code: $(tail -n 1 "$1.run")"
                [ -n "$why" ] || reproduced "$1" "$1.rec" "$2"
        done
        verdict "$1"
}

# refused NAME PATTERN COMMAND...: one line, status 2.
refused() {
        why=
        name=$1 pattern=$2
        shift 2
        "$HEDDLE" "$@" >refused.out 2>refused.err
        code=$?
        [ "$code" = 2 ] || why="status $code, not 2"
        [ "$(wc -l <refused.err)" = 1 ] || why="$why${why:+; }not one line: $(head -c 200 refused.err)"
        grep -q "$pattern" refused.err || why="$why${why:+; }says $(head -c 200 refused.err)"
        verdict "$name"
}

if [ $# -eq 0 ]; then
        shape bbuf assertion
        shape sbuf assertion
        shape pfscan assertion
        shape pbzip2 'crash|use-after-free|lock-misuse'
        shape aget assertion
else
        for name in "$@"; do
                shape "$name" .
        done
        cd "$root" || exit 3
        finish
fi

why=
build_recorded ways
one= schedule=
i=0
while [ $i -lt 20 ] && [ "$one" = "$schedule" ] && [ -z "$why" ]; do # on a busy machine late may not be late enough, or the other be late, too
        i=$((i + 1))
        args=
        "$HEDDLE" record -o one.rec ./ways >run.out 2>&1
        reproduced ways one.rec assertion
        one=$schedule
        args=late
        "$HEDDLE" record -o two.rec ./ways late >run.out 2>&1
        reproduced ways two.rec assertion
done
[ "$one" != "$schedule" ] || why="$why${why:+; }one schedule for two paths: $one"
verdict two_paths_two_schedules

why=
args=
build_recorded cross
timeout 100 "$HEDDLE" record --timeout 1s --until-failure 50 -o cross.rec ./cross >run.out 2>&1
reproduced cross cross.rec deadlock
verdict hang

# An earlier crash of the same thread is another one.
why=
args=
build_recorded crash
"$HEDDLE" record -o crash.rec ./crash >run.out 2>&1
reproduced crash crash.rec crash
"$HEDDLE" replay --quiet --record crash_again.rec "$schedule" -- ./crash >run.out 2>&1
"$HEDDLE" report crash.rec | grep '^T1:' >then.out
"$HEDDLE" report crash_again.rec | grep '^T1:' >now.out
cmp -s then.out now.out || why="$why${why:+; }not by its path: $(cat then.out now.out | tr '\n' ' ')"
verdict crash_at_its_place

why=
args=
build_recorded waits
"$HEDDLE" record -o waits.rec ./waits late >run.out 2>&1
args=late
reproduced waits waits.rec assertion
verdict loop_that_waits

why=
"$HEDDLE" cc --record --compiler clang -O1 -DMIXED "$here/programs/rounds.c" -o mixed || why="cannot be built"
timeout 60 "$HEDDLE" record --ring 1 -o mixed.rec ./mixed 300000 >run.out 2>&1
grep -q 'are lost' run.out || why="nothing was lost: $(cat run.out)"
args=300000
reproduced mixed mixed.rec assertion
verdict lost_beginning

# Words that repeat take no room: a loop that waits, and one that counts, in a ring of 64 entries; all rounds of the second are replayed.
why=
args=
build_recorded rounds
timeout 60 "$HEDDLE" record --ring 1 -o rounds.rec ./rounds 1000000 >run.out 2>&1
[ $? = 1 ] || why="not recorded: $(tail -n 1 run.out)"
! grep -q 'are lost' run.out || why="branches are lost: $(tail -n 1 run.out)"
args=1000000
reproduced rounds rounds.rec assertion
timeout 60 "$HEDDLE" reproduce --verify rounds.rec >run.out 2>&1
grep -Eq '^T1: 200[0-9]{4} branches recorded = ' run.out || why="$why${why:+; }other rounds: $(grep '^T1' run.out)"
verdict words_that_repeat

# The first thread that a signal wakes has the earliest time: without it there are too many orders.
why=
args=
build_recorded queue
timeout 60 "$HEDDLE" record --jitter --timeout 2s --until-failure 100 -o queue.rec ./queue >run.out 2>&1
[ $? = 1 ] || why="not recorded: $(tail -n 1 run.out)"
reproduced queue queue.rec deadlock
[ -n "$why" ] || [ $(($(field executions) + $(field probes) + $(field blocked))) -le 500 ] || why="$(field probes) probes"
verdict many_waiters

why=
build_recorded c11
timeout 60 "$HEDDLE" record --jitter --until-failure 3000 -o c11.rec ./c11 >run.out 2>&1
[ $? = 1 ] || why="not recorded: $(tail -n 1 run.out)"
reproduced c11 c11.rec assertion
grep -Eq '^T3: ([1-9][0-9]*) branches recorded = \1 replayed' c11.out || why="$why${why:+; }threads of C11 have no paths: $(grep -c '^T' c11.out)"
verdict threads_of_c11

# Inputs of one kind do not take the place of those of another.
why=
build_recorded entropy
timeout 60 "$HEDDLE" record -o entropy.rec ./entropy >run.out 2>&1
[ $? = 1 ] || why="not recorded: $(tail -n 1 run.out)"
timeout 60 "$HEDDLE" reproduce --quiet --time 20s entropy.rec >run.out 2>&1
[ $? = 1 ] || why="$why${why:+; }not reproduced: $(grep '^T1' run.out)"
by_its_line
verdict kinds_of_inputs

# A program that is slow does not hang.
why=
build_recorded slow
timeout 60 "$HEDDLE" record --timeout 200ms -o slow.rec ./slow >run.out 2>&1
timeout 60 "$HEDDLE" reproduce --time 10s slow.rec >run.out 2>&1
[ $? = 3 ] && grep -q 'the program was slow' run.out || why="$why${why:+; }says $(head -n 1 run.out)"
verdict slow_is_no_hang

# Stores that wait in the buffers of the processor: what is recorded there is found under tso.
why=
args=
build_recorded buffered
timeout 60 "$HEDDLE" record --timeout 20s --until-failure 3000 -o buffered.rec ./buffered >run.out 2>&1
if [ -e buffered.rec ]; then # on a busy machine the threads may never meet
        reproduced buffered buffered.rec assertion
        [ -n "$why" ] || [ "$(field memory)" = tso ] || why="under $(field memory)"
fi
objdump -d buffered | awk '/^[0-9a-f]+ </ { plain = /plain/ } plain && /tsan_atomic/ { n++ } END { exit n > 0 }' ||
        why="$why${why:+; }atomics of the body that runs natively are calls"
verdict store_buffers

why=
build_recorded drawn
echo 'x, y, x, z, x' | "$HEDDLE" record -o drawn.rec ./drawn >run.out 2>&1
[ $? = 1 ] || why="not recorded: $(cat run.out)"
timeout 60 "$HEDDLE" reproduce --quiet --time 20s drawn.rec >run.out 2>&1 </dev/null
[ $? = 1 ] || why="$why${why:+; }not reproduced: $(head -n 1 run.out)"
by_its_line
verdict inputs

why=
build_recorded dumped
"$HEDDLE" record -o dumped.rec ./dumped >run.out 2>&1
[ -s dumped.rec ] || why="no recording: $(cat run.out)"
timeout 60 "$HEDDLE" reproduce --quiet dumped.rec >run.out 2>&1
code=$?
[ "$code" = 1 ] || why="$why${why:+; }reproduce ends with $code: $(tail -n 1 run.out)"
verdict dump

# shellcheck source=tests/record/search.sh
. "$here/search.sh"

# Every execution with a switch at the wrong place fails: what comes back is the failure, and not the values.
why=
build_recorded racey
for args in 500 $RACEY; do
        timeout 60 "$HEDDLE" record --jitter --until-failure 100 -o racey.rec ./racey "$args" >run.out 2>&1
        [ -n "$why" ] || reproduced racey racey.rec assertion
done
timeout 60 "$HEDDLE" reproduce --verify --solver-timeout 3s racey.rec >run.out 2>&1
grep -Eq '^Constraints on the order of [0-9]+ events: [0-9]{5,}' run.out ||
        why="$why${why:+; }constraints are not counted: $(tail -n 1 run.out)"
grep -Eq '^Z3 .*, by chains of cores and threads: (no answer|there is|not asked)|^Solver: not asked' run.out ||
        why="$why${why:+; }nothing is said of the solver: $(tail -n 1 run.out)"
verdict racey

# What a device and a server answered is in the recording: the server is gone, and the file has other contents.
why=
build_recorded reads
cc -o serve "$here/serve.c" || why="the server cannot be built"
i=0
code=0
while [ $i -lt 20 ] && [ "$code" != 1 ] && [ -z "$why" ]; do
        i=$((i + 1))
        printf 'qwertyuiop' >text
        ./serve >port &
        server=$!
        while [ ! -s port ]; do sleep 0.02; done
        timeout 20 "$HEDDLE" record -o reads.rec ./reads text "$(cat port)" >run.out 2>&1
        code=$?
        kill $server 2>/dev/null
        wait $server 2>/dev/null
done
[ "$code" = 1 ] || why="$why${why:+; }not recorded: $(tail -n 1 run.out)"
printf 'bbbbbbbbbb' >text
[ -n "$why" ] || timeout 60 "$HEDDLE" reproduce --quiet --time 20s reads.rec >run.out 2>&1 </dev/null
code=$?
[ -n "$why" ] || [ "$code" = 1 ] || why="reproduce ends with $code: $(tail -n 2 run.out | tr '\n' ' ')"
verdict what_was_read

why=
build_recorded asked
timeout 60 "$HEDDLE" record -o asked.rec ./asked >run.out 2>&1 &
pid=$!
i=0
while [ ! -e asked.rec ] && [ $i -lt 200 ]; do
        i=$((i + 1))
        sleep 0.1
        child=$(sed -n 's/^ready //p' run.out)
        [ -z "$child" ] || kill -USR2 "$child" 2>/dev/null
done
wait $pid
[ $? = 1 ] || why="not recorded: $(cat run.out)"
[ -n "$why" ] || timeout 60 "$HEDDLE" reproduce --time 30s asked.rec --quiet --verify >run.out 2>&1
code=$?
[ -n "$why" ] || [ "$code" = 1 ] || why="reproduce ends with $code: $(tail -n 3 run.out | tr '\n' ' ')"
verdict asked_by_a_signal

random_programs

why=
timeout 60 "$HEDDLE" reproduce --quiet --time 2s two.rec -- ./cross >run.out 2>&1
code=$?
[ "$code" = 0 ] || why="status $code, not 0"
grep -q 'another build' run.out || why="$why${why:+; }says $(head -n 1 run.out)"
verdict another_build

# Another build that fails in the same place along other paths: how far each thread got, and the nearest failure.
why=
for rounds in 40 30; do
        "$HEDDLE" cc --record --compiler clang -g -O1 -DROUNDS=$rounds "$here/programs/lost.c" -o lost_$rounds || why="cannot be built"
done
timeout 100 "$HEDDLE" record --jitter --timeout 10s --until-failure $RUNS -o lost.rec ./lost_40 >run.out 2>&1
timeout 60 "$HEDDLE" reproduce --time 20s lost.rec -- ./lost_30 >run.out 2>&1
code=$?
[ "$code" = 0 ] || why="status $code, not 0"
grep -q '^T1: 41 branches recorded != [0-9]* replayed' run.out || why="$why${why:+; }does not say how far T1 got"
grep -q "^  assertion .* (where it was recorded)" run.out || why="$why${why:+; }no nearest failure"
schedule=$(sed -n "s/^ *heddle replay '\([^']*\)'.*/\1/p" run.out | head -n 1)
timeout 60 "$HEDDLE" replay --quiet "$schedule" -- ./lost_30 >run.out 2>&1
[ $? = 1 ] || why="$why${why:+; }it does not replay"
verdict nearest

why=
"$HEDDLE" report waits.rec >report.out 2>&1 || why="status $?"
grep -q '^T2: *[0-9]* branches' report.out || why="no threads: $(head -n 3 report.out)"
verdict time_line

why=
printf 'int main(int n, char **v) { (void)v; return n > 1 ? 5 : 0; }\n' >code.c
"$HEDDLE" cc code.c -o plain
sed 's/int main/#include <pthread.h>\nstatic void *f(void *a) { if (*(int *)a) return a; return 0; }\nint main/; s/return n/pthread_t t; pthread_create(\&t, 0, f, \&n); pthread_join(t, 0); return n/' \
        code.c >coded.c
"$HEDDLE" cc --record coded.c -o coded || why="cannot be built"
"$HEDDLE" record -o none.rec ./coded >run.out 2>&1 || why="$why; a program without a failure ends with $?"
[ ! -e none.rec ] || why="$why; a recording of nothing"
"$HEDDLE" record -o code.rec ./coded x >run.out 2>&1
[ $? = 1 ] || why="$why; an exit status is not a failure"
timeout 60 "$HEDDLE" reproduce --quiet code.rec >run.out 2>&1
[ $? = 1 ] || why="$why; the exit status is not reproduced"
for how in _Exit quick_exit; do # without handlers of exit
        sed "s/return n > 1 ? 5 : 0/if (n > 1) $how(5); return 0/; 1s/^/#include <stdlib.h>\n/" coded.c >left.c
        "$HEDDLE" cc --record left.c -o left || why="$why; $how cannot be built"
        "$HEDDLE" record -o left.rec ./left x >run.out 2>&1
        "$HEDDLE" report left.rec | grep -q '^T0: *[1-9][0-9]* branches' || why="$why; $how: the last branches of main are lost"
        timeout 60 "$HEDDLE" reproduce --quiet left.rec >run.out 2>&1
        [ $? = 1 ] || why="$why; $how is not reproduced"
done
verdict exit_status

# A program without a branch records too.
why=
printf 'static int x;\nint main(void) { return x; }\n' >none.c
"$HEDDLE" cc --record --compiler clang -O2 none.c -o none && "$HEDDLE" record -o none.rec ./none >run.out 2>&1 ||
        why="ends with $?: $(head -n 1 run.out)"
verdict no_branches

# Both bodies of a function announce the same branches, in C++ with exceptions, too.
why=
for level in 0 2; do
        "$HEDDLE" c++ --record --compiler clang -O$level "$here/programs/paths.cc" -o paths || why="cannot be built"
        "$HEDDLE" record -o paths.rec ./paths >run.out 2>&1
        timeout 60 "$HEDDLE" reproduce --verify --time 10s paths.rec >run.out 2>&1
        code=$?
        [ "$code" = 1 ] || why="$why${why:+; }-O$level: reproduce ends with $code: $(grep '^T0' run.out)"
done
verdict both_bodies

# Children of a fork are not recorded.
why=
build_recorded forks
"$HEDDLE" record -o forks.rec ./forks >run.out 2>&1
"$HEDDLE" report forks.rec >report.out 2>&1
grep -q '^Recorded: assertion' report.out || why="$(head -n 1 report.out)"
grep -q '^T0: *6 branches' report.out || why="$why${why:+; }$(grep '^T0' report.out)"
verdict children_of_a_fork

# Nor are handlers of signals, which come anywhere.
why=
args=
"$HEDDLE" cc --record --compiler clang -g -O2 "$here/programs/handlers.c" -o handlers || why="cannot be built"
"$HEDDLE" record -o handlers.rec ./handlers >run.out 2>&1
"$HEDDLE" report handlers.rec >report.out 2>&1
for t in T1 T2; do
        grep -q "^$t: *400000 branches; ended" report.out || why="$why${why:+; }$(grep "^$t" report.out)"
done
reproduced handlers handlers.rec assertion
verdict handlers_of_signals

# Nor are branches that depend on the order of blocks of the heap, which is another one here.
why=
for level in 0 1 2; do
        "$HEDDLE" cc --record --compiler clang -g -O$level "$here/programs/lookaside.c" -o lookaside || why="cannot be built"
        "$HEDDLE" record -o lookaside.rec ./lookaside >run.out 2>&1
        reproduced lookaside lookaside.rec assertion
done
verdict order_of_addresses

# Branches that depend on a hash of an address go another way: then threads follow their paths nearly, to the same assertion.
why=
build_recorded hashes
i=0
while [ $i -lt 20 ] && ! grep -q 'high == ' run.out; do
        i=$((i + 1))
        timeout 60 "$HEDDLE" record --jitter --seed $i --until-failure 1000 -o hashes.rec ./hashes >run.out 2>&1
done
grep -q 'high == ' run.out || why="$why${why:+; }not recorded: $(tail -n 1 run.out)"
timeout 60 "$HEDDLE" reproduce --quiet --time 5s --stray 0 hashes.rec >run.out 2>&1
[ $? = 3 ] || why="$why${why:+; }all branches are as recorded"
timeout 60 "$HEDDLE" reproduce --time 10s hashes.rec >run.out 2>&1
code=$?
[ "$code" = 1 ] || why="$why${why:+; }reproduce ends with $code: $(grep '^T' run.out | tr '\n' ' ')"
grep -q 'high == .* failed' run.out || why="$why${why:+; }another assertion: $(grep -m 1 failed run.out)"
grep -q '^Along nearly the recorded paths' run.out || why="$why${why:+; }does not say that branches differ"
by_its_line
verdict hashes_of_addresses

# A file that cannot be written is refused before the program runs.
refused no_folder 'cannot write' record -o nowhere/x.rec ./coded x
why=
"$HEDDLE" record -o /dev/full ./coded x >run.out 2>run.err
[ $? = 2 ] && grep -q 'No space left' run.err || why="says $(tail -n 1 run.err)"
verdict full_disk

# A signal to heddle ends the program, and the runs.
why=
"$HEDDLE" record -o ended.rec ./slow >run.out 2>&1 &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
code=$?
[ "$code" = 143 ] || why="status $code, not 143"
timeout 20 "$HEDDLE" record --until-failure 1000000 -o ended.rec ./coded >run.out 2>&1 &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
code=$?
[ "$code" != 124 ] || why="$why${why:+; }the runs continue"
[ ! -e ended.rec ] || why="$why${why:+; }a recording of a program that was ended"
verdict ended_by_a_signal

refused not_recorded 'heddle cc --record' record ./plain
refused no_file 'No such file' reproduce nothing.rec
echo 'not a recording at all, but long enough to look at' >foreign.rec
refused foreign 'is not a recording' reproduce foreign.rec
head -c 300 waits.rec >short.rec
refused truncated 'is truncated' reproduce short.rec
{
        head -c 400 waits.rec
        printf 'XXXX'
        tail -c +405 waits.rec
} >damaged.rec
refused damaged 'is damaged' reproduce damaged.rec
{
        head -c 17 waits.rec
        printf '\377\000\000\000'
        tail -c +22 waits.rec
} >newer.rec
refused newer 'newer heddle' reproduce newer.rec
refused report_damaged 'is damaged' report damaged.rec
cd "$root" || exit 3

# Every mutation still compiles; in a long run each is noticed.
if [ -z "$plain" ]; then
        why=
        mutations=--check
        [ -z "${HEDDLE_TEST_LONG:-}" ] || mutations=
        "$here/mutate.sh" $mutations >"$tmp/mutations" 2>&1 || why=$(grep -m 1 '^FAIL' "$tmp/mutations")
        verdict mutations
fi
finish

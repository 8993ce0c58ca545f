#!/bin/sh
# Spin detection depends on the program and the schedule alone: loops of several shapes give the same figures whatever unused
# stacks are filled with (HEDDLE_POISON), and no schedule has to overrule the detector.  Arguments name the shapes to run.  With
# HEDDLE_TEST_LONG=1 by both compilers, with and without optimisation, and by more strategies.
# Locks and queues take no more executions than counts.tsv says, loops that may not end are followed as endless.tsv says, and random programs with loops have the outcomes, failures and
# livelocks of a model.
# Seconds: 45
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/loops

# same LABEL STRATEGY
same() {
        why=
        first=
        for poison in '' 1 2 ${HEDDLE_TEST_LONG:+3 4}; do
                HEDDLE_POISON=$poison
                export HEDDLE_POISON
                # shellcheck disable=SC2086
                heddle_check --verbose --strategy $2 "$program"
                figures="$(field verdict) $(field executions) $(field blocked) $(field cut.spin) $(field events)"
                first=${first:-$figures}
                differs "exit status" 0 "$status"
                differs "what is found with HEDDLE_POISON=$poison" "$first" "$figures"
                ! grep -q overruled "$tmp/err" || why="$why${why:+; }the spin detector was overruled"
        done
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

# The frame of this loop differs from run to run: when it is found to spin is chance.  A schedule overrules the detector, and where
# two runs of one schedule differ, heddle blames itself and not the program.
noise() {
        why=
        "$HEDDLE" cc -O0 -g -pthread "$here/noise.c" -o "$program" 2>"$tmp/err" || why="the program cannot be built"
        for _ in $(seq 20); do
                heddle_check --strategy optimal "$program"
                differs "exit status" 0 "$status"
                [ -z "$why" ] || break
        done
        "$HEDDLE" cc -O0 -g -pthread -DFIRST "$here/noise.c" -o "$program" 2>"$tmp/err" || why="the program cannot be built"
        for _ in $(seq 50); do
                heddle_check --strategy optimal "$program"
                [ "$status" = 0 ] || break
        done
        differs "exit status of two runs that differ" 3 "$status"
        grep -q 'error of heddle' "$tmp/err" || why="$why${why:+; }the program is blamed"
        if [ -z "$why" ]; then pass noise; else fail noise "$why"; fi
}

# built SHAPE COMPILER OPTIMISATION: in $program.
built() {
        program=$tmp/$1
        case $1 in
        deque) set -- "$@" "$here/deque.c" ;;
        *) set -- "$@" "-DSHAPE=$1 $here/shapes.c" ;;
        esac
        # shellcheck disable=SC2086
        "$HEDDLE" cc --compiler="$2" "$3" -g -w -pthread -o "$program" $4 2>"$tmp/err"
}

# The executions that locks and queues take: at most those of counts.tsv.  Without HEDDLE_TEST_LONG each row by one compiler.  Members of
# std::atomic are functions where gcc does not optimise.
counts() {
        turn=0
        grep -v '^#' "$here/counts.tsv" >"$tmp/counts"
        while read -r shape threads rounds most _; do
                turn=$(((turn + 1) % 4))
                ways='0,clang,-O0 1,gcc,-O2 2,clang,-O2 3,gcc,-O0' source=$here/locks.c
                case $shape in
                CXX_*) ways="$turn,clang,-O0 2,clang,-O2" source=$here/locks.cc ;;
                MSRESULT) ways="$turn,clang,-O0 2,clang,-O2" ;;
                esac
                for way in $ways; do
                        [ -n "$HEDDLE_TEST_LONG" ] || [ "${way%%,*}" = $turn ] || continue
                        compiler=${way#*,} why=
                        heddle_check --strategy optimal --compiler "${compiler%,*}" "${compiler#*,}" -w -DSHAPE="$shape" \
                                -DN="$threads" -DROUNDS="$rounds" "$source"
                        differs "exit status" 0 "$status"
                        [ "$(field executions)" -le "$most" ] 2>/dev/null || why="$why executions: $(field executions), not $most"
                        if [ -z "$why" ]; then pass "$shape $threads $rounds $way"; else fail "$shape $threads $rounds $way" "$why"; fi
                done
        done <"$tmp/counts"
}

# buffered_one SHAPE THREADS ROUNDS MOST CUT: no more under tso and pso, and no more that are cut.
buffered_one() {
        for memory in tso pso; do
                why=
                heddle_check --strategy optimal --memory $memory -w -DSHAPE="$1" -DN="$2" -DROUNDS="$3" "$here/locks.c"
                differs "exit status" 0 "$status"
                [ "$(field executions)" -le "$4" ] 2>/dev/null || why="$why executions: $(field executions), not $4"
                [ "$(field cut.spin)" -le "$5" ] 2>/dev/null || why="$why cut: $(field cut.spin), not $5"
                if [ -z "$why" ]; then pass "buffered $1 $memory"; else fail "buffered $1 $memory" "$why"; fi
        done
}

buffered() {
        buffered_one TICKET 4 1 24 0
        buffered_one MCS 3 1 66 0
        buffered_one TTAS 3 1 36 44
        buffered_one ADD 3 2 90 900
        buffered_one STACK 2 1 16 12
        buffered_one BOX 2 1 1 1
}

# Loops that may not end: exit status, and how many rounds are covered.  Without HEDDLE_TEST_LONG each row by one compiler.
endless() {
        turn=0
        grep -v '^#' "$here/endless.tsv" >"$tmp/endless"
        while read -r shape option expected rounds; do
                turn=$(((turn + 1) % 4))
                for way in 0,clang,-O0 1,gcc,-O2 2,clang,-O2 3,gcc,-O0; do
                        [ -n "$HEDDLE_TEST_LONG" ] || [ "${way%%,*}" = $turn ] || continue
                        compiler=${way#*,} why=
                        heddle_check --fair-after 64 --minimize never --compiler "${compiler%,*}" "${compiler#*,}" -w \
                                "$option" -DSHAPE="$shape" "$here/endless.c"
                        differs "exit status" "$expected" "$status"
                        [ "$rounds" = - ] || [ "$(field rounds.covered)" -ge "$rounds" ] 2>/dev/null ||
                                why="$why rounds: $(field rounds.covered), not $rounds"
                        if [ -z "$why" ]; then pass "endless $shape $option $way"; else fail "endless $shape $option $way" "$why"; fi
                done
        done <"$tmp/endless"
}

# A search over states ends, whatever is in registers and on stacks that is dead.  Of struct copies by gcc not all is covered.
scoped() {
        for compiler in gcc ${HEDDLE_TEST_LONG:+clang}; do
                why=
                heddle_check --compiler $compiler -O0 -std=c++17 --executions 20000 "$here/scoped.cc"
                case $(field why_incomplete) in *--executions*) why="there are too many states" ;; esac
                [ "$(field failures)" = '[]' ] || why="$why there is a failure"
                if [ -z "$why" ]; then pass "scoped $compiler"; else fail "scoped $compiler" "$why"; fi
        done
}

# shared_one LABEL EXPECTED OPTION...: by two explorers from the beginning.
shared_one() {
        why=
        label=$1
        expected=$2
        shift 2
        heddle_check --strategy optimal --jobs 2 --alone 0.001ms --time 60s "$@"
        differs "exit status" "$expected" "$status"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}

# What one explorer finds out about loops holds for the others: the search does not restart again and again.  Limits of rounds begin small there, too.
shared() {
        shared_one "shared retries" 0 -w -DSHAPE=ADD -DN=3 -DROUNDS=2 "$here/locks.c"
        shared_one "shared section" 0 "$root/tests/litmus/loop_section/loop_section.c"
        shared_one "shared halves" 0 "$root/tests/litmus/loop_halves/loop_halves.c"
        shared_one "shared sets" 1 --strategy deepen --alone 100ms -w -DBUG -DSHAPE=2 "$here/endless.c"
        shared_one "shared waits" 4 --fair-after 64 -w -DSHAPE=15 "$here/endless.c"
        [ "$(field executions)" -le 600 ] || fail "executions of shared waits" "$(field executions) for 465"
        shared_one "shared states" 0 -O0 -std=c++17 "$here/scoped.cc"
        shared_one "shared rounds" 1 -w -DBUG -DSHAPE=14 "$here/endless.c"
}

# The report names loops in which a thread waits, whether its rounds are cut, are run, or its load waits.  Not those that only look once.
hints() {
        for how in await cut wait; do
                why=
                heddle_check --strategy optimal --loops $how "$root/tests/litmus/spin_atomic/spin_atomic.c"
                differs "exit status with --loops $how" 0 "$status"
                case $(field busy_waits.0.file):$(field busy_waits.0.line) in
                *spin_atomic.c:"$(grep -n 'while (' "$root/tests/litmus/spin_atomic/spin_atomic.c" | head -n 1 | cut -d: -f1)") ;;
                *) why="$why busy wait: $(field busy_waits.0.file):$(field busy_waits.0.line)" ;;
                esac
                differs "another busy wait with --loops $how" "" "$(field busy_waits.1.line)"
                heddle_check --strategy optimal --loops $how "$root/tests/litmus/mp/mp.c"
                differs "busy wait without a loop" "" "$(field busy_waits.0.line)"
                if [ -z "$why" ]; then pass "hints $how"; else fail "hints $how" "$why"; fi
        done
}

# awaits OPTION...: with loads that wait.
awaits() {
        "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --options --loops=await "$@" >>"$tmp/compared" 2>&1
}

# delayed MEMORY: with stores that wait in buffers.
delayed() {
        "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --memory "$1" --seed "${SEED:-1}" \
                --programs $((programs / 5)) >>"$tmp/compared" 2>&1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --memory "$1" --retries --seed "${SEED:-1}" \
                        --programs $((programs / 5)) >>"$tmp/compared" 2>&1
}

# Random programs, against all states of a model (compare.c).
compare() {
        programs=50
        [ -z "$HEDDLE_TEST_LONG" ] || programs=20000
        "$here/build.sh" "$tmp/compare" && "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --seed "${SEED:-1}" \
                --programs "$programs" >"$tmp/compared" 2>&1 && awaits --seed 7 --programs $((programs / 2)) &&
                awaits --seed 83002 --first 37 --programs 1 && awaits --seed 83009 --first 45 --programs 1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --seed 400056 --first 34 --programs 1 >>"$tmp/compared" 2>&1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --seed 52188 --first 38 --programs 1 --options --loops=wait >>"$tmp/compared" 2>&1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --retries --seed 600031 --first 19 --programs 1 >>"$tmp/compared" 2>&1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --retries --seed "${SEED:-1}" --programs "$programs" >>"$tmp/compared" 2>&1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --results --seed "${SEED:-1}" --programs "$programs" >>"$tmp/compared" 2>&1 &&
                "$tmp/compare/compare" --heddle "$HEDDLE" --dir "$tmp/programs" --results --seed 100 --first 44 --programs 1 >>"$tmp/compared" 2>&1 &&
                delayed tso && delayed pso && pass compare && return
        grep '^FAIL' "$tmp/compared" || fail compare "$(tail -n 1 "$tmp/compared")"
}

[ "$1" = --row ] || rows ${*:-$(seq 1 18) deque noise counts buffered endless scoped hints shared compare mutations}
case $2 in
counts | buffered | endless | scoped | hints | shared | compare)
        "$2"
        exit 0
        ;;
mutations)
        check=--check
        [ -z "$HEDDLE_TEST_LONG" ] || check=
        "$here/mutate.sh" $check
        exit 0
        ;;
esac
if [ "$2" = noise ]; then
        program=$tmp/noise
        noise
        exit 0
fi
strategies='optimal deepen'
[ -z "$HEDDLE_TEST_LONG" ] || strategies='optimal dpor deepen icb auto'
for compiler in clang gcc; do
        command -v $compiler >/dev/null || continue
        for level in -O0 -O2; do
                [ -n "$HEDDLE_TEST_LONG" ] || [ $compiler$level = clang-O2 ] || [ $compiler$level = gcc-O0 ] || continue
                if ! built "$2" $compiler $level; then
                        fail "$2 $compiler $level" "the program cannot be built"
                        continue
                fi
                for strategy in $strategies; do
                        same "$2 $compiler $level $strategy" "$strategy"
                done
        done
done

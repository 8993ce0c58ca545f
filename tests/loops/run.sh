#!/bin/sh
# Spin detection depends on the program and the schedule alone: loops of several shapes give the same figures whatever unused
# stacks are filled with (HEDDLE_POISON), and no schedule has to overrule the detector.  Arguments name the shapes to run.  With
# HEDDLE_TEST_LONG=1 by both compilers, with and without optimisation, and by more strategies.
# Seconds: 25
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

[ "$1" = --row ] || rows ${*:-$(seq 1 16) deque noise}
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

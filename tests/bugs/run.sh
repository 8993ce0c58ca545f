#!/bin/sh
# Small programs with a bug each, and with -DFIXED without it: deepen finds every bug with a schedule that replays, and nothing
# is said of what is right, by deepen (which completes the maximal set), nor with every access a preemption point.  Locks of
# one's own (locks.c): verified with --test-locks, and their broken variants refuted.  Arguments name the programs.
# Seconds: 18
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/bugs
locks='TAS TICKET MCS PETERSON DEKKER BAKERY'

# expect NAME STATUS OPTION...: the last program that was built.
expect() {
        label=$1 wanted=$2
        shift 2
        why=
        heddle_check --time 60s "$@" "$program"
        [ "$status" = "$wanted" ] || why="exit status $status, not $wanted: $(field failures.0.kind) $(field why_incomplete)"
        [ "$wanted" != 0 ] || [ -n "$why" ] || differs complete true "$(field complete)"
        case " $* " in *--test-locks*) more=--test-locks ;; *) more= ;; esac
        # shellcheck disable=SC2086
        [ "$wanted" != 1 ] || [ -n "$why" ] || replays $more -- "$program"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}

run_program() {
        case " $locks " in
        *" $1 "*)
                build "$here/locks.c" "-D$1" || fail "$1" 'does not build'
                expect "$1 deepen" 0 --strategy deepen --test-locks
                expect "$1 all" 0 --strategy optimal --test-locks
                build "$here/locks.c" "-D$1" -DBROKEN || fail "$1" 'does not build'
                expect "$1 broken" 1 --strategy deepen --test-locks
                expect "$1 broken, trusted" 0 --strategy optimal
                ;;
        *)
                build "$here/$1.c" || fail "$1" 'does not build'
                expect "$1 deepen" 1 --strategy deepen
                [ -z "${HEDDLE_TEST_LONG:-}" ] || expect "$1 deepen by three" 1 --strategy deepen --jobs 3 --alone 0.001ms
                build "$here/$1.c" -DFIXED || fail "$1" 'does not build'
                expect "$1 fixed deepen" 0 --strategy deepen
                expect "$1 fixed deepen by three" 0 --strategy deepen --jobs 3 --alone 0.001ms
                expect "$1 fixed maximal" 0 --strategy deepen --maximal
                expect "$1 fixed all" 0 --strategy optimal
                ;;
        esac
}

if [ "$1" = --row ]; then
        run_program "$2"
        exit 0
fi
# shellcheck disable=SC2046,SC2086
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.c | sed 's,^./,,; s/[.]c$//' | grep -vx locks) $locks
rows "$@"

#!/bin/sh
# What a verdict covers: accesses that no compiler announces, code that is not instrumented, and the words for it.
# Seconds: 20
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/scope

done_with() { # name; $why says whether it failed
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

# expects NAME STATUS KIND: of the last check; its failures replay.
expects() {
        differs "exit status" "$2" "$status"
        differs kind "$3" "$(field failures.0.kind)"
        [ -n "$why" ] || replays -- "$program"
        done_with "$1"
}

# unannounced KIND COMPILER FLAGS STATUS KIND-OF-FAILURE
unannounced() {
        why= OPTIONS="--compiler $2"
        # shellcheck disable=SC2086
        build "$here/unannounced.c" "-D$1" $3 || why="the program cannot be built"
        heddle_check "$program"
        expects "unannounced_$1 $2 $3" "$4" "$5"
}

unannounced_row() {
        for level in -O0 -O2; do
                unannounced LONG_DOUBLE clang $level 1 assertion
                unannounced FIELD_40 clang $level 1 assertion
                unannounced FIELD_GCC gcc $level 1 assertion
                unannounced PRIVATE clang $level 0 -
        done
        unannounced BY_VALUE clang -O0 1 assertion
        unannounced BY_VALUE gcc -O0 1 assertion
        unannounced RETURNED clang -O0 1 assertion
        unannounced RETURNED gcc -O0 1 assertion
        unannounced VECTOR clang -O0 1 assertion
        unannounced VECTOR clang '-O2 -mavx2' 1 assertion
        unannounced COMPLEX clang -O0 1 assertion
        unannounced ATTRIBUTE clang -O0 1 assertion
        unannounced PRIVATE gcc -O2 0 -
}

[ "$1" = --row ] || rows unannounced
"${2}_row"
exit 0

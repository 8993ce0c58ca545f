#!/bin/sh
# What a verdict covers: accesses that no compiler announces, code that is not instrumented, and the words for it.  Arguments name
# the parts to run.
# Seconds: 40
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
        why=
        build "$here/unannounced.c" -DLONG_DOUBLE -Wl,-s || why="the program cannot be built"
        heddle_check "$program"
        expects unannounced_stripped 1 assertion
}

# covers NAME STATUS SCOPE HEADLINE LIST: what the last check says of its scope; LIST is a part of the first item, or empty.
covers() {
        differs "exit status" "$2" "$status"
        differs scope "$3" "$(field scope)"
        differs complete "$([ "$2" = 4 ] && echo false || echo true)" "$(field complete)"
        differs headline "$4" "$(field headline)"
        case $(field not_covered.0) in
        *"$5"*) [ -n "$5" ] || differs "what is not covered" "" "$(field not_covered.0)" ;;
        *) why="$why${why:+; }not covered is '$(field not_covered.0)', without '$5'" ;;
        esac
        done_with "$1"
}

all='No failure: every behaviour explored'
calls='No failure at the granularity of thread calls: memory accesses were not watched'
part='No failure found; not everything was covered:'

# native FILE FLAG...: built by the machine's compiler, into $program
native() {
        program=$tmp/native
        "${CC:-cc}" -g -O1 -pthread "$@" -o "$program" -ldl 2>"$tmp/err" || why="the program cannot be built"
}

calls_row() {
        for kind in NONE BEFORE; do
                why=
                native "$here/calls.c" -D$kind
                heddle_check "$program"
                covers "calls_$kind" 0 calls "$calls" ""
        done
        for kind in ATOMIC FENCE; do
                why=
                native "$here/calls.c" -D$kind
                heddle_check "$program"
                covers "calls_$kind" 4 calls "$part" "plain memory accesses of native, "
        done
        why=
        heddle_check --loop-time 1s "$here/calls.c" -DSPIN
        differs "exit status of a watched loop" 0 "$status"
        native "$here/calls.c" -DSPIN
        heddle_check --loop-time 1s "$program"
        differs "exit status" 4 "$status"
        differs headline "$part" "$(field headline)"
        done_with calls_SPIN
        why=
        native "$here/calls.c" -DATOMIC
        strip "$program"
        heddle_check "$program"
        covers calls_stripped 4 calls "$part" "plain memory accesses of native, "
        why=
        native "$here/calls.c" -DBEFORE
        strip "$program"
        heddle_check "$program"
        covers calls_stripped_before 0 calls "$calls" ""
}

library_row() {
        for by in cc heddle; do
                why= status_expected=4 headline=$part item=library_add
                case $by in
                cc) cc -shared -fPIC -DLIBRARY "$here/library.c" -o "$tmp/library.so" ;;
                heddle)
                        "$HEDDLE" cc -g -shared -fPIC -DLIBRARY "$here/library.c" -o "$tmp/library.so"
                        status_expected=0 headline='No failure, but 1 data race (undefined behaviour in C and C++; --fail-on race makes it a failure)' item=
                        ;;
                esac
                program=$tmp/user
                "$HEDDLE" cc -g "$here/library.c" "$tmp/library.so" -o "$program" || why="the program cannot be built"
                heddle_check "$program"
                covers "library_linked by $by" $status_expected accesses "$headline" "$item"
                why=
                "$HEDDLE" cc -g -DLOADED "$here/library.c" -ldl -o "$program" || why="the program cannot be built"
                heddle_check "$program" "$tmp/library.so"
                covers "library_loaded by $by" $status_expected accesses "$headline" "${item:+library.so}"
        done
        why=
        cc -shared -fPIC -DLIBRARY "$here/library.c" -o "$tmp/library.so"
        "$HEDDLE" cc -g -DALONE "$here/library.c" "$tmp/library.so" -o "$program" || why="the program cannot be built"
        heddle_check "$program"
        covers library_alone 0 accesses "$all" ""
}

object_row() {
        for level in -O0 -O2; do
                cc $level -c -DOBJECT "$here/object.c" -o "$tmp/object.o"
                for kind in ADDS LOCKED WAITS; do
                        why=
                        program=$tmp/user
                        "$HEDDLE" cc -g -D$kind "$here/object.c" "$tmp/object.o" -o "$program" || why="the program cannot be built"
                        heddle_check "$program"
                        [ $kind = ADDS ] && expects "object_$kind $level" 1 assertion
                        [ $kind = ADDS ] || covers "object_$kind $level" 0 accesses "$all" ""
                done
        done
}

# An object that was built without instrumentation is named by its source, or by its functions.
bare_row() {
        program=$tmp/user
        for by in 'cc -g -O2' 'cc -O2' "$HEDDLE cc -g -O2" "$HEDDLE cc --compiler gcc -O0"; do
                why=
                $by -c -DOBJECT "$here/object.c" -o "$tmp/object.o"
                "$HEDDLE" cc -g -DLOCKED "$here/object.c" "$tmp/object.o" -o "$program" || why="the program cannot be built"
                heddle_check "$program"
                excluded=$(field excluded.0)
                case $by in
                "cc -g"*) differs excluded 'data races of code that was not instrumented: object.c' "$excluded" ;;
                "cc "*) [ "${excluded#*'not instrumented: '*object_add()}" != "$excluded" ] || why="excluded is '$excluded'" ;;
                *) differs excluded '' "$excluded" ;;
                esac
                done_with "bare${by#"${by%% *}"}"
        done
}

# The functions of containers are the library's with gcc, and watched ones with clang.
containers_row() {
        for kind in LIST MAP HASH STRING; do
                for level in -O0 -O2; do
                        why=
                        build "$here/containers.cpp" -std=c++17 -D$kind $level || why="the program cannot be built"
                        heddle_check "$program"
                        covers "containers_$kind $level" 0 accesses "$all" ""
                        [ $level = -O2 ] || [ -n "${HEDDLE_TEST_LONG:-}" ] || continue
                        why=
                        build "$here/containers.cpp" -std=c++17 -D$kind -DUNLOCKED $level || why="the program cannot be built"
                        heddle_check "$program"
                        [ -n "$(field races.0.verdict)" ] || why="there is no data race"
                        expects "containers_unlocked_$kind $level" 1 -
                done
                why=
                HEDDLE_COMPILER=gcc
                export HEDDLE_COMPILER
                build "$here/containers.cpp" -std=c++17 -D$kind || why="the program cannot be built"
                unset HEDDLE_COMPILER
                heddle_check "$program"
                covers "containers_$kind gcc" 4 accesses "$part" "libstdc++.so.6"
        done
        for kind in 'ORDINARY -O0' 'ORDINARY -O2' 'AFTER -DMAP' 'AFTER -DSTRING'; do
                why=
                # shellcheck disable=SC2086
                build "$here/containers.cpp" -std=c++17 -D$kind || why="the program cannot be built"
                heddle_check "$program"
                covers "containers_$kind" 0 accesses "$all" ""
        done
}

# Memory of a program that is not instrumented counts where a loop is judged.
counted_row() {
        program=$tmp/counted
        for level in -O0 -O2; do
                why=
                cc -g $level "$here/counted.c" -o "$program" -pthread || why="the program cannot be built"
                heddle_check "$program"
                expects "counted $level" 0 -
                why=
                cc -g $level -DENDLESS "$here/counted.c" -o "$program" -pthread || why="the program cannot be built"
                heddle_check "$program"
                expects "counted_endless $level" 1 livelock
        done
}

words_row() {
        why=
        heddle_check --preempt sync "$here/unannounced.c" -DRACE
        covers words_race_sync 4 accesses "$part" "a data race at accesses that are not preemption points: x, "
        for option in '--preempt all' '--preempt races' '--strategy deepen'; do
                why=
                # shellcheck disable=SC2086
                heddle_check $option "$here/unannounced.c" -DRACE
                covers "words_race $option" 0 accesses 'No failure, but 1 data race (undefined behaviour in C and C++; --fail-on race makes it a failure)' ""
        done
        why=
        echo 'int main(void) { return 0; }' >"$tmp/one.c"
        heddle_check "$tmp/one.c"
        covers words_one_thread 0 accesses "$all; no thread was started, only one thread ran" ""
}

[ "$1" = --row ] || rows ${*:-unannounced calls library object bare containers counted words}
"${2}_row"
exit 0

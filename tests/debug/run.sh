#!/bin/sh
# Litmus tests with an explorer that checks its structures after every change (base/assert.h): a dozen that use most of them,
# under ASan and UBSan; in long runs all litmus tests, and those with --jobs and store buffers, with `make DEBUG=1`.
# Seconds: 30
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-$PWD/build}
status=0

built() { # make argument...
        ${MAKE:-make} -s --no-print-directory "$@" >"$BUILD/debug-build.log" 2>&1 && return
        echo "FAIL debug: the build failed, see $BUILD/debug-build.log"
        exit 1
}

part() { # build folder, part of the tests, row...
        folder=$1
        script=tests/$2/run.sh
        shift 2
        BUILD=$folder HEDDLE=$folder/heddle HEDDLE_TEST_LONG='' ASAN_OPTIONS=detect_leaks=0 "$script" "$@" || status=1
}

if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        built BUILD="$BUILD/debug" DEBUG=1 all
        part "$BUILD/debug" litmus
        part "$BUILD/debug" share
        PART=litmus part "$BUILD/debug" memory
else
        built BUILD="$BUILD" asan-heddle
        part "$BUILD/asan" litmus section_choice section_choice_twice choose_branch cancel_compete cas_footprint \
                atomic_section_reader timed_stuck_order cycle_escape trylock_three limit_depth_inside section_super_step cond_two
fi
exit $status

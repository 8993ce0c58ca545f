#!/bin/sh
# Runs every test and counts.  Each part prints lines `PASS name` and `FAIL name: why`; a part that ends with a status
# other than 0 and says no FAIL is a failure itself.  The last line is `N passed, N failed`.
#
# Every tests/*/run.sh is a part; it finds in its environment HEDDLE (the program), BUILD (the build folder, absolute)
# and, in long runs, HEDDLE_TEST_LONG=1.
cd "$(dirname "$0")/.." || exit 3
BUILD=$(mkdir -p "${BUILD:-build}" && cd "${BUILD:-build}" && pwd)
HEDDLE=$BUILD/heddle
export BUILD HEDDLE
log=$BUILD/test.log
: >"$log"

case " ${MAKEFLAGS:-} " in
*-j*) jobs= ;;
*) jobs=-j$(nproc) ;;
esac
make="${MAKE:-make} --no-print-directory -s $jobs"

# Runs a command; what it prints is shown and kept.
part() { # name command...
        name=$1
        shift
        before=$(grep -c '^FAIL ' "$log")
        { "$@" 2>&1; echo $? >"$BUILD/test.status"; } | tee -a "$log"
        status=$(cat "$BUILD/test.status")
        [ "$status" = 0 ] && return 0
        [ "$(grep -c '^FAIL ' "$log")" -gt "$before" ] || echo "FAIL $name: exit status $status" | tee -a "$log"
        return 1
}

# A command that counts as one test.
single() { # name command...
        part "$@" && echo "PASS $1" | tee -a "$log"
}

summary() {
        passed=$(grep -c '^PASS ' "$log")
        failed=$(grep -c '^FAIL ' "$log")
        [ "$failed" = 0 ] || { echo; grep '^FAIL ' "$log"; }
        echo
        echo "$passed passed, $failed failed"
        [ "$failed" = 0 ]
}

single includes scripts/check-includes.sh
single build $make all || { summary; exit 1; }
single build-with-$OTHER_CC $make BUILD=build/$OTHER_CC CC=$OTHER_CC CFLAGS= objects

unit() { # folder flags...
        folder=$1
        shift
        single "$folder-unit-build" $make "$@" unit || return
        for source in tests/unit/*_test.c; do
                [ -e "$source" ] || continue
                name=$(basename "$source" .c)
                single "$folder/$name" "$folder/unit/$name"
        done
}
unit "${BUILD#"$PWD"/}"
unit build/asan BUILD=build/asan CC=gcc WERROR= \
        CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"

for script in tests/*/run.sh; do
        [ -x "$script" ] || continue
        case $script in tests/bench/*) continue ;; esac
        part "$script" "$script"
done

summary

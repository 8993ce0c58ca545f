#!/bin/sh
# Runs every test and counts.  Each part prints lines `PASS name` and `FAIL name: why`; a part that ends with a status
# other than 0 and says no FAIL is a failure itself.  The last line is `N passed, N failed`.
#
# Every tests/*/run.sh is a part; it finds in its environment HEDDLE (the program), BUILD (the build folder, absolute),
# JOBS (how many things it may do at once) and, in long runs, HEDDLE_TEST_LONG=1.  Parts run side by side, one for each
# core, the one that took longest last time first, and what one prints is shown when it ends.  How long it takes on a
# machine that never ran it is told by a line `# Seconds: N` of the script, where it is long.  A part whose script has a line
# that begins with `# Alone:` needs a quiet machine: it runs after the others, by itself.
cd "$(dirname "$0")/.." || exit 3
BUILD=$(mkdir -p "${BUILD:-build}" && cd "${BUILD:-build}" && pwd)
HEDDLE=$BUILD/heddle
export BUILD HEDDLE
log=$BUILD/test.log
kept=$BUILD/test
mkdir -p "$kept"

case " ${MAKEFLAGS:-} " in
*-j*) jobs= ;;
*) jobs=-j$(nproc) ;;
esac
make="${MAKE:-make} --no-print-directory -s $jobs"

# Runs a command; what it prints is kept in a file, shown whole at the end, and added to the log.
part() { # name command...
        name=$1
        shift
        output=$kept/$(echo "$name" | tr / _).log
        "$@" >"$output" 2>&1 </dev/null
        status=$?
        [ "$status" = 0 ] || grep -q '^FAIL ' "$output" || echo "FAIL $name: exit status $status" >>"$output"
        flock "$log" cat "$output"
        flock "$log" cat "$output" >>"$log"
        return "$status"
}

# A command that counts as one test.
single() { # name command...
        part "$@" && echo "PASS $1" | tee -a "$log"
}

# One script of tests/, with the seconds it took.
script() { # script
        before=$(date +%s)
        part "$1" "$1"
        seconds=$(($(date +%s) - before))
        echo "$seconds" >"$kept/$(echo "$1" | tr / _).seconds"
        echo "== $1: $seconds s"
}

summary() {
        passed=$(grep -c '^PASS ' "$log")
        failed=$(grep -c '^FAIL ' "$log")
        [ "$failed" = 0 ] || { echo; grep '^FAIL ' "$log"; }
        echo
        echo "$passed passed, $failed failed"
        [ "$failed" = 0 ]
}

if [ "${1:-}" = --script ]; then
        script "$2"
        exit 0
fi
: >"$log"

single includes scripts/check-includes.sh
single build $make all || { summary; exit 1; }

# The other compiler must not warn either.  Where that is clang, it compiles the explorer for ASan, below.
case $OTHER_CC in
clang) objects=runtime ;;
*) objects=objects ;;
esac
single build-with-$OTHER_CC $make BUILD=build/$OTHER_CC CC=$OTHER_CC CFLAGS= $objects

unit() { # folder target
        folder=$1
        single "$folder-unit-build" $make "$2" || return
        for source in tests/unit/*_test.c; do
                [ -e "$source" ] || continue
                name=$(basename "$source" .c)
                single "$folder/$name" "$folder/unit/$name"
        done
}
folder=${BUILD#"$PWD"/}
unit "$folder" unit
unit "$folder/asan" asan-unit

# Seconds of a script: of the last run, or as it says itself.
cost() { # script
        cat "$kept/$(echo "$1" | tr / _).seconds" 2>/dev/null || sed -n 's/^# Seconds: //p' "$1" | grep . || echo 0
}

# The scripts, slowest first.
scripts() { # 0: those that run alone; 1: the others
        for script in tests/*/run.sh; do
                case $script in tests/bench/*) continue ;; esac
                [ -x "$script" ] || continue
                grep -q '^# Alone:' "$script"
                [ $? = "$1" ] || continue
                echo "$(cost "$script") $script"
        done | sort -rn | cut -d ' ' -f 2
}

scripts 1 | JOBS=1 xargs -r -P "$(nproc)" -n 1 "$0" --script
scripts 0 | xargs -r -n 1 "$0" --script

summary

#!/bin/sh
# Runs the tests and counts.  Each part prints lines `PASS name` and `FAIL name: why`; a part that ends with a status
# other than 0 and says no FAIL is a failure itself.  The last line is `N passed, N failed`.
#
#   scripts/test.sh          everything
#   scripts/test.sh --check  what a developer runs daily: under a minute
#
# Every tests/*/run.sh is a part; it finds in its environment HEDDLE (the program), BUILD (the build folder, absolute),
# JOBS (how many things it may do at once), in long runs HEDDLE_TEST_LONG=1, in short ones HEDDLE_TEST_SHORT=1.  Parts run
# side by side, one more than there are cores because they also wait, the one that took longest last time first; the output of a
# part is printed when it ends.
# Lines of the script: `# Seconds: N` says how long it takes on a machine that never ran it, `# Limit: N` how long it may
# take (600 s), `# Alone: why` that it needs a quiet machine: it runs after the others, by itself.
cd "$(dirname "$0")/.." || exit 3

# A test of signals must not inherit ignored ones (nohup).
[ -n "${HEDDLE_SIGNALS:-}" ] || HEDDLE_SIGNALS=default exec env --default-signal=HUP,INT,QUIT,TERM,PIPE scripts/test.sh "$@"
export HEDDLE_SIGNALS

BUILD=$(mkdir -p "${BUILD:-build}" && cd "${BUILD:-build}" && pwd)
HEDDLE=$BUILD/heddle
export BUILD HEDDLE
log=$BUILD/test.log
kept=$BUILD/test
mkdir -p "$kept"

call_limit=200
unit_limit=120
script_limit=600
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        scripts/deps.sh long || echo "the tests of a second LLVM are left out"
        call_limit=7200
        script_limit=43200
fi

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
        [ "$status" = 124 ] && echo "FAIL $name: over its limit" >>"$output"
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
        limit=$(sed -n 's/^# Limit: //p' "$1")
        [ -n "$limit" ] && [ -z "${HEDDLE_TEST_LONG:-}" ] || limit=$script_limit
        before=$(date +%s)
        part "$1" scripts/limited.sh "$1" "$limit" "$call_limit" "$1"
        seconds=$(($(date +%s) - before))
        [ -n "${HEDDLE_TEST_SHORT:-}" ] || echo "$seconds" >"$kept/$(echo "$1" | tr / _).seconds"
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

unit() { # folder target
        folder=$1
        single "$folder-unit-build" $make "$2" || return
        for source in $(cd tests/unit && find . -name '*_test.c' | sort); do
                name=${source#./}
                name=${name%.c}
                single "$folder/$name" timeout -k 5 "$unit_limit" "$folder/unit/$name"
        done
}

single includes scripts/check-includes.sh
single sizes scripts/check-sizes.sh
single words scripts/check-words.sh ${HEDDLE_TEST_LONG:+--comments}
single links scripts/check-links.sh
single format scripts/lint.sh format
single build $make all || { summary; exit 1; }
folder=${BUILD#"$PWD"/}

if [ "${1:-}" = --check ]; then
        export HEDDLE_TEST_SHORT=1
        unit "$folder" unit
        for part in litmus oracle golden misuse unit-rt; do
                echo "tests/$part/run.sh"
        done | JOBS=1 xargs -P "$(nproc)" -n 1 "$0" --script
        summary
        exit
fi

single shell scripts/lint.sh shell
single tidy scripts/lint.sh tidy

# The other compiler must not warn either.  Where that is clang, it compiles the explorer for ASan, below.
case $OTHER_CC in
clang) objects=runtime ;;
*) objects=objects ;;
esac
single build-with-$OTHER_CC $make BUILD=build/$OTHER_CC CC=$OTHER_CC CFLAGS= $objects

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

scripts 1 | JOBS=1 xargs -r -P $(($(nproc) + 1)) -n 1 "$0" --script
scripts 0 | xargs -r -n 1 "$0" --script

summary

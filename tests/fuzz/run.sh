#!/bin/sh
# The decoders of what comes from outside -- the wire, trace files, schedule texts, files of options, recordings -- under libFuzzer with
# ASan and UBSan: TOTAL seconds in all (20; an hour in long runs), the targets side by side.  A crash leaves its input in
# BUILD/fuzz/crashes; what it was fixed by goes to corpus/, which is the beginning of every run.
#
#     run.sh [TARGET ...]        wire, file, schedule, options, recording
# Seconds: 25
libs="-lm -ldw -lelf -lZydis -liberty"
[ ! -e /usr/include/hiredis/hiredis.h ] || libs="$libs -lhiredis"
[ ! -e /usr/include/hiredis/hiredis_ssl.h ] || libs="$libs -lhiredis_ssl"
cd "$(dirname "$0")/../.." || exit 3
root=$PWD
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
dir=$build/fuzz
TOTAL=${TOTAL:-${HEDDLE_TEST_LONG:+3600}}
TOTAL=${TOTAL:-20}
[ $# -gt 0 ] || set -- wire file schedule options recording

if ! echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p[0] + (int)n ? 0 : 0; }' |
        clang -x c -fsanitize=fuzzer,address -o /dev/null - 2>/dev/null; then
        echo "FAIL fuzz: clang has no libFuzzer here; apt-get install libclang-rt-14-dev (see scripts/deps.sh)"
        exit 1
fi
mkdir -p "$dir/crashes"
# The explorer's archive with the flags of the fuzzer, which is that of the unit tests under ASan.
if ! ${MAKE:-make} -s --no-print-directory -j"${JOBS:-$(nproc)}" BUILD="$build" asan-archive >"$dir/build.log" 2>&1; then
        echo "FAIL fuzz: the build failed, see $dir/build.log"
        exit 1
fi

# shellcheck disable=SC2086 # libs are several words
run() { # target: builds and runs it
        if ! clang -std=gnu11 -D_GNU_SOURCE= -Isrc -Iinclude -Itests/fuzz -g -O1 \
                -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o "$dir/$1_fuzz" \
                "tests/fuzz/$1_fuzz.c" tests/fuzz/tell.c "$build/asan/libexplorer.a" $libs >"$dir/$1.log" 2>&1; then
                echo "FAIL fuzz/$1: cannot be built, see $dir/$1.log"
                return
        fi
        mkdir -p "$dir/corpus/$1"
        case $1 in
        file | recording) length=4096 ;;
        wire) length=640 ;;
        *) length=256 ;;
        esac
        # Rounds, because the words of options live as long as the process.
        left=$seconds
        while [ "$left" -gt 0 ]; do
                round=$((left < 120 ? left : 120))
                left=$((left - round))
                if ! ASAN_OPTIONS=detect_leaks=0 "$dir/$1_fuzz" -max_total_time="$round" -timeout=20 -rss_limit_mb=3000 \
                        -max_len=$length -artifact_prefix="$dir/crashes/$1-" "$dir/corpus/$1" "tests/fuzz/corpus/$1" \
                        >"$dir/$1.log" 2>&1; then
                        echo "FAIL fuzz/$1: $(grep -m 1 -e 'ERROR: ' -e 'runtime error' "$dir/$1.log"); see $dir/$1.log"
                        return
                fi
        done
        echo "PASS fuzz/$1 ($(sed -n 's/^Done \([0-9]*\) runs.*/\1 runs/p' "$dir/$1.log"))"
}

# All together take TOTAL seconds of a core: each has its share, and they run side by side.
seconds=$((TOTAL / $#))
for target in "$@"; do
        run "$target" >"$dir/$target.result" &
done
wait
status=0
for target in "$@"; do
        cat "$dir/$target.result"
        grep -q '^PASS' "$dir/$target.result" || status=1
done
exit $status

#!/bin/sh
# The parts of the runtime that can be tested without a target: each X_test.c with stub.c in place of the core.
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
CC=${CC:-gcc}
dir=$BUILD/unit-rt
status=0
mkdir -p "$dir"
parts='rt threads util map sparse real memory/heap memory/allocate memory/malloc copy/memory copy/string copy/wide copy/text copy/work copy/quick copy/range
        calls/calls calls/random calls/refuse sched/path user/annotate world/time world/clock'

# Compiled once for all tests.
objects=
compile() { # source, word for its object
        # shellcheck disable=SC2086
        "$CC" $rt_flags -fvisibility=hidden -fno-stack-protector -c -o "$dir/$2.o" "$1" >"$dir/build.log" 2>&1 || {
                echo "FAIL unit-rt: cannot compile $1, see $dir/build.log"
                exit 1
        }
        objects="$objects $dir/$2.o"
}
rt_flags='-std=gnu11 -D_GNU_SOURCE= -Isrc -Iinclude -Itests/unit-rt -O1 -g -fno-builtin'
compile src/rt/arch/x86_64/untyped.S untyped_entry
compile tests/unit-rt/stub.c stub
for part in $parts; do
        compile "src/rt/$part.c" "$(echo "$part" | tr / _)"
done
for test in tests/unit-rt/*_test.c; do
        name=$(basename "$test" .c)
        # shellcheck disable=SC2086
        if ! "$CC" $rt_flags -fvisibility=hidden -fno-stack-protector -o "$dir/$name" "$test" $objects -ldl \
                >"$dir/$name.log" 2>&1; then
                echo "FAIL unit-rt/$name: cannot be built, see $dir/$name.log"
                status=1
        elif "$dir/$name" >"$dir/$name.log" 2>&1; then
                echo "PASS unit-rt/$name"
        else
                echo "FAIL unit-rt/$name: see $dir/$name.log"
                status=1
        fi
done
exit $status

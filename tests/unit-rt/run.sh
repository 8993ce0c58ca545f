#!/bin/sh
# The parts of the runtime that can be tested without a target: each X_test.c with stub.c in place of the core.
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
CC=${CC:-gcc}
dir=$BUILD/unit-rt
status=0
mkdir -p "$dir"
parts='rt threads util map real memory/heap memory/allocate memory/malloc copy/memory copy/string copy/wide copy/text copy/work copy/range
        calls/calls calls/random calls/refuse user/annotate world/time world/clock'

rt_flags='-std=gnu11 -D_GNU_SOURCE= -Isrc -Iinclude -Itests/unit-rt -O1 -g -fno-builtin'
sources=src/rt/arch/x86_64/untyped.S
for part in $parts; do
        sources="$sources src/rt/$part.c"
done
for test in tests/unit-rt/*_test.c; do
        name=$(basename "$test" .c)
        # shellcheck disable=SC2086
        if ! "$CC" $rt_flags -fvisibility=hidden -fno-stack-protector -o "$dir/$name" "$test" tests/unit-rt/stub.c \
                $sources -ldl >"$dir/$name.log" 2>&1; then
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

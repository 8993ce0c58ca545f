#!/bin/sh
# Every kind of access is announced, in both directions: with one that conflicts, both orders are found.  Where the pass is
# our own (clang); at -O0 and -O2.  Arguments name the parts that are files of their own (inline, alone ...): only these run.
set -u
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
dir=$BUILD/instrument-test
mkdir -p "$dir"
status=0

fail() { # name why
        echo "FAIL instrument/$1: $2"
        status=1
}

if [ $# -gt 0 ]; then
        # shellcheck source=/dev/null
        for part; do . "tests/instrument/$part.sh"; done
        exit $status
fi

both_orders() { # name program kind direction
        timeout 60 "$HEDDLE" check --quiet --strategy optimal --observe seen --json "$dir/json" "$2" "$3" "$4" >"$dir/out" 2>&1
        n=$(grep -o '"state"' "$dir/json" | wc -l)
        if [ "$n" -ge 2 ]; then echo "PASS instrument/$1"; else fail "$1" "$n outcomes: $(head -n 1 "$dir/out")"; fi
}

each_kind() { # name pattern program
        name=$1 pattern=$2 program=$3
        for kind in $("$program" | grep "$pattern"); do
                both_orders "$name/$kind/write" "$program" "$kind" write
                both_orders "$name/$kind/read" "$program" "$kind" read
        done
}

all_kinds() { # name pattern compiler flag...
        name=$1 pattern=$2 compiler=$3
        shift 3
        "$HEDDLE" cc --compiler "$compiler" -w -g "$@" tests/instrument/accesses.c -o "$dir/accesses" -lm || { fail "$name" "does not compile"; return; }
        each_kind "$name" "$pattern" "$dir/accesses"
}

# C++, and unusual control flow.
all_forms() { # name compiler flag...
        name=$1 compiler=$2
        shift 2
        "$HEDDLE" c++ --compiler "$compiler" -std=c++17 -w -g "$@" tests/instrument/forms.cc -o "$dir/forms" || { fail "$name" "does not compile"; return; }
        each_kind "$name" . "$dir/forms"
}
for level in 0 2; do
        all_kinds O$level . clang -O$level
        all_forms forms/O$level clang -O$level
        if [ -n "${HEDDLE_TEST_LONG:-}" ] && command -v clang-16 >/dev/null; then
                all_kinds clang-16/O$level . clang-16 -O$level
                all_forms clang-16/forms/O$level clang-16 -O$level
        fi
done
# Lanes of vectors, where the machine has them.
for feature in avx2 avx512f; do
        if grep -qw $feature /proc/cpuinfo; then all_kinds $feature lanes clang -O1 -mavx2 -m$feature; else echo "SKIP instrument/$feature: this machine does not have it"; fi
done
# Outside `check` plain bodies run, and each program does the same as without instrumentation.  The C++ part is a library once,
# whose functions others may replace.
bodies() { # name options...
        name=$1
        shift
        rm -f "$dir/plain" "$dir/ours"
        for who in plain ours; do
                case $who in plain) cc=clang ;; *) cc="$HEDDLE cc --compiler clang" ;; esac
                $cc "$@" -w -g -c tests/instrument/bodies_more.cc -o "$dir/$who.o"
                $cc "$@" -w -g -c tests/instrument/bodies.c -o "$dir/$who-main.o"
                if [ "$name" = bodies/library ]; then
                        $cc "$@" -shared "$dir/$who.o" -o "$dir/libmore-$who.so" -lstdc++
                        $cc "$@" "$dir/$who-main.o" -L"$dir" -Wl,-rpath,"$dir" -lmore-$who -o "$dir/$who"
                else
                        $cc "$@" "$dir/$who-main.o" "$dir/$who.o" -o "$dir/$who" -lstdc++
                fi
                "$dir/$who" >"$dir/$who.out" 2>&1
                echo "status $?" >>"$dir/$who.out"
        done
        "$HEDDLE" check --quiet --only deadlock "$dir/ours" >"$dir/out" 2>&1
        if ! grep -q 'status 3' "$dir/plain.out" || ! cmp -s "$dir/plain.out" "$dir/ours.out"; then
                fail "$name" "$(diff "$dir/plain.out" "$dir/ours.out" | tr '\n' ' ')"
        elif ! nm "$dir/ours" | grep -q ' t interpret.plain$'; then
                fail "$name" "there is no plain body"
        elif nm "$dir/ours" | grep -qE 'with_symbol.plain|in_section.plain'; then
                fail "$name" "code that must exist once has two bodies"
        elif ! grep -q 'No failure' "$dir/out"; then
                fail "$name" "check: $(head -n 1 "$dir/out")"
        else
                echo "PASS instrument/$name"
        fi
}
bodies bodies/O0 -O0
bodies bodies/O2 -O2
bodies bodies/fixed -O2 -fno-pie -no-pie
bodies bodies/library -O1 -fPIC
# Names of memory.
. tests/instrument/names.sh
. tests/instrument/library.sh
. tests/instrument/inline.sh
. tests/instrument/alone.sh
. tests/instrument/widths.sh
exit $status

#!/bin/sh
# Functions of libstdc++ and libatomic that access objects of the program.  Read by run.sh, which defines dir, fail and HEDDLE.
# shellcheck disable=SC2154

ends() { # name status arguments of check
        name=$1 wanted=$2
        shift 2
        timeout 100 "$HEDDLE" check "$@" >"$dir/out" 2>&1
        got=$?
        if [ $got = "$wanted" ]; then echo "PASS instrument/$name"; else fail "$name" "status $got: $(head -n 2 "$dir/out" | tr '\n' ' ')"; fi
}

ends streams/race 1 --compiler clang -std=c++17 -DRACE tests/instrument/streams.cc
ends streams/locked 0 --compiler clang -std=c++17 -O1 tests/instrument/streams.cc
if printf '_Atomic struct { char c[24]; } a, b; int main(void) { a = b; }' | clang -w -x c - -o "$dir/linked" -latomic 2>/dev/null; then
        ends any_size 0 --compiler clang -w tests/instrument/any_size.c -latomic
        ends any_size/tso 0 --compiler clang -w --memory tso tests/instrument/any_size.c -latomic
        ends any_size/lost 1 --compiler clang -w -DLOST tests/instrument/any_size.c -latomic
else
        echo "SKIP instrument/any_size: libatomic is not installed"
fi

# Code that is in no table: a function without a name or unwind information is not covered, and the start files are.
printf 'static void inc(int *p) { int v = *p; *p = v + 1; }\nvoid (*volatile f)(int *) = inc;\n' >"$dir/hidden.c"
clang -O1 -fno-asynchronous-unwind-tables -c "$dir/hidden.c" -o "$dir/hidden.o"
cat >"$dir/caller.c" <<'C'
#include <pthread.h>
extern void (*volatile f)(int *);
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a)
{
        pthread_mutex_lock(&m);
        if (f) f(&x);
        pthread_mutex_unlock(&m);
        return a;
}
int main(void)
{
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        work(0);
        return pthread_join(t, 0);
}
C
"$HEDDLE" cc --compiler clang "$dir/caller.c" "$dir/hidden.o" -Wl,-x -o "$dir/caller"
ends code/discarded_locals 4 "$dir/caller"
"$HEDDLE" cc --compiler clang -s "$dir/caller.c" -x c - -o "$dir/caller" <<'C'
void (*volatile f)(int *);
C
ends code/stripped 0 "$dir/caller"

if grep -qw avx2 /proc/cpuinfo; then # either order is found: neither value is the only one
        widest=$(grep -qw avx512f /proc/cpuinfo && echo -mavx512f)
        for compiler in clang clang-16; do
                [ -d "$BUILD/instrument/llvm-$($compiler -dumpversion 2>/dev/null | cut -d . -f 1)" ] || continue
                for value in 0 1; do
                        ends "gathers/$compiler/$value" 1 --compiler $compiler -O1 -mavx2 $widest -DWANTED=$value tests/instrument/gathers.c
                        grep -q 'last == ' "$dir/out" || fail "gathers/$compiler/$value" "another assertion fails: $(head -n 1 "$dir/out")"
                done
        done
else
        echo "SKIP instrument/gathers: this machine has no AVX2"
fi

# A clang without an instrumenter of its version: ThreadSanitizer's pass is used, and check says so.
mkdir -p "$dir/other"
printf '#!/bin/sh\n[ "$1" = -dumpversion ] && { echo 2.0.0; exit; }\nexec clang "$@"\n' >"$dir/other/clang-2"
chmod +x "$dir/other/clang-2"
ends other_version 1 --compiler "$dir/other/clang-2" tests/instrument/names.c
grep -q 'no instrumenter for this version' "$dir/out" || fail other_version "nothing is said: $(head -n 1 "$dir/out")"

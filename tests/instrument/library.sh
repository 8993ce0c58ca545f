#!/bin/sh
# Functions of libstdc++ and libatomic that access objects of the program.  Read by run.sh, which defines dir, fail and HEDDLE.
# shellcheck disable=SC2154

ends() { # name status arguments of check
        name=$1 wanted=$2
        shift 2
        timeout 100 "$HEDDLE" check --compiler clang "$@" >"$dir/out" 2>&1
        got=$?
        if [ $got = "$wanted" ]; then echo "PASS instrument/$name"; else fail "$name" "status $got: $(head -n 2 "$dir/out" | tr '\n' ' ')"; fi
}

ends streams/race 1 -std=c++17 -DRACE tests/instrument/streams.cc
ends streams/locked 0 -std=c++17 -O1 tests/instrument/streams.cc
if printf '_Atomic struct { char c[24]; } a, b; int main(void) { a = b; }' | clang -w -x c - -o "$dir/linked" -latomic 2>/dev/null; then
        ends any_size 0 -w tests/instrument/any_size.c -latomic
        ends any_size/tso 0 -w --memory tso tests/instrument/any_size.c -latomic
        ends any_size/lost 1 -w -DLOST tests/instrument/any_size.c -latomic
else
        echo "SKIP instrument/any_size: libatomic is not installed"
fi

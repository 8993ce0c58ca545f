#!/bin/sh
# Every kind of access is announced, in both directions: with one that conflicts, both orders are found.  Where the pass is
# our own (clang); at -O0 and -O2.
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

both_orders() { # name program kind direction
        timeout 60 "$HEDDLE" check --quiet --strategy optimal --observe seen --json "$dir/json" "$2" "$3" "$4" >"$dir/out" 2>&1
        n=$(grep -o '"state"' "$dir/json" | wc -l)
        if [ "$n" -ge 2 ]; then echo "PASS instrument/$1"; else fail "$1" "$n outcomes: $(head -n 1 "$dir/out")"; fi
}

for level in 0 2; do
        program=$dir/accesses$level
        "$HEDDLE" cc --compiler clang -w -g -O$level tests/instrument/accesses.c -o "$program" -lm || { fail "O$level" "does not compile"; continue; }
        for kind in $("$program"); do
                both_orders "O$level/$kind/write" "$program" "$kind" write
                both_orders "O$level/$kind/read" "$program" "$kind" read
        done
done
exit $status

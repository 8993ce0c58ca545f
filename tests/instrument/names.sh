#!/bin/sh
# Names of memory: the site table, and heap memory in reports.  Read by run.sh, which defines dir, fail, HEDDLE and BUILD.
# shellcheck disable=SC2154

# The site table: the records that names.c asks for are there.
table() { # compiler
        "$HEDDLE" cc --compiler "$1" -g -O0 -c tests/instrument/names.c -o "$dir/names.o" || { fail "$1/names" "does not compile"; return; }
        objcopy -O binary --only-section=.debug_heddle_sites --set-section-flags .debug_heddle_sites=alloc "$dir/names.o" "$dir/sites"
        awk 'NR == FNR { has[$1 " " $2 " " substr($0, index($0, $5))] = 1; next }
             match($0, /\/\* [raw] [^*]*\*\//) {
                what = substr($0, RSTART + 3, 1)
                text = substr($0, RSTART + 5, RLENGTH - 8)
                if (!((what " " FNR " " text) in has)) print FNR ": " what " " text
             }' "$dir/sites" tests/instrument/names.c >"$dir/missing"
        if [ -s "$dir/missing" ]; then fail "$1/names" "no record for $(head -n 1 "$dir/missing")"; else echo "PASS instrument/$1/names"; fi
}

# Reports call memory of the heap by its type and field.
heap_names() {
        timeout 60 "$HEDDLE" check --trace "$dir/trace" tests/instrument/names.c >"$dir/out" 2>&1
        for wanted in 'race on queue.count:' 'reads queue.count = 0' 'in queue (56 bytes, allocated at names.c:[0-9]* by T0)' 'from q->count, holding'; do
                if grep -q "$wanted" "$dir/out"; then echo "PASS instrument/$wanted"; else fail "$wanted" "$(head -n 3 "$dir/out")"; fi
        done
        wanted='queue%20(56%20bytes,%20allocated%20at%20names.c:[0-9]*%20by%20T0)'
        if grep -q "$wanted" "$dir/trace"; then echo "PASS instrument/block"; else fail block "$(grep ^memory "$dir/trace" | head -n 1)"; fi
        "$HEDDLE" report --text "$dir/trace" >"$dir/out" 2>&1
        if grep -q 'reads queue.count = 0' "$dir/out"; then echo "PASS instrument/report"; else fail report "$(head -n 3 "$dir/out")"; fi
}

for compiler in clang clang-16; do
        if command -v $compiler >/dev/null && [ -d "$BUILD/instrument/llvm-$($compiler -dumpversion | cut -d . -f 1)" ]; then table $compiler; else echo "SKIP instrument/$compiler/names: not installed"; fi
done
heap_names

#!/bin/sh
# Accesses that optimised code compares by itself.  Read by run.sh, which defines dir, fail, HEDDLE and BUILD.
# shellcheck disable=SC2154

inline_holds() { # name command...
        name=$1
        shift
        if "$@" >"$dir/out" 2>&1; then echo "PASS instrument/inline/$name"; else fail "inline/$name" "$(head -n 2 "$dir/out" | tr '\n' ' ')"; fi
}

calls_runtime() { # level wanted
        [ "$(nm "$dir/inline$1.o" | grep -cE 'U __heddle_access(_at)?$')" = "$2" ]
}

outcomes() { # wanted program mode
        timeout 100 "$HEDDLE" check --quiet --strategy optimal --observe seen --json "$dir/json" "$2" "$3"
        [ "$(grep -o '"state"' "$dir/json" | wc -l)" = "$1" ] && grep -q '"complete": true' "$dir/json"
}

# A failure behind a long computation, whose accesses are counted too.
same_failure() {
        timeout 100 "$HEDDLE" check --quiet --trace "$dir/trace" "$dir/inline2" fails
        [ $? = 1 ] || return 1
        timeout 100 "$HEDDLE" replay "$dir/trace"
        [ $? = 1 ]
}

ends_with() { # status arguments of check
        wanted=$1
        shift
        timeout 100 "$HEDDLE" check "$@"
        [ $? = "$wanted" ]
}

callers() { # arguments of check
        timeout 100 "$HEDDLE" check "$@" >"$dir/calls" 2>&1
        grep -A2 'in fails' "$dir/calls" | tr -d '\n' | grep -q 'called by outer .* called by work '
}

# What optimisation has moved has the line of the function, in the watched body and the plain one.
moved_read() { # compiler
        "$HEDDLE" cc --compiler "$1" -O2 -g -S -emit-llvm tests/instrument/moved.c -o "$dir/moved.ll" || return 1
        places=$(sed -n 's/.* = load i32, .*%1, .*!dbg !\([0-9]*\).*/\1/p' "$dir/moved.ll")
        [ "$(echo "$places" | wc -w)" = 2 ] || return 1
        for place in $places; do grep -q "^!$place = !DILocation(line: 2, scope:" "$dir/moved.ll" || return 1; done
}

for compiler in clang clang-16; do
        command -v $compiler >/dev/null || { echo "SKIP instrument/$compiler/inline: not installed"; continue; }
        for level in 0 2; do
                "$HEDDLE" cc --compiler $compiler -g -O$level -c tests/instrument/inline.c -o "$dir/inline$level.o" &&
                        "$HEDDLE" cc --compiler $compiler -pthread "$dir/inline$level.o" -o "$dir/inline$level" || fail "$compiler/inline" "does not compile"
        done
        inline_holds "$compiler/calls_hooks" calls_runtime 0 0
        inline_holds "$compiler/calls_runtime" calls_runtime 2 1
        inline_holds "$compiler/outside" sh -c "[ \"\$('$dir/inline0')\" = \"\$('$dir/inline2')\" ]"
        inline_holds "$compiler/counts" outcomes 2 "$dir/inline2" counts
        inline_holds "$compiler/waits" outcomes 1 "$dir/inline2" waits
        inline_holds "$compiler/presses" outcomes 1 "$dir/inline2" presses
        inline_holds "$compiler/replays" same_failure
        inline_holds "$compiler/moved" moved_read $compiler
done

# Registers that hold values while another thread runs.
for type in double float 'long double' int; do
        inline_holds "kept/$type" ends_with 0 --compiler clang -O2 -w "-DTYPE=$type" tests/instrument/kept.c
done
if grep -qw avx2 /proc/cpuinfo; then inline_holds kept/avx2 ends_with 0 --compiler clang -O2 -mavx2 -w tests/instrument/kept.c; fi

# Where a block ends inside a word: which of them fail.
for which in 0:0 1:1 2:1 3:1 4:1 5:1 6:0 7:1 9:1 10:1 11:1 12:1 13:1 14:1 15:0; do
        inline_holds "last/${which%:*}" ends_with "${which#*:}" --compiler clang -O2 -w "-DWHICH=${which%:*}" tests/instrument/last.c
done
inline_holds last/race ends_with 1 --compiler clang -O2 -w -DWHICH=8 --fail-on race tests/instrument/last.c

# Functions that note their callers by themselves, up to a depth; calls that exceptions and longjmp leave.
for depth in 10 20000; do
        inline_holds "stacks/$depth" callers --compiler clang -O2 -g -w -DDEPTH=$depth tests/instrument/stacks.cc
done

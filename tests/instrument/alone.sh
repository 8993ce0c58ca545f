#!/bin/sh
# Heap errors before the first thread.  Read by run.sh, which defines dir, fail and HEDDLE.
# shellcheck disable=SC2154

alone() { # level what status kind
        timeout 60 "$HEDDLE" check --quiet --json "$dir/json" "$dir/alone$1" "$2" >"$dir/out" 2>&1
        got=$?
        if [ $got != "$3" ]; then
                fail "alone/O$1/$2" "status $got: $(head -n 1 "$dir/out")"
        elif [ "$3" = 1 ] && ! grep -q "\"kind\": \"$4\"" "$dir/json"; then
                fail "alone/O$1/$2" "not $4: $(head -n 1 "$dir/out")"
        else
                echo "PASS instrument/alone/O$1/$2"
        fi
}

for level in 0 2; do
        "$HEDDLE" cc --compiler clang -w -g -O$level -pthread tests/instrument/alone.c -o "$dir/alone$level" || fail "alone/O$level" "does not compile"
        alone $level nothing 0
        for what in use-after-free again realloc getline copy; do
                alone $level $what 1 use-after-free
        done
        for what in past before shrunk copy-past; do
                alone $level $what 1 out-of-bounds
        done
done

#!/bin/sh
# What calls read and write of the program's memory (src/rt/calls/calls.def): a test for each row, made from the table.
#
# In one execution a thread makes every call, and another touches the memory of its arguments: each part of each row must
# be a data race.  Some parts (with HEDDLE_TEST_LONG=1 all of them) are explored on their own: both orders are run, and dfs
# has the same outcomes.  A call that is not known is named.  Last, every function of libc is wrapped, listed, harmless or
# in the list not_covered.
# Seconds: 15
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/calls

# outcomes STRATEGY NAME DIR ARG: those of the part on its own, in $tmp/STRATEGY.
outcomes() {
        strategy=$1
        shift
        heddle_check --strategy "$strategy" --observe seen "$ROWS" "$@"
        grep '^outcomes\.[0-9]*\.state' "$tmp/flat" | cut -f 2 | sort >"$tmp/$strategy"
}

run_part() {
        why=
        # shellcheck disable=SC2086
        set -- $(echo "$1" | tr / ' ')
        outcomes optimal "$@"
        [ "$(field executions)" -ge 2 ] || why="one order only: $(field executions) executions"
        outcomes dfs "$@"
        cmp -s "$tmp/optimal" "$tmp/dfs" || why="$why${why:+; }dfs has other outcomes"
        if [ -z "$why" ]; then pass "$*"; else fail "$*" "$why"; fi
}

if [ "$1" = --row ]; then
        run_part "$2"
        exit 0
fi

ROWS=$tmp/rows
export ROWS
if ! "$HEDDLE" cc -w -g -fno-builtin -D_GNU_SOURCE -I"$root/src" "$here/rows.c" -o "$ROWS" -lm 2>"$tmp/err"; then
        fail rows "the program cannot be built"
        finish
fi

# Every part at once.
"$ROWS" list | sort -u >"$tmp/parts"
timeout -k 5 "$LIMIT" "$HEDDLE" check --executions 1 --json "$tmp/all" "$ROWS" </dev/null >"$tmp/err" 2>&1
awk 'BEGIN { RS = "\"verdict\"" }
        {
                gsub(/"list_3"/, "\"call_vsnprintf\"") # the functions of rows.c that make a va_list
                gsub(/"list_file"/, "\"call_vfprintf\"")
                gsub(/"list_fd"/, "\"call_vdprintf\"")
        }
        match($0, /"call_[A-Za-z0-9_]*"/) {
                name = substr($0, RSTART + 6, RLENGTH - 7)
                if (match($0, /"touch_[a-z]*[0-9]"/)) {
                        part = substr($0, RSTART + 7, RLENGTH - 8)
                        print name, substr(part, 1, length(part) - 1), substr(part, length(part))
                }
        }' "$tmp/all" | sort -u >"$tmp/races"
comm -23 "$tmp/parts" "$tmp/races" >"$tmp/missing"
if [ -s "$tmp/missing" ] || [ ! -s "$tmp/parts" ]; then
        fail races "$(wc -l <"$tmp/missing") parts are not announced: $(tr '\n' ',' <"$tmp/missing" | head -c 2000)"
else
        pass "races: $(wc -l <"$tmp/parts") parts"
fi

# A call that is not known.
if build "$here/unknown.c"; then
        heddle_check "$program"
        why=
        differs status 4 "$status"
        grep -q tsearch "$tmp/flat" || why="$why${why:+; }tsearch is not named"
        if [ -z "$why" ]; then pass unknown; else fail unknown "$why"; fi
else
        fail unknown "the program cannot be built"
fi

# Every function has its place.
libc=$(ldd "$ROWS" | awk '/libc\.so\.6/ { print $3 }')
libm=$(ldd "$ROWS" | awk '/libm\.so\.6/ { print $3 }')
nm -D --defined-only "$(dirname "$HEDDLE")/libheddle-rt.so" | awk '{ print $3 }' >"$tmp/known"
sed -n 's/^HARMLESS(\(.*\))$/\1/p' "$root/src/rt/calls/harmless.def" >"$tmp/harmless"
LC_ALL=C sort -c "$tmp/harmless" 2>"$tmp/err" || fail harmless "the names are not sorted"
sort -u "$tmp/known" "$tmp/harmless" - <"$here/not_covered" >"$tmp/placed"
if [ "$("$libc" | sed -n '1s/.* version \([0-9.]*[0-9]\).*/\1/p')" = 2.36 ]; then
        sh "$here/functions.sh" "$libc" "$libm" | sort -u | comm -23 - "$tmp/placed" >"$tmp/missing"
        if [ -s "$tmp/missing" ]; then
                fail functions "nobody knows $(tr '\n' ' ' <"$tmp/missing")"
        else
                pass functions
        fi
fi

# Parts on their own.
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then each=1; else each=80; fi
awk -v each="$each" 'NR % each == 1 || each == 1 { print $1 "/" $2 "/" $3 }' "$tmp/parts" >"$tmp/some"
xargs -P "${JOBS:-$(nproc)}" -n 1 "$0" --row <"$tmp/some" >"$tmp/out" 2>&1
cat "$tmp/out"
passed=$((passed + $(grep -c '^PASS ' "$tmp/out")))
failed=$((failed + $(grep -c '^FAIL ' "$tmp/out")))
finish

#!/bin/sh
# Odd programs, each run 250 times, or a thousand with HEDDLE_TEST_LONG=1: memory, mappings and what the kernel holds must be
# the same before each execution (--check-restore), and the rows of restore.tsv say how it ends.  Arguments name the rows to run; rows run
# side by side.
# Seconds: 35
dir=$(cd "$(dirname "$0")" && pwd)

. "$dir/../programs/lib.sh"
times=250
[ -z "${HEDDLE_TEST_LONG:-}" ] || times=1000

if [ "$1" != --row ]; then
        [ $# -gt 0 ] || set -- $(sed -e '/^#/d' -e "s/$tab.*//" "$dir/restore.tsv")
        rows "$@"
fi

# Checks the row's program and compares what the row says; appends what differs to $why.
row() {
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        if [ "$input" = - ]; then
                : >"$tmp/input"
        else
                printf "$input" >"$tmp/input"
        fi
        if [ "$source" = dlopen_tls.c ]; then
                TLS_LIBRARY=$tmp/tls.so
                export TLS_LIBRARY
                cc -shared -fPIC -o "$TLS_LIBRARY" "$dir/library/tls.c" || why="the library cannot be built"
        fi
        # shellcheck disable=SC2086
        timeout -k 5 "$LIMIT" "$HEDDLE" check $OPTIONS --strategy dfs --executions "$times" --check-restore --json - \
                $options $flags -Wno-unused "$dir/$source" <"$tmp/input" >"$tmp/json" 2>"$tmp/err"
        status=$?
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
        differs "exit status" "$code" "$status"
        [ "$code" = 2 ] && return
        differs isolation "$isolation" "$(field isolation.mode)"
        [ "$code" = 4 ] && differs executions "$times" "$(field executions)"
}

while IFS=$tab read -r name source flags options code isolation input; do
        [ "$name" = "$2" ] || continue
        why=
        row
        if [ -z "$why" ]; then
                pass "$name"
        else
                fail "$name" "$why"
        fi
        exit 0
done <"$dir/restore.tsv"
echo "FAIL $2: no such row"

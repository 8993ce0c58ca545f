#!/bin/sh
# Programs that write files (programs.c), each in a folder of its own: they pass in every execution, in snapshot and fork mode,
# and the folder is the same byte for byte afterwards, also when heddle is killed in the middle.
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/files

# Makes the folder $1.
folder() {
        mkdir -p "$1/dir"
        printf 0123456789 >"$1/file"
        printf abc >"$1/list"
        printf in >"$1/dir/inner"
        ln -s file "$1/link"
}

# What is in the folder $1, with rights and times.
state() {
        (cd "$1" && find . -printf '%p %y %m %s %T@ %l\n' | sort && find . -type f -exec cksum {} +)
}

# run_one LABEL NUMBER STATUS OPTION...
run_one() {
        label=$1
        number=$2
        expected=$3
        shift 3
        why=
        rm -rf "$tmp/in"
        folder "$tmp/in"
        state "$tmp/in" >"$tmp/before"
        # shellcheck disable=SC2086
        (cd "$tmp/in" && timeout -k 5 "$LIMIT" "$HEDDLE" check $OPTIONS "$@" "$PROGRAMS" "$number" </dev/null >"$tmp/err" 2>&1)
        status=$?
        [ "$status" = "$expected" ] || why="exit status $status"
        state "$tmp/in" >"$tmp/after"
        cmp -s "$tmp/before" "$tmp/after" || why="$why${why:+; }the folder has changed"
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}

# killed NUMBER: the folder stays as it is when everything is killed at some moment (1 to 99 hundredths of a second).
killed() {
        rm -rf "$tmp/in"
        folder "$tmp/in"
        state "$tmp/in" >"$tmp/before"
        for moment in $(awk -v seed="$$$1" -v n="${HEDDLE_TEST_LONG:+20}" \
                'BEGIN { srand(seed); for (i = 0; i < (n ? n : 2); i++) printf "%.2f ", 0.01 + rand() * (i % 2 ? 0.9 : 0.2) }'); do
                (cd "$tmp/in" && timeout -s KILL "$moment" "$HEDDLE" check --strategy dfs "$PROGRAMS" "$1" </dev/null >"$tmp/err" 2>&1)
        done
        state "$tmp/in" >"$tmp/after"
        if cmp -s "$tmp/before" "$tmp/after"; then pass "$1 killed"; else fail "$1 killed" "the folder has changed"; fi
}

if [ "$1" = --row ]; then
        run_one "$2" "$2" 0
        [ "$2" = 9 ] && run_one "$2 fork" "$2" 4 --isolate fork --executions 20
        killed "$2"
        exit 0
fi
PROGRAMS=$tmp/programs
export PROGRAMS
if ! "$HEDDLE" cc -O0 -g -w -o "$PROGRAMS" "$here/programs.c" 2>"$tmp/err"; then
        fail programs "cannot be built"
        finish
fi
rows 0 1 2 3 4 5 6 7 8 9

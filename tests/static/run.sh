#!/bin/sh
# heddle static: each row of reads.tsv has its numbers of reads and of irrelevant ones, and its IR is found in objects and in the
# program.  Files without IR, and foreign ones, are refused in one line.
# Seconds: 5
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/static
ls "$(dirname "$HEDDLE")"/static/llvm-*/heddle-static >/dev/null 2>&1 ||
        ls "$(dirname "$HEDDLE")"/../lib/heddle/static/llvm-*/heddle-static >/dev/null 2>&1 ||
        { echo 'SKIP static: built without LLVM'; exit 0; }

# is NAME WANTED GOT
is() {
        if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "wanted '$2', got '$3'"; fi
}

figures() { # FILE...
        "$HEDDLE" static "$@" 2>&1 | sed -n '1s/ reads, \([0-9]*\) of.*/ \1/p'
}

grep -v '^#' "$here/reads.tsv" >"$tmp/rows"
while IFS=$tab read -r name flags reads irrelevant; do
        [ "$flags" = - ] && flags=
        # shellcheck disable=SC2086
        "$HEDDLE" cc --compiler clang --keep-ir -g $flags -o "$tmp/$name" "$here/programs/$name.c" 2>"$tmp/err" ||
                fail "$name" 'it does not compile'
        is "$name $flags" "$reads $irrelevant" "$(figures "$tmp/$name")"
done <"$tmp/rows"

# The IR of objects is that of the program.
"$HEDDLE" cc --compiler clang --keep-ir -g -c -o "$tmp/statistics.o" "$here/programs/statistics.c"
is 'an object' "$(figures "$tmp/statistics")" "$(figures "$tmp/statistics.o")"

# What cannot be read is named.
"$HEDDLE" cc --compiler clang -g -c -o "$tmp/without.o" "$here/programs/statistics.c"
is 'no IR' "heddle: $tmp/without.o has no IR; compile it with heddle cc --keep-ir" \
        "$("$HEDDLE" static "$tmp/without.o" 2>&1)"
is 'a foreign file' "heddle: $here/reads.tsv is neither an object file nor a program; compile it with heddle cc --keep-ir" \
        "$("$HEDDLE" static "$here/reads.tsv" 2>&1)"
is 'no access there' 'heddle: no access is at statistics.c:1' "$("$HEDDLE" static --why statistics.c:1 "$tmp/statistics" 2>&1)"
is 'why not' 'statistics.c:19:22 read log_sequence: irrelevant, nothing that counts depends on it' \
        "$("$HEDDLE" static --why statistics.c:19:22 "$tmp/statistics")"
is 'why' 'statistics.c:39:14 read total: relevant (branch)
  -> statistics.c:39:14 write total (memory)
  -> statistics.c:52:9 branch (branch)' "$("$HEDDLE" static --why statistics.c:39 "$tmp/statistics" | grep -A 2 'read total')"
finish

#!/bin/sh
# What recording costs against the program as clang builds it: the least processor time and time on the clock of RUNS runs of each, plain
# and recorded in turns, for cost.c, and for SQLite if SQLITE names a folder with sqlite3.c and sqlite3.h (cost.py).
#
#     cost.sh            a row for each kind of program
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/record
cd "$tmp" || exit 3
clang -O2 -g -pthread "$here/cost.c" -o plain || exit 3
"$HEDDLE" cc --record --compiler clang -O2 -g "$here/cost.c" -o recorded || exit 3
for what in racey pfscan aget pbzip2 bbuf sbuf pool; do
        set -- "$@" $what ./plain ./recorded $what ,
done
if [ "${SQLITE:-}" ]; then
        clang -O2 -w -pthread -I"$SQLITE" "$here/sqlite.c" "$SQLITE/sqlite3.c" -o plain_sqlite -ldl -lm || exit 3
        "$HEDDLE" cc --record --compiler clang -O2 -w -I"$SQLITE" "$here/sqlite.c" "$SQLITE/sqlite3.c" -o recorded_sqlite -ldl -lm ||
                exit 3
        set -- "$@" sqlite ./plain_sqlite ./recorded_sqlite 3000 files , \
                '(sqlite in memory)' ./plain_sqlite ./recorded_sqlite 30000 ,
fi
python3 "$here/cost.py" "$HEDDLE" "${RUNS:-7}" "$@"

#!/bin/sh
# What recording costs against the program as clang builds it: the least processor time of RUNS runs of each, in microseconds,
# for cost.c, and for SQLite if SQLITE names a folder with sqlite3.c and sqlite3.h.
#
#     cost.sh            a row for each kind of program
. "$(dirname "$0")/../programs/lib.sh"
RUNS=${RUNS:-7}
cd "$tmp" || exit 3
clang -O2 -g -pthread "$root/tests/record/cost.c" -o plain || exit 3
"$HEDDLE" cc --record --compiler clang -O2 -g "$root/tests/record/cost.c" -o recorded || exit 3

# Processor time, which other programs of the machine change less than the time on the clock.
least() { # COMMAND...
        i=0
        while [ $i -lt "$RUNS" ]; do
                i=$((i + 1))
                python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(int(1e6 * (used.ru_utime + used.ru_stime)))' "$@" || exit 3
        done | sort -n | head -n 1
}

sum=0
n=0
row() { # NAME ARGUMENT...: ./plain and ./recorded with the arguments
        name=$1
        shift
        plain=$(least ./plain "$@")
        rm -rf files/*
        recorded=$(least "$HEDDLE" record -o cost.rec ./recorded "$@")
        rm -rf files/*
        cost=$((recorded * 100 / plain - 100))
        sum=$((sum + cost))
        n=$((n + 1))
        printf '%-8s %8d %8d %5d%%\n' "$name" "$plain" "$recorded" $cost
}

printf '%-8s %8s %8s %6s\n' program plain recorded cost
for what in racey pfscan aget pbzip2 bbuf sbuf pool; do
        row $what $what
done
if [ "${SQLITE:-}" ]; then
        mkdir files
        clang -O2 -w -pthread -I"$SQLITE" "$root/tests/record/sqlite.c" "$SQLITE/sqlite3.c" -o plain -ldl -lm || exit 3
        "$HEDDLE" cc --record --compiler clang -O2 -w -I"$SQLITE" "$root/tests/record/sqlite.c" "$SQLITE/sqlite3.c" -o recorded -ldl -lm ||
                exit 3
        row sqlite 3000 files
        printf 'average %d%%\n' $((sum / n))
        row 'sqlite, in memory' 30000
else
        printf 'average %d%%\n' $((sum / n))
fi

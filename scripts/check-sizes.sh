#!/bin/sh
# The budgets of the tree: no file over 500 lines, no room over 40 files, README.md in 150 lines.  Prints what is over; exit status
# 1 if anything is.
cd "$(dirname "$0")/.." || exit 3
status=0
for room in $(find src -type d | sort); do
        n=$(find "$room" -maxdepth 1 -type f | wc -l)
        [ "$n" -le 40 ] || { echo "$room: $n files, at most 40"; status=1; }
done
for file in $(find src -name '*.[chS]' -o -name '*.cc' | sort); do
        n=$(wc -l <"$file")
        [ "$n" -le 500 ] || { echo "$file: $n lines, at most 500"; status=1; }
done
n=$(wc -l <README.md)
[ "$n" -le 150 ] || { echo "README.md: $n lines, at most 150"; status=1; }
exit $status

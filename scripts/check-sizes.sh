#!/bin/sh
# The budgets of the tree: no file over 500 lines, no room over 40 files, README.md in 150 lines.  Prints what is over; exit status
# 1 if anything is.
cd "$(dirname "$0")/.." || exit 3
status=0
for room in $(find src -type d | sort); do
        n=$(find "$room" -maxdepth 1 -type f | wc -l)
        [ "$n" -le 40 ] || { echo "$room: $n files, at most 40"; status=1; }
done
# Tables (*.def) may be longer.
find src tests scripts include examples -name '*.[chS]' -o -name '*.cc' -o -name '*.sh' | sort | xargs wc -l |
        awk '$1 > 500 && $2 != "total" { print $2 ": " $1 " lines, at most 500"; bad = 1 } END { exit bad }' || status=1
n=$(wc -l <README.md)
[ "$n" -le 150 ] || { echo "README.md: $n lines, at most 150"; status=1; }
exit $status

#!/bin/sh
# Puts the option lists of the program into the man pages, between
#     .\" BEGIN OPTIONS command
#     .\" END OPTIONS
# With --check changes nothing and fails when a list is out of date.
# usage: man-options.sh [--check] HEDDLE FOLDER
check=
[ "$1" = --check ] && { check=1; shift; }
heddle=$1
status=0

for page in "$2"/*.1; do
        new=$(awk -v heddle="$heddle" '
                /^\.\\" BEGIN OPTIONS / { print; system(heddle " --man-options " $4); skip = 1; next }
                /^\.\\" END OPTIONS/ { skip = 0 }
                !skip { print; fflush() }' "$page")
        [ "$new" = "$(cat "$page")" ] && continue
        if [ "$check" ]; then
                echo "$page: the option list is out of date; run make man"
                status=1
        else
                printf '%s\n' "$new" >"$page"
        fi
done
exit $status

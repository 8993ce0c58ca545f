#!/bin/sh
# build.sh DIRECTORY: the comparer of random programs with transactions.
set -eu
here=$(dirname "$0")
mkdir -p "$1"
[ -z "$(find "$here" -newer "$1/compare" 2>&1)" ] && exit 0
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$1/compare" "$here"/*.c "$here/../../oracle/json.c" \
        "$here/../../oracle/command.c" "$here/../../oracle/arguments.c"

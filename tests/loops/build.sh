#!/bin/sh
# build.sh DIRECTORY: the comparer of random programs with loops.
set -eu
cd "$(dirname "$0")"
mkdir -p "$1"
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$1/compare" compare.c generate.c results.c write.c model.c ../oracle/json.c \
        ../oracle/command.c

#!/bin/sh
# build.sh DIRECTORY: the reference model and the comparer.
set -eu
sources=$(dirname "$0")
mkdir -p "$1"
flags="-std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror"
model="$sources/model/model.c $sources/model/words.c $sources/model/text.c $sources/model/generate.c $sources/model/emit.c"
# shellcheck disable=SC2086
${CC:-cc} $flags -o "$1/model" "$sources/model/main.c" $model
# shellcheck disable=SC2086
${CC:-cc} $flags -o "$1/compare" "$sources/compare.c" "$sources/run.c" "$sources/reduce.c" \
        "$sources/../oracle/json.c" "$sources/../oracle/command.c" "$sources/../oracle/arguments.c" $model

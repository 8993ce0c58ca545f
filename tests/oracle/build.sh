#!/bin/sh
# build.sh DIRECTORY: the generator and the comparer.
set -eu
sources=$(dirname "$0")
mkdir -p "$1"
[ -z "$(find "$sources" -newer "$1/compare" 2>&1)" ] && exit 0
flags="-std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror"
# shellcheck disable=SC2086
${CC:-cc} $flags -o "$1/generate" "$sources"/generate.c "$sources"/program.c "$sources"/estimate.c "$sources"/emit.c "$sources"/emit_head.c \
        "$sources"/code.c "$sources"/model.c "$sources"/step.c "$sources"/acquire.c "$sources"/settings.c
# shellcheck disable=SC2086
${CC:-cc} $flags -o "$1/compare" "$sources"/compare.c "$sources"/arguments.c "$sources"/command.c "$sources"/verdict.c "$sources"/json.c "$sources"/settings.c

#!/bin/sh
# functions.sh LIBC LIBM: the functions that libc exports, and those of libm that take pointers, one a line.
headers=$(mktemp -d) || exit 2
trap 'rm -rf "$headers"' EXIT

exported() {
        nm -D --defined-only "$1" | awk '$2 ~ /^[TWi]$/ && $3 ~ /@@/ && $3 !~ /PRIVATE/ { sub(/@.*/, "", $3); print $3 }' | sort -u
}

exported "$1"
printf '#include <%s.h>\n' math fenv complex >"$headers/all.c"
gcc -D_GNU_SOURCE -S -o /dev/null -aux-info "$headers/prototypes" "$headers/all.c"
sed -n 's/.*[ *]\([A-Za-z_0-9]*\) (\(.*\*.*\));.*/\1/p' "$headers/prototypes" | sort -u >"$headers/pointers"
exported "$2" | comm -12 - "$headers/pointers"

#!/bin/sh
# Makes BUILD/heddle-VERSION.tar.gz: the sources, in one folder, the same bytes for the same tree.
set -eu
cd "$(dirname "$0")/.."
name=heddle-$VERSION
file=$BUILD/$name.tar.gz
mkdir -p "$BUILD"
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z
else
        find . -path "./$BUILD" -prune -o -path ./build -prune -o -type f -print0
fi | LC_ALL=C sort -z | tar --null --no-recursion --files-from=- --transform "s,^\(\./\)*,$name/," --owner=0 --group=0 \
        --numeric-owner --mtime='2026-01-01 00:00:00Z' --format=ustar -cf - | gzip -9n >"$file"
echo "$file"

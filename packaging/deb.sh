#!/bin/sh
# Makes BUILD/heddle_VERSION_ARCH.deb out of what `make install` puts into a folder.  Wants dpkg-dev, not debhelper.
set -eu
cd "$(dirname "$0")/.."
umask 022
for tool in dpkg-deb dpkg-shlibdeps dpkg; do
        command -v $tool >/dev/null || { echo "make deb needs $tool: apt-get install dpkg-dev" >&2; exit 2; }
done
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
arch=$(dpkg --print-architecture)
tree=$BUILD/deb/heddle
doc=$tree/usr/share/doc/heddle
maintainer='The heddle developers <heddle@heddle.invalid>'
rm -rf "$BUILD/deb"
mkdir -p "$tree/DEBIAN" "$BUILD/deb/debian" "$doc"
${MAKE:-make} -s --no-print-directory install DESTDIR="$tree" PREFIX=/usr BUILD="$BUILD" >/dev/null

strip --strip-unneeded --remove-section=.comment "$tree/usr/bin/heddle" "$tree/usr/lib/heddle/libheddle-rt.so" \
        "$tree"/usr/lib/heddle/plain/libheddle-rt.so "$tree"/usr/lib/heddle/record/libheddle-rt.so "$tree"/usr/lib/heddle/tsan/*
gzip -9n "$tree"/usr/share/man/man1/*.1 "$tree"/usr/share/man/man7/*.7
(cd "$tree/usr/share/man/man1" && for page in *.1.gz; do
        # A page that is only a reference must name the file as it is now.
        if zcat "$page" | head -n 1 | grep -q '^\.so '; then
                target=$(zcat "$page" | sed -n '1s/^\.so \(man1\/\)*//p')
                ln -sf "$target.gz" "$page"
        fi
done)

cp packaging/copyright "$doc/copyright"
cp README.md "$doc/README.md"
cp docs/SOUNDNESS.md docs/FORMATS.md docs/GLOSSARY.md "$doc/"
cp -r docs/proofs "$doc/proofs"
gzip -9nc CHANGELOG.md >"$doc/NEWS.md.gz"
printf 'heddle (%s) unstable; urgency=medium\n\n  * Release %s; see NEWS.md.gz.\n\n -- %s  %s\n' "$VERSION" "$VERSION" \
        "$maintainer" "Thu, 01 Jan 2026 00:00:00 +0000" | gzip -9n >"$doc/changelog.gz"

mkdir -p "$tree/usr/share/lintian/overrides"
cat >"$tree/usr/share/lintian/overrides/heddle" <<EOF
# These stand in the place of ThreadSanitizer's libraries and are empty on purpose.
heddle: shared-library-lacks-prerequisites [usr/lib/heddle/tsan/*]
EOF

# What the binaries need, as the packages installed here say it.
printf 'Source: heddle\n\nPackage: heddle\nArchitecture: any\n' >"$BUILD/deb/debian/control"
depends=$(cd "$BUILD/deb" && dpkg-shlibdeps -O heddle/usr/bin/heddle heddle/usr/lib/heddle/libheddle-rt.so 2>/dev/null |
        sed -n 's/^shlibs:Depends=//p')
cat >"$tree/DEBIAN/control" <<EOF
Package: heddle
Version: $VERSION
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -ks "$tree/usr" | cut -f 1)
Depends: $depends
Recommends: clang | gcc, libc6-dev
Suggests: gdb, g++
Section: devel
Priority: optional
Description: model checker for multithreaded C and C++ programs
 heddle runs a real multithreaded program under every inequivalent schedule of
 its threads. It either shows a failing schedule that replays every time, or
 says that there is none: deadlocks, livelocks, failed assertions, crashes and
 more are found and explained.
EOF
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
find "$tree" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group --build "$tree" "$BUILD/heddle_${VERSION}_$arch.deb" >/dev/null
echo "$BUILD/heddle_${VERSION}_$arch.deb"

#!/bin/sh
# Installing: what make install, make uninstall, make dist and make deb make works, wherever it is put.
# Seconds: 20
cd "$(dirname "$0")/../.." || exit 3
root=$PWD
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

check() { # name command...
        name=$1
        shift
        if "$@" >"$work/log" 2>&1; then
                echo "PASS install/$name"
        else
                echo "FAIL install/$name: $(tail -n 1 "$work/log")"
                failed=1
        fi
}

finds() { # heddle source: it finds the failure of the source
        "$@" >"$work/finds" 2>&1
        [ $? = 1 ] || { cat "$work/finds"; return 1; }
}

source=$root/examples/lost_update.c
make="${MAKE:-make} -s --no-print-directory BUILD=$build"
cd "$work" || exit 3

check make_install $make -C "$root" install DESTDIR="$work/a b" PREFIX=/opt/heddle
tree="$work/a b/opt/heddle"
check runs finds "$tree/bin/heddle" check "$source"
check has_man_pages sh -c 'cd "$1" && for c in check cc c++ build replay explain gdb report static doctor completion; do [ -s "heddle-$c.1" ] || exit 1; done' \
        sh "$tree/share/man/man1"
check bash_completion bash -n "$tree/share/bash-completion/completions/heddle"
check zsh_completion grep -q "'--strategy=" "$tree/share/zsh/vendor-completions/_heddle"
check names_no_place sh -c '! grep -rqF "$1" "$2"/share "$2"/include' sh "$work" "$tree"

# The whole tree at another place, found through a symlink and through PATH.
mkdir moved && mv "$tree" moved/there
check moved finds moved/there/bin/heddle check "$source"
ln -s moved/there/bin/heddle link
check symlink finds ./link check "$source"
check path finds env PATH="$work/moved/there/bin:$PATH" heddle check "$source"
if command -v pkg-config >/dev/null; then
        flags=$(PKG_CONFIG_PATH=$work/moved/there/share/pkgconfig pkg-config --cflags heddle)
        echo '#include <heddle/heddle.h>
int main(void) { return heddle_running(); }' >annotated.c
        check pkg_config sh -c 'cc $1 -o annotated annotated.c && ./annotated' sh "$flags"
fi
if command -v cmake >/dev/null; then
        mkdir project
        cp "$source" project/test.c
        echo 'cmake_minimum_required(VERSION 3.16)
project(installed C)
find_package(heddle 0.1 REQUIRED)
enable_testing()
heddle_add_test(NAME lost SOURCES test.c)' >project/CMakeLists.txt
        check find_package cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$work/moved/there"
        check find_package_takes_its_own grep -q "HEDDLE_EXECUTABLE:FILEPATH=$work/moved/there/bin/heddle" project/build/CMakeCache.txt
        check find_package_builds cmake --build project/build
        check find_package_tests sh -c 'ctest --test-dir project/build | grep -q "lost .*Failed"'
        sed -i 's/heddle 0.1/heddle 9.0/' project/CMakeLists.txt
        check find_package_version sh -c '! cmake -S project -B project/other -DCMAKE_PREFIX_PATH="$1"' sh "$work/moved/there"
fi
mkdir -p "$work/a b/opt" && mv moved/there "$tree"
check make_uninstall $make -C "$root" uninstall DESTDIR="$work/a b" PREFIX=/opt/heddle
check nothing_left [ -z "$(find "$work/a b" ! -type d)" ]

# The tarball holds all that it needs to build itself: what make names and what sources include.  In long runs it is built, without
# optimisation, because only the text is tried.
included() { # folder: every header of its own that a source includes is there
        cd "$1" && grep -rhoE '^#include "[a-z]+/[^"]*"' src | sort -u | cut -d '"' -f 2 | while read -r header; do
                [ -e "src/$header" ] || [ -e "include/$header" ] || { echo "$header is missing"; exit 1; }
        done
}
check make_dist $make -C "$root" dist
version=$("$build/heddle" --version | cut -d ' ' -f 2)
check dist_unpacks tar xzf "$build/heddle-$version.tar.gz"
check dist_names_what_is_there env -u MAKEFLAGS -u BUILD make -n -C "heddle-$version"
check dist_includes_what_is_there included "heddle-$version"
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        check dist_builds env -u MAKEFLAGS -u BUILD make -s -j"${JOBS:-2}" -C "heddle-$version" CFLAGS=-O0
        check dist_runs finds "heddle-$version/build/heddle" check "heddle-$version/examples/lost_update.c"
fi

if command -v dpkg-shlibdeps >/dev/null; then
        check make_deb $make -C "$root" deb
        deb=$build/heddle_${version}_$(dpkg --print-architecture).deb
        check deb_unpacks dpkg-deb -x "$deb" deb
        check deb_runs finds deb/usr/bin/heddle check "$source"
        check deb_version [ "$(dpkg-deb -f "$deb" Version)" = "$version" ]
        if command -v lintian >/dev/null; then
                check deb_lintian sh -c '[ -z "$(lintian --allow-root "$1" 2>&1)" ]' sh "$deb"
        fi
fi
exit $failed

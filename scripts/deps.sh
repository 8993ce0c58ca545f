#!/bin/sh
# Finds out which Debian packages are missing and installs them: as root, or through a sudo that asks for nothing.
# Otherwise prints the command to type.  Does nothing, quickly, when everything is there.
#
#   scripts/deps.sh        what building and running needs
#   scripts/deps.sh test   and what only tests need
#   scripts/deps.sh source NAME FOLDER   the sources of a Debian package, as their authors released them, into FOLDER (a test in
#                          make test-long builds them); fails where they cannot be had
#   scripts/deps.sh long   what only long tests need, where there are packages of it
set -u

if [ "${1:-}" = source ]; then
        mkdir -p "$3/apt/lists/partial" "$3/apt/parts" || exit 1
        cd "$3" || exit 1
        apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' | head -n 1 |
                sed 's/.*/deb-src & main/' >apt/list
        set -- "$2" -o Dir::Etc::sourcelist="$PWD/apt/list" -o Dir::Etc::sourceparts="$PWD/apt/parts" \
                -o Dir::State::lists="$PWD/apt/lists" -o APT::Sandbox::User=
        name=$1
        shift
        timeout 120 apt-get "$@" update -qq >&2
        timeout 120 apt-get "$@" source --download-only -qq "$name" >&2
        tar xf "$name"_*.orig.tar.* --strip-components=1
        exit
fi

missing=

# Tools may come from anywhere; libraries are asked for by package where there is dpkg.
need_tool() { # command package
        command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

need_library() { # header package
        if command -v dpkg-query >/dev/null 2>&1; then
                dpkg-query -W -f='${Status}\n' "$2" 2>/dev/null | grep -q 'install ok installed' && return
        fi
        [ -e "/usr/include/$1" ] || missing="$missing $2"
}

# libFuzzer has the version of clang in its package's name.
need_fuzzer() {
        command -v clang >/dev/null 2>&1 || { missing="$missing libclang-rt-dev"; return; }
        [ -e "$(clang -print-resource-dir)/lib/linux/libclang_rt.fuzzer-x86_64.a" ] ||
                missing="$missing libclang-rt-$(clang -dumpversion | cut -d . -f 1)-dev"
}

# The instrumenter is built against the LLVM of the clang that loads it.
need_llvm() {
        command -v clang >/dev/null 2>&1 || { missing="$missing llvm-dev"; return; }
        major=$(clang -dumpversion | cut -d . -f 1)
        [ -e "/usr/lib/llvm-$major/include/llvm-c/Core.h" ] || [ -e /usr/include/llvm-c/Core.h ] ||
                missing="$missing llvm-$major-dev"
}

# A version of LLVM beside the usual one, which it is built and tested with.
need_second() {
        apt-cache show clang-16 llvm-16-dev >/dev/null 2>&1 || return
        need_tool clang-16 clang-16
        [ -e /usr/lib/llvm-16/include/llvm-c/Core.h ] || missing="$missing llvm-16-dev"
}

need_tool gcc gcc
need_tool g++ g++
need_tool clang clang
need_tool clang-format clang-format
need_library stdio.h libc6-dev
need_library elfutils/libdw.h libdw-dev
need_library libelf.h libelf-dev
need_library Zydis/Zydis.h libzydis-dev
need_library libiberty/demangle.h libiberty-dev
need_library hiredis/hiredis.h libhiredis-dev
need_library z3.h libz3-dev
need_llvm
if [ "${1:-}" = test ]; then
        need_tool gdb gdb
        need_tool redis-server redis-server
        need_tool clang-tidy clang-tidy
        need_tool shellcheck shellcheck
        need_tool ps procps
        need_tool chromium chromium
        need_tool node nodejs
        need_tool npm npm
        need_tool cmake cmake
        need_tool meson meson
        need_tool ninja ninja-build
        need_tool ccache ccache
        need_tool pkg-config pkg-config
        need_tool dpkg-shlibdeps dpkg-dev
        need_tool rustc rustc
        need_library glib-2.0/glib.h libglib2.0-dev
        need_library x86_64-linux-gnu/libomp.so.5 libomp-dev
        need_library urcu.h liburcu-dev
        need_library uv.h libuv1-dev
        need_library event2/event.h libevent-dev
        need_library bzlib.h libbz2-dev
        need_library tbb/tbb.h libtbb-dev
        need_library x86_64-linux-gnu/libjemalloc.so.2 libjemalloc2
        need_library x86_64-linux-gnu/libtcmalloc_minimal.so.4 libtcmalloc-minimal4
        need_fuzzer
fi

[ "${1:-}" = long ] && need_second
[ -z "$missing" ] && exit 0

install="apt-get install -y --no-install-recommends$missing"

if ! command -v apt-get >/dev/null 2>&1; then
        echo "missing, please install with your package manager (Debian's names):$missing" >&2
        exit 1
fi
if [ "$(id -u)" = 0 ]; then
        as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
else
        echo "missing packages; please type:" >&2
        echo "    sudo apt-get update && sudo $install" >&2
        exit 1
fi

# The lists may be empty or old: refresh them once when a package cannot be had with what is there.
export DEBIAN_FRONTEND=noninteractive
echo "installing:$missing"
$as_root env DEBIAN_FRONTEND=noninteractive $install >/dev/null 2>&1 && exit 0
$as_root apt-get update || { echo "apt-get update failed; please type: $install" >&2; exit 1; }
$as_root env DEBIAN_FRONTEND=noninteractive $install && exit 0
echo "could not install; please type: $install" >&2
exit 1

#!/bin/sh
# Other people's libraries as they are installed: GLib, Rust's standard library, libgomp, libomp, liburcu, libuv, libevent, oneTBB,
# jemalloc and tcmalloc; a library that is loaded by dlopen; and programs built from their sources (memcached, pbzip2, lbzip2).  Each in correct and broken uses; a
# broken one must be found, and a correct one ends within bounds with what was not seen listed (4).  Arguments name rows of the
# table.  FIGURES names a file to which rows for docs/WILD.md are added.  A row whose library or compiler is not installed is skipped with a message (scripts/deps.sh test installs them).
# Seconds: 20
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/wild
export RUST_BACKTRACE=0
table=$here/table

has_package() { # name for pkg-config
        pkg-config --exists "$1" 2>/dev/null
}

has_library() { # name
        [ -e "/usr/lib/x86_64-linux-gnu/$1" ]
}

# Builds the driver of a library, once, into $program; sets `missing` if what it needs is not installed.
driver() { # library
        program=$tmp/$1 missing= preload=
        case $1 in
        jemalloc_preload) preload=libjemalloc.so.2 ;;
        tcmalloc_preload) preload=libtcmalloc_minimal.so.4 ;;
        esac
        [ -x "$program" ] && return
        case $1 in
        glib*) has_package glib-2.0 || missing=libglib2.0-dev ;;
        rust) command -v rustc >/dev/null || missing=rustc ;;
        urcu*) has_package liburcu || missing=liburcu-dev ;;
        libomp) has_library libomp.so.5 || missing=libomp-dev ;;
        libuv) has_package libuv || missing=libuv1-dev ;;
        libevent) has_package libevent || missing=libevent-dev ;;
        tbb) has_package tbb || missing=libtbb-dev ;;
        jemalloc*) has_library libjemalloc.so.2 || missing=libjemalloc2 ;;
        tcmalloc*) has_library libtcmalloc_minimal.so.4 || missing=libtcmalloc-minimal4 ;;
        memcached | pbzip2 | lbzip2)
                sources=$tmp/$1.sources
                "$root/scripts/deps.sh" source "$1" "$sources" >/dev/null 2>"$tmp/err" || missing="the source of $1"
                ;;
        esac
        [ -z "$missing" ] || return
        case $1 in
        raw | *_preload) cc -g -O1 -pthread "$here/raw.c" -o "$program" ;;
        plugin | plugin_heddle)
                mkdir -p "$tmp/$1.d" && program=$tmp/$1.d/host && [ ! -x "$program" ] || return 0
                compiler=cc
                [ "$1" = plugin ] || compiler="$HEDDLE cc"
                $compiler -g -O1 -fPIC -shared -DLIBRARY "$here/plugin.c" -o "$tmp/$1.d/libplugin.so" &&
                        $compiler -g -O1 -pthread "$here/plugin.c" "-Wl,-rpath,\$ORIGIN" -o "$program"
                ;;
        glib) cc -g -O1 "$here/glib.c" $(pkg-config --cflags --libs glib-2.0) -o "$program" ;;
        glib_heddle) "$HEDDLE" cc -g "$here/glib.c" $(pkg-config --cflags --libs glib-2.0) -o "$program" ;;
        rust) rustc -g "$here/rust.rs" -o "$program" ;;
        gomp) gcc -g -O1 -fopenmp "$here/openmp.c" -o "$program" ;;
        libomp) clang -g -O1 -fopenmp "$here/openmp.c" -o "$program" ;;
        urcu) cc -g -O1 -pthread "$here/urcu.c" -lurcu-memb -lurcu-cds -lurcu-common -o "$program" ;;
        urcu_heddle) "$HEDDLE" cc -g -pthread "$here/urcu.c" -lurcu-memb -lurcu-cds -lurcu-common -o "$program" ;;
        libuv) cc -g -O1 "$here/libuv.c" -luv -o "$program" ;;
        libevent) cc -g -O1 "$here/libevent.c" -levent -levent_pthreads -o "$program" ;;
        tbb) c++ -g -O1 -pthread "$here/tbb.cc" -ltbb -o "$program" ;;
        jemalloc) cc -g -O1 -pthread "$here/raw.c" -Wl,--no-as-needed -l:libjemalloc.so.2 -o "$program" ;;
        tcmalloc) cc -g -O1 -pthread "$here/raw.c" -Wl,--no-as-needed -l:libtcmalloc_minimal.so.4 -o "$program" ;;
        memcached) (cd "$sources" && memcached) ;;
        pbzip2) "$HEDDLE" c++ -std=gnu++98 -w -g -O1 -pthread -D_GNU_SOURCE "$sources"/*.cpp -lbz2 -o "$program" ;;
        lbzip2) (cd "$sources" && lbzip2) && cp "$sources/src/lbzip2" "$program" ;;
        esac 2>"$tmp/err" || why="the driver cannot be built"
}

memcached() {
        ./configure --disable-docs CC="$HEDDLE cc" CFLAGS="-g -O1" >/dev/null &&
                make memcached >/dev/null &&
                "$HEDDLE" cc -DHAVE_CONFIG_H -DNDEBUG -I. -g -O1 -w -Dmain=memcached_main -c memcached.c -o memcached-memcached.o &&
                "$HEDDLE" cc -g -O1 "$here/memcached.c" memcached-*.o -levent -o "$program"
}

# Its copy of gnulib asks for a macro that libc no longer defines.
lbzip2() {
        ./configure CC="$HEDDLE cc" CFLAGS="-g -O1" >/dev/null &&
                make CPPFLAGS="-D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100" >/dev/null
}

# The arguments of a driver, into $arguments; a bound that is reached before the time limit and before everything is explored,
# into $bound.
arguments() { # LIBRARY/CASE
        bound=
        case $1 in
        memcached/*) arguments="${1#*/} $tmp/socket" ;;
        ?bzip2/compress) arguments="-n2 -k -f $tmp/text" ;;
        ?bzip2/decompress) arguments="-n2 -d -k -f $tmp/text2.bz2" ;;
        *) arguments=${1#*/} ;;
        esac
        case $1 in
        pbzip2/*) arguments=$(echo "$arguments" | sed 's/-n2/-p2/') ;;
        esac
        case $1 in
        lbzip2/*) bound="--executions 100" ;;
        esac
        case $1 in
        ?bzip2/*)
                head -c 300 "$root/README.md" >"$tmp/text"
                bzip2 -c "$tmp/text" >"$tmp/text2.bz2"
                ;;
        esac
}

# The row of docs/WILD.md.
figures() { # LIBRARY/CASE
        result=$(field failures.0.kind)
        case $status$result in
        1*) ;;
        0*) result='no failure' ;;
        *) result='no failure found' ;;
        esac
        missed=$(sed -n "s/^not_covered\.[0-9]*${tab}plain memory accesses of \([^,]*\),.*/\1/p" "$tmp/flat" | sort | paste -sd' ')
        grep -q 'limit of --time' "$tmp/flat" && missed="$missed; time limit"
        printf '| %s | %s | %s | %s | %s | %.1f | %s |\n' "${1%/*}" "${1#*/}" "$result" "$status" "$(field executions)" \
                "$(field seconds)" "${missed:--}" >>"$FIGURES"
}

row() { # LIBRARY/CASE
        IFS=$tab read -r _ _ code kind <"$tmp/row"
        why=
        driver "${1%/*}"
        if [ -n "$missing" ]; then
                echo "SKIP wild/$1: $missing is not installed"
                return
        fi
        [ -z "$preload" ] || export LD_PRELOAD="$preload"
        [ -n "$why" ] || {
                arguments "$1"
                # shellcheck disable=SC2086
                heddle_check --time 20s $bound "$program" $arguments
                [ -z "${FIGURES:-}" ] || figures "$1"
                differs "exit status" "$code" "$status"
                differs kind "$kind" "$(field failures.0.kind)"
        }
        # shellcheck disable=SC2086
        [ -n "$why" ] || replays -- "$program" $arguments
        unset LD_PRELOAD
        if [ -z "$why" ]; then pass "wild/$1"; else fail "wild/$1" "$why"; fi
}

when=quick
[ -z "${HEDDLE_TEST_LONG:-}" ] || when='quick\|long'
[ $# -gt 0 ] || set -- $(sed -n "s/^\([^#$tab]*\)$tab\($when\)$tab.*/\1/p" "$table")
for name in "$@"; do
        if grep "^$name$tab" "$table" >"$tmp/row"; then row "$name"; else fail "wild/$name" "no such row"; fi
done
finish

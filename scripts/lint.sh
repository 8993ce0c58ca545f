#!/bin/sh
# Checks the sources without running them; prints what is wrong, exit status 1 if anything is.
#
#   scripts/lint.sh format    clang-format would change nothing
#   scripts/lint.sh tidy      the checks of .clang-tidy
#   scripts/lint.sh shell     shellcheck
cd "$(dirname "$0")/.." || exit 3

# Files of the repository, or of the folder where there is none.
files() { # PATTERN...
        for pattern; do
                find .ci scripts tests examples -type f -name "$pattern"
        done | sort
}

case ${1:-} in
format)
        { find src include tests/unit examples -name '*.[ch]'; } | xargs clang-format --dry-run -Werror
        ;;
tidy)
        # redis_tls.c needs a hiredis with TLS.
        find src -name '*.c' ! -path 'src/instrument/*' ! -path 'src/static/*' ! -name redis_tls.c | sort | xargs -P "$(nproc)" -n 24 sh -c '
                clang-tidy --quiet "$@" -- -std=gnu11 -D_GNU_SOURCE= -DHEDDLE_VERSION="\"0\"" \
                        -DHEDDLE_INSTRUMENT_SUM="\"0\"" -Isrc -Iinclude 2>/dev/null' tidy
        ;;
shell)
        files '*.sh' run | xargs grep -lE '^#!/bin/(ba)?sh|^# shellcheck shell' | xargs shellcheck -S warning
        ;;
*)
        sed -n "2,6s/^# \{0,1\}//p" "$0" >&2
        exit 2
        ;;
esac

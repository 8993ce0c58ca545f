# Sourced by the tests of random programs: how many, and from which seed on.  160 programs; with `long` as the first
# argument or HEDDLE_TEST_LONG 20,000 others, and the mutations of mutate.sh, which otherwise are only checked to be some.
# SEED sets the first seed, a seed being that of a binary of programs.
# shellcheck shell=sh disable=SC2034
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
SEED=${SEED:-1}
programs=160
mutations=--check
[ -z "${HEDDLE_TEST_SHORT:-}" ] || programs=40
if [ "${1:-}" = long ]; then
        HEDDLE_TEST_LONG=1
        shift
fi
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        programs=20000
        mutations=
        SEED=$((SEED + 1000))
fi

#!/bin/sh
# Does a test notice a broken rule of limits, reasons, effects, calls, copies, replays and scope?  mutate.sh breaks them one at a
# time; without HEDDLE_TEST_LONG the mutations are only checked to be some.
# Seconds: 15
mutations=--check
[ -z "${HEDDLE_TEST_LONG:-}" ] || mutations=
# shellcheck disable=SC2086
exec "$(dirname "$0")/mutate.sh" $mutations

#!/bin/sh
# Counts of executions, exactly: each row of counts.tsv (with the argument "long", of counts-long.tsv) is one program,
# built with its flags and explored with its options.  Further arguments name the rows to run.
#
# Fewer executions than there are inequivalent behaviours is unsound; more is redundant work that should have been
# counted as blocked.
# Seconds: 30
. "$(dirname "$0")/lib.sh"

# In long runs all of it: both tables, and ten million executions in constant memory.
if [ -n "${HEDDLE_TEST_LONG:-}" ] && [ $# = 0 ]; then
        status=0
        HEDDLE_TEST_LONG='' "$0" || status=1
        HEDDLE_TEST_LONG='' "$0" long || status=1
        "$root/tests/programs/memory.sh" || status=1
        exit $status
fi
TABLE=${TABLE:-counts.tsv}
if [ "$1" = long ]; then
        shift
        LIMIT=1800
        TABLE=counts-long.tsv
        export LIMIT
fi
export TABLE
run_table "$root/tests/programs/$TABLE" "$@"

#!/bin/sh
# Counts of executions, exactly: each row of counts.tsv (with the argument "long", of counts-long.tsv) is one program,
# built with its flags and explored with its options.  Further arguments name the rows to run.
#
# Fewer executions than there are inequivalent behaviours is unsound; more is redundant work that should have been
# counted as blocked.
. "$(dirname "$0")/lib.sh"

TABLE=${TABLE:-counts.tsv}
if [ "$1" = long ]; then
        shift
        LIMIT=1800
        TABLE=counts-long.tsv
        export LIMIT
fi
export TABLE
run_table "$root/tests/programs/$TABLE" "$@"

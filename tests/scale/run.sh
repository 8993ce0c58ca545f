#!/bin/sh
# The programs of appendix A of Florian's SCALE thesis, rewritten: the bugs are found and their schedules replay, and
# what has no bug has exactly its behaviours.  Arguments name the rows of programs.tsv to run.
. "$(dirname "$0")/../programs/lib.sh"

run_table "$root/tests/scale/programs.tsv" "$@"

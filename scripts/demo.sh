#!/bin/sh
# Shows what heddle does: a failure with its schedule and the line that replays it, and a program proven safe.
cd "$(dirname "$0")/.." || exit 3
heddle=${1:-build}/heddle

show() { # expected-status command...
        expected=$1
        shift
        echo
        echo "\$ $*"
        "$@"
        status=$?
        [ "$status" = "$expected" ] && return
        echo "demo: exit status $status, expected $expected" >&2
        exit 1
}

echo "== Two threads deposit money without a lock.  One schedule loses a deposit:"
show 1 "$heddle" check examples/lost_update.c

echo
echo "== Five philosophers, one of whom takes the forks in the other order.  No schedule fails:"
show 0 "$heddle" check -DTWIST -DN=5 examples/philosophers.c

echo
echo "More programs are in examples/; see 'heddle check --help' for the options."

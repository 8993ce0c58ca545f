#!/bin/sh
# Every operation with a deadline under every mode of --timeouts: what another gives in time, and what no thread ever gives.
# All strategies must agree on what can happen; under policies and with spurious wakeups the same can happen.  Arguments name the operations to run.
# Seconds: 20
. "$(dirname "$0")/../programs/lib.sh"

source_file=$root/tests/timed/timed.c

# outcomes: the values of `late`, or the kind of failure.
outcomes() {
        for i in 0 1 2; do
                field "outcomes.$i.state.late"
        done | sort | tr '\n' ' '
        field failures.0.kind
}

# mode OPERATION MODE FLAG EXPECTED
mode() {
        why=
        build "$source_file" -DOP="$1" $3 || why="the program cannot be built"
        for strategy in dpor optimal dfs; do
                heddle_check --strategy "$strategy" --timeouts "$2" --observe late --keep-going "$program"
                differs "outcomes of $strategy" "$4" "$(echo $(outcomes))"
        done
        if [ -z "$why" ]; then pass "timed_$1_$2$3"; else fail "timed_$1_$2$3" "$why"; fi
}

if [ "$1" = --row ]; then
        mode "$2" explore "" "0 1"
        mode "$2" never "" 0
        mode "$2" stuck "" 0
        mode "$2" explore -DNOTHING 1
        mode "$2" never -DNOTHING deadlock
        mode "$2" stuck -DNOTHING 1
        OPTIONS="$OPTIONS --wakeup mutex=fifo,cond=lifo,sem=fifo,rwlock=fifo --spurious 1"
        mode "$2" explore "" "0 1"
        mode "$2" stuck -DNOTHING 1
        exit 0
fi
[ $# -gt 0 ] || set -- MUTEX MUTEX_CLOCK C11_MUTEX READ WRITE SEM SEM_CLOCK COND COND_CLOCK C11_COND JOIN JOIN_CLOCK FUTEX \
        POLL SELECT EPOLL
rows "$@"

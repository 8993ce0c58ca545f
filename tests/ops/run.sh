#!/bin/sh
# Operations that plugins define.
#
# The built-in mutex and semaphore once more as plugins must give the same counts; the examples have exact counts, and
# dfs and dpor agree on them; a plugin with a fault is refused, named, or caught by --check-ops.
. "$(dirname "$0")/../programs/lib.sh"

cc=${CC:-cc}
so() { # NAME SOURCE FLAG...: builds a plugin
        name=$1
        source=$2
        shift 2
        $cc -shared -fPIC -g -Wall -Wextra -Werror -I"$root/include" "$@" -o "$tmp/$name.so" "$source" || exit 2
}

# same NAME PLUGIN SOURCE ARGUMENT...: executions and blocked runs with the plugin are those without it
same() {
        name=$1 plugin=$2 source=$root/tests/programs/$3
        shift 3
        heddle_check "$source" "$@"
        expected="$(field executions) $(field blocked) $status"
        case $plugin in
        mutex) renames="-Dpthread_mutex_lock=my_lock -Dpthread_mutex_unlock=my_unlock" ;;
        sem) renames="-Dsem_wait=my_sem_wait -Dsem_post=my_sem_post -Dsem_init=my_sem_init" ;;
        esac
        # shellcheck disable=SC2086
        heddle_check "$source" "$@" $renames --ops "$tmp/$plugin.so" --check-ops
        actual="$(field executions) $(field blocked) $status"
        if [ "$expected" = "$actual" ]; then
                pass "$name"
        else
                fail "$name" "$actual where the built-in has $expected (executions, blocked, exit status)"
        fi
}

# count NAME EXECUTIONS EXIT-STATUS ARGUMENT...
count() {
        name=$1 executions=$2 want=$3
        shift 3
        heddle_check "$@"
        if [ "$(field executions) $status" = "$executions $want" ]; then
                pass "$name"
        else
                fail "$name" "$(field executions) executions, status $status; expected $executions, $want"
        fi
}

# says NAME EXIT-STATUS PATTERN ARGUMENT...: one line on standard error
says() {
        name=$1 want=$2 pattern=$3
        shift 3
        timeout -k 5 "$LIMIT" "$HEDDLE" check "$@" >/dev/null 2>"$tmp/err" </dev/null
        status=$?
        if [ "$status" = "$want" ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "$pattern" "$tmp/err"; then
                pass "$name"
        else
                fail "$name" "status $status, expected $want and one line with: $pattern"
        fi
}

so mutex "$root/tests/ops/mutex.c"
so sem "$root/tests/ops/sem.c"
same mutex_counter mutex mutex_counter.c -DN=3 -DK=2
same mutex_philosophers mutex philosophers.c -DN=5
same mutex_deadlock mutex philosophers.c -DN=5 -DTWIST=0 --keep-going
same mutex_waiter mutex philosophers_waiter.c -DN=5
same mutex_indexer mutex indexer.c -DN=13
same mutex_sync mutex mutex_counter.c -DN=3 -DK=2 --preempt sync
same mutex_fork mutex philosophers.c -DN=4 --isolate fork
same sem_seats_3 sem philosophers_seats.c -DN=3
same sem_seats_4 sem philosophers_seats.c -DN=4

ex=$root/examples/ops
for p in rww handoff rpref channel; do
        so $p "$ex/$p.c"
        [ "$(wc -l <"$ex/$p.c")" -lt 100 ] && pass "under_100_lines_$p" || fail "under_100_lines_$p" "it has more"
done
count rww_1 6 0 --ops "$tmp/rww.so" --check-ops "$ex/rww_test.c"
count rww_1_dfs 78 0 --ops "$tmp/rww.so" "$ex/rww_test.c" --strategy dfs
count rww_2 18 0 --ops "$tmp/rww.so" "$ex/rww_test.c" -DREADERS=2
count rww_3 54 0 --ops "$tmp/rww.so" "$ex/rww_test.c" -DREADERS=3
count rww_cond 60 0 "$ex/rww_test.c" "$ex/rww_cond.c"
# Operations of plugins wait for the store buffer: as many executions as without.
count rww_tso 6 0 --memory tso --ops "$tmp/rww.so" --check-ops "$ex/rww_test.c"
count rpref_pso 9 0 --memory pso --ops "$tmp/rpref.so" --check-ops "$ex/rpref_test.c"
count handoff 12 0 --ops "$tmp/handoff.so" --check-ops "$ex/handoff_test.c"
count rpref 9 0 --ops "$tmp/rpref.so" --check-ops "$ex/rpref_test.c"
count rpref_cond 70 0 "$ex/rpref_test.c" "$ex/rpref_cond.c"
# one execution for each combination of results
count rww_mcr 18 0 --strategy mcr --ops "$tmp/rww.so" "$ex/rww_test.c" -DREADERS=2
count handoff_mcr 2 0 --strategy mcr --ops "$tmp/handoff.so" "$ex/handoff_test.c"
count rpref_mcr 4 0 --strategy mcr --ops "$tmp/rpref.so" "$ex/rpref_test.c"
count channel_mcr 1 0 --strategy mcr --ops "$tmp/channel.so" "$ex/channel_test.c"
count channel 25 0 --ops "$tmp/channel.so" --check-ops "$ex/channel_test.c"

# A failure over a plugin is found, replayed, and reported from its trace file with and without the plugin.
sed 's/a == 2 && b == 2/a == 3/' "$ex/rww_test.c" >"$tmp/wrong.c"
heddle_check --ops "$tmp/rww.so" -I"$ex" "$tmp/wrong.c" --trace "$tmp/wrong.trace"
COLUMNS=160 "$HEDDLE" report "$tmp/wrong.trace" >"$tmp/told" 2>&1
"$HEDDLE" replay --steps "$tmp/wrong.trace" >"$tmp/steps" 2>&1
replayed=$?
if [ "$status" = 1 ] && [ $replayed = 1 ] && grep -q 'read lock' "$tmp/told" && grep -q '1 readers, writer 0' "$tmp/steps"; then
        pass replay
else
        fail replay "status $status, replay $replayed"
fi

# The plugin that works without heddle, too.
$cc -I"$ex" "$ex/rpref_test.c" -o "$tmp/plain" "$tmp/rpref.so" -pthread && "$tmp/plain" && pass without_heddle ||
        fail without_heddle "the program does not run by itself"

for n in 0 1 2 3 4 5 6 7 8 9 10; do
        so "broken$n" "$root/tests/ops/broken.c" -DBREAK=$n -Wno-unused
done
broken() { # NAME NUMBER PATTERN
        says "$1" 2 "$3" --check-ops --ops "$tmp/broken$2.so" "$root/tests/ops/broken_test.c"
}
count broken_not 4 0 --check-ops --ops "$tmp/broken0.so" "$root/tests/ops/broken_test.c"
broken enabled_changes_state 1 '`enabled. changes the state'
broken apply_no_function 2 'gives different results'
broken state_differs 3 'the state differs'
broken result_differs 4 'a result differs'
broken not_symmetric 5 'not symmetric'
broken read_writes 6 'HEDDLE_READ'
broken crash_in_program 7 "'count' crashed"
broken crash_in_explorer 8 "crashed in a function for 'count'"
broken other_abi 9 'another version of heddle/op.h'
broken no_plugin 10 'is not a plugin'
says no_file 2 'no such file' --ops "$tmp/none.so" "$ex/rww_test.c"
says no_library 2 'ELF' --ops "$ex/rww.c" "$root/tests/ops/broken_test.c"
says not_given 2 'name it with --ops' "$ex/rpref_test.c" "$tmp/rpref.so"
says check_without_ops 2 'name one with --ops' --check-ops "$root/tests/ops/broken_test.c"
says with_save 2 'leave' --save "$tmp/save" --ops "$tmp/rww.so" "$ex/rww_test.c"
says with_jobs 2 'leave' --jobs 2 --ops "$tmp/rww.so" "$ex/rww_test.c"
finish

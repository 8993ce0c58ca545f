#!/bin/sh
# `heddle gdb` with a real gdb: the commands, both directions, real threads, the same addresses, MI, and wrong input.
# Seconds: 20
cd "$(dirname "$0")" || exit 3
heddle=${HEDDLE:-../../build/heddle}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT
examples=../../examples

command -v gdb >/dev/null || { echo "FAIL gdb: gdb is not installed"; exit 1; }

schedule() { # arguments of check
        "$heddle" check "$@" --json - 2>/dev/null | sed -n 's/.*"schedule": "\([^"]*\)".*/\1/p' | head -n 1
}

# Each line of standard input must match a line of the log, in this order.
in_order() { # name log
        name=$1 log=$2 from=1 missing=
        while IFS= read -r want; do
                at=$(tail -n "+$from" "$log" | grep -n -m 1 -e "$want" | cut -d: -f1)
                [ -n "$at" ] || { missing=$want; break; }
                from=$((from + at))
        done
        if [ -z "$missing" ]; then
                echo "PASS gdb/$name"
        else
                echo "FAIL gdb/$name: no '$missing' after line $((from - 1)) of:"
                sed 's/^/    /' "$log"
        fi
}

gdb_batch() { # log arguments
        log=$1
        shift
        timeout 120 "$heddle" gdb --batch "$@" >"$log" 2>&1 </dev/null
}

# next and step stay in the program's code; breakpoints are kept, and do not stop goto and back on their way.
account=$(schedule -O0 account.c)
gdb_batch "$out/code" --ex 'break deposit' --ex 'heddle goto 3' --ex 'info threads' --ex 'heddle pending' --ex next --ex next \
        --ex 'heddle goto 5' --ex step --ex 'heddle back' --ex 'info breakpoints' --ex continue "$account" -O0 account.c
in_order code "$out/code" <<'WANT'
before step 3 of
T0"* *main () at .*account.c:31
T1"* *deposit () at .*account.c:15
has not begun
T0 *ready *read first of main
T1 *runs *lock m
deposit (arg=0x0) at .*account.c:16
^17
before step 5 of
^18
before step 5 of
breakpoint *keep y
hit Breakpoint 1
WANT

# A transaction is one step, which can be entered: by clang, and by gcc, whose instructions are traps under gdb.
for compiler in clang gcc; do
        htm1=$(schedule --compiler $compiler ../txn/programs/htm1.c)
        gdb_batch "$out/txn" --ex 'heddle goto 2' --ex 'heddle enter' --ex 'heddle goto 4' --ex 'heddle forward' --ex 'heddle back' \
                --ex 'heddle enter' --ex 'heddle back' --ex 'heddle schedule' --ex 'heddle goto 6' --ex 'p c' --ex next --ex 'p c' --ex 'heddle forward' --ex 'p c' \
                --ex 'heddle back' --ex 'p c' --ex 'heddle end' "$htm1" --compiler $compiler ../txn/programs/htm1.c
        in_order "transaction $compiler" "$out/txn" <<'WANT'
2  T0 .*transaction aborts (retry)
next step is not a transaction that runs
before step 4
transaction, up to step 7; .heddle enter. goes into it
before step 8
before step 4
before step 6
before step 4
 4  T1 .*transaction begins
   * 7  T1 .*write c = 1
6  T1 .*work htm1.c:11 .*read c = 0
= 0
^12
= 1
before step 8
= 1
before step 4
= 0
T0 has failed here, after step 10
WANT
done

lost=$(schedule $examples/lost_update.c)
gdb_batch "$out/moves" --ex 'heddle goto 6' --ex bt --ex 'heddle pending' --ex 'heddle forward 2' --ex 'p balance' \
        --ex 'heddle back' --ex 'p balance' --ex 'heddle next-switch' --ex 'heddle where' --ex 'heddle end' --ex bt \
        --ex 'heddle goto 99' --ex 'heddle goto x' "$lost" $examples/lost_update.c
in_order moves "$out/moves" <<'WANT'
11 steps; .*`end.
before step 6 of 11
6  T2 .*read balance = 0
in deposit (amount=0x7.*lost_update.c:14
T1 *ready *write balance
T2 *runs *read balance
before step 8 of 11
= 20
before step 7 of 11
= 0
before step 8 of 11
8  T1 .*write balance = 10
T0 has failed here, after step 11
in main () at .*lost_update.c:27
there is no step 99; the schedule has steps 1 to 11
`x. is not a number
WANT

# Inline assembly: the instructions are performed by the runtime, and are steps like any other.
assembly=../assembly/locks.c
locked=$(schedule -DASM -DBROKEN $assembly)
gdb_batch "$out/assembly" --ex 'heddle goto 5' --ex bt --ex 'heddle forward' --ex 'p lock_word' --ex 'tbreak unlock' \
        --ex continue --ex next --ex 'heddle end' --ex bt "$locked" -DASM -DBROKEN $assembly
in_order assembly "$out/assembly" <<'WANT'
before step 5 of 15
5  T1 .*xchg .*atomic update lock_word = 1
in xchg (p=0x.* <lock_word>, v=1) at .*locks.c:20
before step 6 of 15
= 1
hit Temporary breakpoint
return NULL;
T0 has failed here, after step 15
in main () at .*locks.c
WANT

gdb_batch "$out/threads" --ex 'heddle end' --ex 'info threads' --ex 'heddle held' --ex 'thread apply all bt' \
        --ex 'heddle schedule' "$(schedule $examples/philosophers.c)" $examples/philosophers.c
in_order threads "$out/threads" <<'WANT'
the execution is over
"T0"
"T1"
"T4"
T1 *holds fork_of
T4 *holds fork_of + 120
in philosopher (arg=0x3) at .*philosophers.c:29
in philosopher (arg=0x0) at .*philosophers.c:29
in main () at
 1  T0 .*create T1
WANT

crash=$(schedule segv.c)
"$heddle" replay "$crash" segv.c 2>&1 | sed -n 's/local is at //p' >"$out/address"
gdb_batch "$out/crash" --ex 'heddle end' --ex bt --ex 'frame function reader' --ex 'p &local' --ex 'heddle held' \
        --ex 'heddle back' --ex 'heddle where' "$crash" segv.c
in_order crash "$out/crash" <<WANT
received signal SIGSEGV
in use (from=$(cat "$out/address")) at
in reader (arg=0x0) at
= (int \*) $(cat "$out/address")
T. *holds .*ing
T. *holds .*ing
before step
WANT

gdb_batch "$out/watch" --ex 'heddle goto 3' --ex 'watch balance' --ex 'continue' --ex 'continue' "$lost" \
        $examples/lost_update.c
in_order watchpoint "$out/watch" <<'WANT'
Hardware watchpoint
Old value = 0
New value = 20
Old value = 20
New value = 10
WANT

"$heddle" check $examples/lost_update.c --trace "$out/lost.trace" >/dev/null 2>&1
gdb_batch "$out/trace" --ex 'heddle goto 4' "$out/lost.trace"
in_order trace_file "$out/trace" <<'WANT'
before step 4 of 11
WANT

gdb_batch "$out/execution" --execution 1 --ex 'heddle goto 4' --ex 'heddle end' $examples/lost_update.c
in_order execution "$out/execution" <<'WANT'
before step 4 of
the execution is over
WANT

gdb_batch "$out/strategy" --execution 2 --strategy dfs --ex 'heddle goto 4' --ex 'heddle threads' $examples/lost_update.c
in_order execution_of_strategy "$out/strategy" <<'WANT'
before step 4 of
T1 *runs *read balance
WANT

bank=../invariant/bank.c
gdb_batch "$out/invariant" --invariant not_both_low --ex 'heddle end' --ex bt --ex 'p a' --ex 'p b' --ex 'heddle back 4' \
        --ex 'p b' --ex 'heddle goto 8' --ex 'heddle end' --ex 'heddle forward' --ex 'heddle end' \
        "$(schedule --invariant not_both_low $bank)" $bank
in_order invariant "$out/invariant" <<'WANT'
T2 has broken an invariant, after step
in right (arg=0x0) at .*bank.c:4
= 4
= 4
before step
= 5
T2 has broken an invariant, after step
before step 1[0-9] of
T2 .*right bank.c
the execution is over
WANT
gdb_batch "$out/final" --final total --ex 'heddle end' "$lost" $examples/lost_update.c
grep -q "no function 'total'" "$out/final" && echo "PASS gdb/final_unknown" || echo "FAIL gdb/final_unknown: $(head -n 2 "$out/final")"

gdb_batch "$out/final_fails" --final both_counted --ex 'heddle end' --ex 'p count' --ex 'heddle back 2' --ex 'heddle where' \
        --ex 'heddle end' --ex 'heddle end' "$(schedule --final both_counted final.c)" final.c
in_order final_fails "$out/final_fails" <<'WANT'
T0 has broken an invariant, after step
= 1
before step
T0 has broken an invariant, after step
the execution is over
WANT

# Weak memory: what is printed is what the thread would read whose turn it is; that a store reaches memory is a step.
"$heddle" check --memory tso --trace "$out/flags.trace" $examples/flags.c >/dev/null 2>&1
gdb_batch "$out/tso" --ex 'heddle goto 5' --ex 'p flag' --ex 'heddle buffers' --ex 'heddle pending' --ex 'heddle goto 13' \
        --ex 'p flag' --ex 'heddle forward' --ex 'p flag' --ex 'heddle forward' --ex 'p flag' --ex 'heddle back' --ex 'p flag' \
        --ex 'heddle end' --ex 'p inside' "$out/flags.trace"
in_order tso "$out/tso" <<'WANT'
before step 5 of
5  T1 .*atomic load flag\[1\] = 0 (T2.s flag\[1\] = 1 of step 4 is still in its store buffer)
= {1, 0}
^T1 *flag = 1
^T2 *flag + 4 = 1
^T2 *ready *atomic load flag
before step 13 of
= {0, 1}
14  T1 .*flag\[0\] = 1 of step 2 reaches memory
= {0, 1}
before step 15 of
= {1, 1}
before step 14 of
= {0, 1}
T2 has failed here
= 2
WANT
"$heddle" check --memory pso --trace "$out/publish.trace" $examples/publish.c >/dev/null 2>&1
gdb_batch "$out/pso" --ex 'heddle goto 7' --ex 'p ready' --ex 'p message.length' --ex 'heddle buffers' --ex 'heddle back' \
        --ex 'heddle back' --ex 'p ready' "$out/publish.trace"
in_order pso "$out/pso" <<'WANT'
7  T2 .*read message.length = 0 (T1.s message.length = 5 of step 2 is still in its store buffer)
= 1
= 0
^T1 *message = 5
before step 6
before step 5
= 0
WANT
gdb_batch "$out/weak_final" --ex 'heddle end' --ex 'p count' \
        "$("$heddle" check --memory tso --final both_counted --trace "$out/final.trace" final.c >/dev/null 2>&1; echo "$out/final.trace")"
in_order weak_final "$out/weak_final" <<'WANT'
T0 has broken an invariant
= 1
WANT

gdb_batch "$out/rwlock" --execution 1 --ex 'break inside' --ex 'heddle goto 1' --ex continue --ex 'heddle held' locks.c
in_order other_locks "$out/rwlock" <<'WANT'
inside ()
T0 *holds spin
T0 *holds guard
WANT

printf '%s\n' '-interpreter-exec console "heddle goto 6"' '-stack-info-frame' '-gdb-exit' |
        timeout 120 "$heddle" gdb --mi "$lost" $examples/lost_update.c >"$out/mi" 2>&1
in_order mi "$out/mi" <<'WANT'
^(gdb)
before step 6 of 11
\^done,frame=.*func="deposit"
\^exit
WANT

expect() { # name status pattern command...
        name=$1 status=$2 pattern=$3
        shift 3
        "$@" >"$out/log" 2>&1 </dev/null
        got=$?
        if [ $got = "$status" ] && grep -q -e "$pattern" "$out/log"; then
                echo "PASS gdb/$name"
        else
                echo "FAIL gdb/$name: status $got, $(head -n 2 "$out/log")"
        fi
}
expect no_schedule 2 'give the schedule' "$heddle" gdb
expect no_program 2 'name the program' "$heddle" gdb "$lost"
expect other_program 2 'another program' "$heddle" gdb --batch "$lost" $examples/philosophers.c
expect execution_beyond 2 'there are only' "$heddle" gdb --batch --execution 99999 $examples/lost_update.c
"$heddle" cc -g -o "$out/lost" $examples/lost_update.c -pthread
expect gdb_missing 2 'apt-get install gdb' env PATH="$out" "$heddle" gdb --batch --execution 1 "$out/lost"

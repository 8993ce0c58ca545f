#!/bin/sh
# Invariants: found in whatever order makes them false, reported with place and values, replayed; refused where they do more
# than look.  On generated programs every strategy must see the same states as dfs.
# Seconds: 20
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/invariant
BUILD=${BUILD:-$root/build}
PROGRAMS=${PROGRAMS:-20}

build() { # program flags... source
        program=$1
        shift
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" "$@" -o "$tmp/$program" 2>"$tmp/err" || fail "$program" "does not build"
}

# holds NAME STATUS KIND TEXT OPTION...: exit status, kind of the first failure and a part of its message or the error.
holds() {
        label=$1 wanted=$2 kind=$3 text=$4
        shift 4
        why=
        heddle_check "$@"
        differs "exit status" "$wanted" "$status"
        differs kind "$kind" "$(field failures.0.kind)"
        grep -qF -- "$text" "$tmp/err" "$tmp/json" || why="$why${why:+; }no '$text'"
        if [ "$wanted" = 1 ] && [ -z "$why" ]; then
                # shellcheck disable=SC2086
                replays $replay_options "$tmp/program"
        fi
        if [ -z "$why" ]; then pass "$label"; else fail "$label" "$why"; fi
}

build program "$here/bank.c"
for strategy in dfs dpor optimal icb auto mcr filters filters,super-step filters,dpor; do
        set -- --strategy "${strategy%,*}" --loop-time 1s
        [ "$strategy" = "${strategy%,*}" ] || set -- "$@" --filters "seen,${strategy#*,}"
        replay_options=--invariant=not_both_low
        holds "reached $strategy" 1 invariant "\`not_both_low' does not hold: a = 4, b = 4" "$@" --invariant not_both_low "$tmp/program"
        replay_options=--invariant=a_before_b
        holds "order $strategy" 1 invariant '"function": "right"' "$@" --invariant a_before_b "$tmp/program"
        replay_options=--invariant=total
        holds "values $strategy" 1 invariant "\`total' does not hold: a = 4, b = 5" "$@" --invariant total "$tmp/program"
        replay_options=--invariant=pointed
        holds "pointer $strategy" 1 invariant "\`pointed' does not hold: where = " "$@" --invariant pointed "$tmp/program"
        holds "final $strategy" 0 - '"complete": true' "$@" --final not_both_low "$tmp/program"
        replay_options=--final=a_before_b
        holds "final_wrong $strategy" 0 - '"complete": true' "$@" --final a_before_b "$tmp/program"
        replay_options="--invariant=not_both_low --invariant=total"
        holds "several $strategy" 1 invariant "\`total' does not hold" "$@" --keep-going --invariant not_both_low --invariant=total "$tmp/program"
done
replay_options=--invariant=total
holds "mcr, which does not model it" 1 invariant '"strategy": "mcr"' --strategy mcr --invariant total "$tmp/program"
holds "optimal instead" 1 invariant '"instead": {"name": "optimal", "reason": "--invariant"}' --strategy mcr --invariant total \
        "$tmp/program"
holds "none instead" 0 - '"instead": null' --strategy mcr --final not_both_low "$tmp/program"
"$HEDDLE" check --strategy mcr --invariant total "$tmp/program" >"$tmp/out" 2>&1
if grep -q 'Explored by optimal instead of mcr, because of --invariant' "$tmp/out"; then pass "instead"; else fail "instead" "not said"; fi
heddle_check --strategy dpor --keep-going --invariant not_both_low,a_before_b,total,pointed "$tmp/program"
if [ "$(sed -n 's/.*"message": "`\([a-z_]*\).*/\1/p' "$tmp/json" | sort -u | wc -l)" = 4 ]; then
        pass keep_going
else
        fail keep_going "not all four are told"
fi

weak_strategies='dpor optimal filters filters,dpor'
[ -z "${HEDDLE_TEST_LONG:-}" ] || weak_strategies="dfs icb auto filters,super-step $weak_strategies"
holds missing 2 - "did you mean 'total'" --invariant totl "$tmp/program"
build program "$here/weak.c"
for strategy in $weak_strategies; do
        for row in sc,in_order,0 tso,in_order,0 pso,in_order,1 sc,at_once,1 tso,at_once,1 pso,at_once,1 tso,released,0 pso,released,0; do
                memory=${row%%,*} code=${row##*,} invariant=${row#*,} invariant=${invariant%,*} kind=-
                [ "$code" = 0 ] || kind=invariant
                set -- --strategy "${strategy%,*}" --memory "$memory"
                [ "$strategy" = "${strategy%,*}" ] || set -- "$@" --filters "seen,${strategy#*,}"
                replay_options="--invariant=$invariant --memory=$memory"
                holds "$memory $invariant $strategy" "$code" "$kind" "" "$@" --invariant "$invariant" "$tmp/program"
                [ "$invariant" = in_order ] || continue
                holds "$memory final $strategy" 0 - '"complete": true' "$@" --final at_once --final released "$tmp/program"
        done
done
build program -DALONE "$here/weak.c"
for memory in tso pso; do
        replay_options="--invariant=at_once --memory=$memory"
        holds "$memory alone" 1 invariant "" --memory $memory --strategy dfs --executions 1 --invariant at_once "$tmp/program"
done
build program "$here/misuse.c"
set -- --strategy dpor --loop-time 1s
holds locks 2 - "--invariant locks: the function may only read memory, but it performs 'lock'" "$@" --invariant locks "$tmp/program"
holds writes 2 - "it performs 'write'" "$@" --invariant writes "$tmp/program"
holds assumes 2 - "it performs 'assume'" "$@" --invariant assumes "$tmp/program"
holds remembers 0 - '"complete": true' "$@" --invariant remembers "$tmp/program"
replay_options=--invariant=crashes
holds crashes 1 crash '"function": "crashes"' "$@" --invariant crashes "$tmp/program"
replay_options=--invariant=asserts
holds asserts 1 assertion '"function": "asserts"' "$@" --invariant asserts "$tmp/program"
replay_options="--invariant=loops --loop-time 1s"
holds loops 1 infinite-loop '"function": "loops"' "$@" --invariant loops "$tmp/program"
replay_options=--final=asserts
holds final_asserts 1 assertion '"function": "asserts"' "$@" --final asserts "$tmp/program"
holds crash_keep_going 1 crash '"function": "crashes"' "$@" --keep-going --final asserts --invariant crashes "$tmp/program"
gcc -g -pthread "$here/bank.c" -o "$tmp/program"
holds not_instrumented 2 - "use --strategy dfs" "$@" --invariant total "$tmp/program"

# What was seen: functions and the lines after which they were false.
states() {
        awk -F "$tab" '$1 ~ /^failures\.[0-9]+\.message$/ { m = $2; sub(/ does not hold.*/, "", m) }
                $1 ~ /^failures\.[0-9]+\.where.line$/ && m ~ /inv/ { print m, $2 }' "$tmp/flat" | sort -u
}
"$root/tests/oracle/build.sh" "$BUILD/oracle" >"$tmp/err" 2>&1
all=$PROGRAMS
for kind in ${KINDS:-0 1 2 0,tso 1,tso 2,tso 0,pso 1,pso 2,pso}; do
        memory=${kind#*,} PROGRAMS=$all
        [ "$memory" != "$kind" ] || memory=sc
        kind=${kind%,*}
        [ "$memory" = sc ] || PROGRAMS=$((all / 5))
        "$BUILD/oracle/generate" -l 400 $((7100 + kind)) "$PROGRAMS" >"$tmp/generated.c"
        cat "$here/generated.inc" >>"$tmp/generated.c"
        build generated -DKIND=$kind "$tmp/generated.c"
        wrong= compared=0 seen=0 saved=0
        i=0
        while [ $i -lt "$PROGRAMS" ]; do
                set -- --keep-going --time 10s --memory $memory --invariant inv0,inv1,inv2,inv3,inv4,inv5,inv6,inv7 "$tmp/generated" $i
                heddle_check --strategy dfs "$@"
                if [ "$(field complete)" = true ]; then
                        states >"$tmp/dfs"
                        dfs=$(field executions)
                        for strategy in dpor optimal filters filters,super-step filters,dpor ${STRATEGIES:-}; do
                                case $strategy in
                                filters,*) heddle_check --strategy filters --filters "seen,${strategy#*,}" "$@" ;;
                                *) heddle_check --strategy "$strategy" "$@" ;;
                                esac
                                states >"$tmp/other"
                                cmp -s "$tmp/dfs" "$tmp/other" && [ "$(field complete)" = true ] || wrong="$wrong $strategy:$i"
                                [ "$(field executions)" -lt "$dfs" ] && saved=$((saved + 1))
                        done
                        compared=$((compared + 1))
                        seen=$((seen + $(wc -l <"$tmp/dfs")))
                fi
                i=$((i + 1))
        done
        if [ -z "$wrong" ] && [ $((compared * 2)) -gt "$PROGRAMS" ] && [ $saved -gt 0 ]; then
                pass "states $memory kind=$kind programs=$compared violations=$seen reduced=$saved"
        else
                fail "states $memory kind=$kind" "programs that differ from dfs:$wrong of $compared"
        fi
done
finish

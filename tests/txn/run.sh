#!/bin/sh
# Hardware transactions: for each row of txn.tsv the verdict, the exact number of executions and of those that fail, by optimal.
# The strategies agree, failures replay.  Random programs beside a model (oracle/).  Arguments name the programs to run; `oracle` is
# the random ones.
# Seconds: 55
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/txn

row() {
        why=
        # shellcheck disable=SC2086
        heddle_check --keep-going --strategy optimal $2 "$here/programs/$1.c"
        differs verdict "$3" "$(field verdict)"
        [ "$4" = - ] || differs executions "$4" "$(field executions)"
        failing=$(field failures.0.count)
        differs failing "$5" "${failing:-0}${failing:+ $(field failures.0.kind)}"
        if [ "$failing" ]; then
                schedule=$(field failures.0.schedule)
                # shellcheck disable=SC2086
                timeout 100 "$HEDDLE" replay "$schedule" $2 "$here/programs/$1.c" >"$tmp/out" 2>"$tmp/err" </dev/null
                differs "exit status of the replay" 1 $?
        fi
        if [ -z "$why" ]; then pass "$1 $2"; else fail "$1 $2" "$why"; fi
}

# agree PROGRAM OPTIONS: the same verdict by all strategies.
agree() {
        why=
        for strategy in dfs dpor icb filters deepen mcr auto; do
                # shellcheck disable=SC2086
                heddle_check --keep-going --strategy $strategy $2 "$here/programs/$1.c"
                differs "verdict of $strategy" "$3" "$(field verdict)"
        done
        if [ -z "$why" ]; then pass "$1 $2 by all strategies"; else fail "$1 $2 by all strategies" "$why"; fi
}

tab=$(printf '\t')
while IFS=$tab read -r program options verdict executions failing; do
        case $program in '#'* | '') continue ;; esac
        [ $# -eq 0 ] || case " $* " in *" $program "*) ;; *) continue ;; esac
        row "$program" "$options" "$verdict" "$executions" "$failing"
done <"$here/txn.tsv"

# oracle PROGRAMS OPTIONS: random programs.
oracle() {
        n=$1
        shift
        if "$oracle/compare" --heddle "$HEDDLE" --dir "$oracle" --programs "$n" "$@" >"$tmp/log" 2>&1; then
                pass "$(tail -n 1 "$tmp/log" | sed 's/^PASS //')"
        else
                cp "$tmp/log" "$oracle/log"
                fail "oracle $*" "see $oracle/log: $(tail -n 1 "$tmp/log")"
        fi
}

case " $* " in
'  ' | *' oracle '*)
        oracle=${BUILD:-$root/build}/txn
        "$here/oracle/build.sh" "$oracle" || exit 3
        programs=${HEDDLE_TEST_LONG:+2000}
        oracle "${programs:-15}" --seed "${SEED:-1}" --strategy optimal
        oracle "${programs:-15}" --seed $((${SEED:-1} + 204)) --strategy optimal --stm
        [ -z "$programs" ] || oracle "$programs" --seed $((${SEED:-1} + 300)) --strategy dpor
        ;;
esac

# says TEXT OPTIONS: the report of htm2 with these options has this text.
says() {
        # shellcheck disable=SC2086
        timeout 100 "$HEDDLE" check --strategy optimal $2 "$here/programs/htm2.c" </dev/null 2>/dev/null | tr -s ' \n' ' ' >"$tmp/out"
        if grep -q "$1" "$tmp/out"; then pass "htm2 $2: $1"; else fail "htm2 $2" "the report does not say: $1"; fi
}

if [ $# -eq 0 ]; then
        says 'transaction aborts (retry)' '--memory tso'
        says "T0's stop = 1 (htm2.c:17, step 4) is still in T0's store buffer" '--memory tso'
        says 'a full fence, .*, between stop = 1 (htm2.c:17, step 4) and the read of c' '--memory tso'
        says 'release order, .*, before stop = 0 (htm2.c:25' '--memory pso -DRAISED'
        why=
        heddle_check -DK=2 "$here/programs/elide.c"
        differs "races of lock elision" '' "$(field races.0.verdict)"
        if [ -z "$why" ]; then pass "races"; else fail "races" "$why"; fi
        why=
        heddle_check "$here/programs/never.c"
        differs "the line of the transaction that never commits" 15 "$(field never_commits.0.line)"
        heddle_check -DSOMETIMES "$here/programs/never.c"
        differs "that of one that does" '' "$(field never_commits.0.line)"
        heddle_check --memory tso -DK=1 -DWAITED --abort-codes none "$here/programs/calls.c"
        differs "that of the first one under tso" 67 "$(field never_commits.0.line)"
        if [ -z "$why" ]; then pass "never commits"; else fail "never commits" "$why"; fi
        why=
        heddle_check --keep-going --strategy optimal --save "$tmp/saved" --executions 50 -DN=2 "$here/programs/htm1.c"
        heddle_check --keep-going --strategy optimal --resume "$tmp/saved" -DN=2 "$here/programs/htm1.c"
        differs "executions after --resume" 156 "$(field executions)"
        for strategy in random pct pos predict; do
                heddle_check --strategy $strategy --executions 300 "$here/programs/htm1.c"
                differs "verdict of $strategy" failure "$(field verdict)"
        done
        heddle_check --strategy predict --executions 300 --txn stm "$here/programs/counter.c"
        differs "verdict of predict with conflicts" unknown "$(field verdict)"
        if [ -z "$why" ]; then pass "stored and drawn executions"; else fail "stored and drawn executions" "$why"; fi
        agree htm1 '' failure
        if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
                agree htm2 '' safe
                agree retry '' safe
        fi
        why=
        heddle_check --strategy icb --abort-codes retry,conflict "$here/programs/elide.c"
        differs "exit status of icb" 0 "$status"
        differs "what takes the place of icb" optimal "$(field instead.name)"
        if [ -z "$why" ]; then pass "elide by icb"; else fail "elide by icb" "$why"; fi
        why=
        heddle_check --compiler gcc -fgnu-tm "$here/programs/counter.c"
        differs "exit status with -fgnu-tm" 2 "$status"
        grep -q 'libitm are not supported' "$tmp/err" || why="$why${why:+; }no reason for the refusal of -fgnu-tm"
        if [ -z "$why" ]; then pass "-fgnu-tm"; else fail "-fgnu-tm" "$why"; fi
        why=
        heddle_check --keep-going --jobs 2 -DN=2 "$here/programs/htm1.c"
        differs "executions of two workers" 156 "$(field executions)"
        if [ -z "$why" ]; then pass "jobs"; else fail "jobs" "$why"; fi
        why=
        for shard in 1 2; do
                heddle_check --keep-going --strategy optimal --shard $shard/2 -DN=2 "$here/programs/htm1.c"
                cp "$tmp/json" "$tmp/shard$shard.json"
        done
        timeout 100 "$HEDDLE" merge --json "$tmp/json" "$tmp/shard1.json" "$tmp/shard2.json" >"$tmp/out" 2>"$tmp/err"
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat"
        differs "executions of two shards" 156 "$(field executions)"
        differs "those that fail" 60 "$(field failures.0.count)"
        if [ -z "$why" ]; then pass "shards"; else fail "shards" "$why"; fi
fi
finish

#!/bin/sh
# Hardware transactions: for each row of txn.tsv the verdict, the exact number of executions and of those that fail, by optimal.
# The strategies agree, failures replay.  Arguments name the programs to run.
# Seconds: 14
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

if [ $# -eq 0 ]; then
        agree htm1 '' failure
        agree htm2 '' safe
        agree retry '' safe
        why=
        heddle_check --keep-going --jobs 2 -DN=2 "$here/programs/htm1.c"
        differs "executions of two workers" 156 "$(field executions)"
        if [ -z "$why" ]; then pass "jobs"; else fail "jobs" "$why"; fi
fi
finish

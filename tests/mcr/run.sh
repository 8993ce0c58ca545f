#!/bin/sh
# Maximal causality: each row of classes.tsv has exactly its number of classes, one execution for each, and its failures.
# Each row of published.tsv has its figures with --mcr published and switch, and is never complete.  Arguments name the programs to run.
# Seconds: 15
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/mcr

# One program under one memory model.
one() {
        why=
        # shellcheck disable=SC2086
        build "$here/programs/$name.c" $flags || why="the program cannot be built"
        if [ -z "$why" ]; then
                # shellcheck disable=SC2086
                heddle_check --strategy mcr --memory $memory --keep-going $options "$program"
                differs complete true "$(field complete)"
                differs classes "${classes%/*}" "$(field value_classes)"
                differs executions "${classes#*/}" "$(field executions)"
                differs failures "${kind#-}" "$(field failures.0.kind)"
                [ "$races" = - ] || differs races "${races%/*}" "$(grep -c '^races\.[0-9]*\.verdict' "$tmp/flat")"
                [ "$races" = - ] || differs "races that count" "${races#*/}" "$(field data_races)"
                # shellcheck disable=SC2086
                [ -n "$why" ] || [ "$kind" = - ] || replays --memory $memory $options -- "$program"
        fi
        if [ -z "$why" ]; then
                pass "$name $memory $flags $options"
        else
                fail "$name $memory $flags $options" "$why"
        fi
}

# published ALGORITHM EXECUTIONS CLASSES
published() {
        why=
        # shellcheck disable=SC2086
        build "$here/programs/$name.c" $flags || why="the program cannot be built"
        heddle_check --strategy mcr --mcr "$1" "$program"
        differs "exit status" 4 "$status"
        differs executions "$2" "$(field executions)"
        differs classes "$3" "$(field value_classes)"
        if [ -z "$why" ]; then
                pass "$1 $name $flags"
        else
                fail "$1 $name $flags" "$why"
        fi
}

if [ "$1" != --row ]; then
        # shellcheck disable=SC2046
        [ $# -gt 0 ] || set -- $(sed -e '/^#/d' -e "s/$tab.*//" "$here/classes.tsv" | sort -u)
        rows "$@"
fi
grep "^$2$tab" "$here/classes.tsv" >"$tmp/row" || fail "$2" "no such row"
while IFS=$tab read -r name flags options sc tso pso kind races; do
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        for memory in sc tso pso; do
                case $memory in
                sc) classes=$sc ;;
                tso) classes=$tso ;;
                pso) classes=$pso ;;
                esac
                [ "$classes" != - ] || continue
                one
        done
done <"$tmp/row"
grep "^$2$tab" "$here/published.tsv" >"$tmp/row" || exit 0
while IFS=$tab read -r name flags executions classes switch_executions switch_classes; do
        [ "$flags" = - ] && flags=
        published published "$executions" "$classes"
        [ "$switch_executions" = - ] || published switch "$switch_executions" "$switch_classes"
done <"$tmp/row"
exit 0

#!/bin/sh
# Maximal causality: each row of classes.tsv has exactly its number of classes, one execution for each, and its failures.
# Arguments name the programs to run.
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
                differs classes "$classes" "$(field value_classes)"
                differs executions "$classes" "$(field executions)"
                differs failures "${kind#-}" "$(field failures.0.kind)"
                [ "$races" = - ] || differs races "$races" "$(grep -c '^races\.[0-9]*\.verdict' "$tmp/flat")"
                # shellcheck disable=SC2086
                [ -n "$why" ] || [ "$kind" = - ] || replays --memory $memory $options -- "$program"
        fi
        if [ -z "$why" ]; then
                pass "$name $memory $flags $options"
        else
                fail "$name $memory $flags $options" "$why"
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
exit 0

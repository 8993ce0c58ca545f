#!/bin/sh
# Programs that die, hang, scribble or vanish: each row of faults.tsv must end within LIMIT seconds, with one of the exit
# statuses of the row and a report that makes sense.  Arguments name the rows to run.
# Seconds: 35
LIMIT=${LIMIT:-30}
. "$(dirname "$0")/../programs/lib.sh"

# one_of WHAT ALTERNATIVES ACTUAL: appends to $why unless ACTUAL is among a|b|c; "-" allows anything.
one_of() {
        case "|$2|" in
        '|-|' | *"|$3|"*) ;;
        *) differs "$1" "$2" "$3" ;;
        esac
}

wanted=" $* "
while IFS=$tab read -r name source flags options code verdict kind; do
        case $name in
        '' | '#'*) continue ;;
        esac
        case $wanted in
        '  ' | *" $name "*) ;;
        *) continue ;;
        esac
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        # shellcheck disable=SC2086
        heddle_check --strategy dpor $options $flags "$root/tests/faults/$source"
        why=
        if [ "$status" -ge 124 ]; then
                why="heddle hangs or dies (exit status $status)"
        else
                one_of "exit status" "$code" "$status"
                one_of verdict "$verdict" "$(field verdict)"
                one_of kind "$kind" "$(field failures.0.kind)"
        fi
        if [ -z "$why" ]; then
                pass "$name"
        else
                fail "$name" "$why"
        fi
done <"$root/tests/faults/faults.tsv"

for part in once outside interrupt late outputs memory; do
        case $wanted in
        '  ' | *" $part "*) . "$root/tests/faults/$part.sh" ;;
        esac
done
finish

#!/bin/sh
# litmus.sh MEMORIES [NAME ...]: the rows of litmus.tsv under the memory models that are named (sc,tso,pso), with optimal at
# -O0 and dpor at -O2: verdict, outcomes and executions; failures must replay.
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/memory

# The outcomes of the last report, as the table has them.
outcomes() {
        awk -F "$tab" '{
                n = split($1, at, ".")
                if (at[1] == "outcomes" && at[3] == "state")
                        value[at[2]] = value[at[2]] $2
        } END {
                for (i in value)
                        print value[i]
        }' "$tmp/flat" | sort | tr '\n' ' ' | sed 's/ $//'
}

# one STRATEGY LEVEL MEMORY
one() {
        # shellcheck disable=SC2086
        build "$here/litmus/$file" $flags "$2" || why="the program cannot be built"
        [ -z "$why" ] || return
        # shellcheck disable=SC2086
        heddle_check --strategy "$1" --memory "$3" $options "$program"
        if [ "$verdict" = refused ]; then
                differs "exit status" 2 "$status"
                return
        fi
        kind=
        case $verdict in
        failure) kind=assertion ;;
        deadlock | use-after-free) kind=$verdict ;;
        esac
        differs verdict "${kind:+failure }${kind:-$verdict}" "$(field verdict)${kind:+ $(field failures.0.kind)}"
        differs executions "$executions" "$(field executions)"
        differs outcomes "$outcomes" "$(outcomes)"
        # shellcheck disable=SC2086
        [ -n "$why" ] || replays $replay -- "$program"
        why=${why:+$1 $2: $why}
}

if [ "$1" != --row ]; then
        MEMORIES=$1
        export MEMORIES
        shift
        [ $# -gt 0 ] || set -- $(sed -e '/^#/d' -e '/^$/d' -e "s/$tab.*//" "$here/litmus.tsv" | sort -u)
        rows "$@"
fi
grep "^$2$tab" "$here/litmus.tsv" >"$tmp/row" || fail "$2" "no such row"
while IFS=$tab read -r name file flags options memories verdict outcomes executions; do
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        for memory in $(echo "$memories" | tr , ' '); do
                case ",$MEMORIES," in *",$memory,"*) ;; *) continue ;; esac
                replay=
                case $options in *--posix-fences*) replay=--posix-fences ;; esac
                [ "$memory" = sc ] || replay="$replay --memory $memory"
                why=
                one optimal -O0 "$memory"
                [ -n "$why" ] || one dpor -O2 "$memory"
                if [ -z "$why" ]; then
                        pass "$name $memory"
                else
                        fail "$name $memory" "$why"
                fi
        done
done <"$tmp/row"
exit 0

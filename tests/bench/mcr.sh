#!/bin/sh
# The programs of the thesis on MCR: executions and CPU seconds of optimal, mcr and auto, beside the thesis' figures (mcr.tsv).
# ratio: seconds of mcr by those of optimal; auto's: its seconds by those of the better of the two.
#
#     mcr.sh [NAME ...]
#
# Counts below the number of classes, in the thesis, are those of searches that lose classes: docs/proofs/mcr.md.
. "$(dirname "$0")/../programs/lib.sh"

# explored STRATEGY: "executions seconds" of $program, "- -" when it takes longer than can be waited for.
explored() {
        # shellcheck disable=SC2046
        set -- "$1" $(TIMEFORMAT='%U %S' bash -c 'time "$0" check --quiet --keep-going --time 60s --strategy "$1" --json "$2" "$3" >"$4" 2>&1' \
                "$HEDDLE" "$1" "$tmp/json" "$program" "$tmp/err" 2>&1 </dev/null)
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>/dev/null
        case $(field complete) in
        true) echo "$(field executions) $2 $3" | awk '{ printf "%s %.2f\n", $1, $2 + $3 }' ;;
        *) echo '- -' ;;
        esac
}

wanted=$*
printf '%-46s %8s %8s %8s %9s %8s %9s %8s %6s %9s %8s %6s\n' program DPOR MCR SE-MCR optimal s mcr s ratio auto s ratio
grep -v '^#' "$root/tests/bench/mcr.tsv" | while IFS=$tab read -r name flags dpor mcr switch; do
        case " ${wanted:-$name} " in *" $name "*) ;; *) continue ;; esac
        [ "$flags" = - ] && flags=
        # shellcheck disable=SC2086
        build "$root/tests/mcr/programs/$name.c" $flags || exit 1
        # shellcheck disable=SC2046
        set -- $(explored optimal) $(explored mcr) $(explored auto)
        printf '%-46s %8s %8s %8s %9s %8s %9s %8s %6s %9s %8s %6s\n' "$name $flags" "$dpor" "$mcr" "$switch" "$1" "$2" "$3" "$4" \
                "$(echo "$2 $4" | awk '{ if ($1 > 0 && $2 > 0) printf "%.2f", $2 / $1; else print "-" }')" "$5" "$6" \
                "$(echo "$2 $4 $6" | awk '{ b = $2 > 0 && ($2 < $1 || $1 <= 0) ? $2 : $1; if (b > 0 && $3 > 0) printf "%.2f", $3 / b; else print "-" }')"
done

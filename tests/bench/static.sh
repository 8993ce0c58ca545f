#!/bin/sh
# Static dependences: seconds of the analysis, reads and those that nothing depends on, dependences; executions of mcr with --static
# off and on, and of the published algorithms: --mcr published, --static published-s (MCR-S) and published (MCR-S+); then for each of
# them reads whose values count, steps of the search, and its seconds; beside the figures of the thesis (static.tsv).
#
#     static.sh [NAME ...]
. "$(dirname "$0")/../programs/lib.sh"

"$HEDDLE" doctor 2>/dev/null | grep -q '^ok *heddle static' || { echo 'heddle is built without LLVM'; exit 0; }

# runs NAME OPTION...: adds "executions" to $counts and "reads/steps/seconds" to the row NAME of table 4.2
runs() {
        name=$1
        shift
        heddle_check --strategy mcr "$@" --keep-going --time 60s "$program"
        counts="$counts $(field executions)"
        printf '%-12s %24s %26s\n' "" "$name" \
                "$(field solver.reads)/$(field solver.queries)/$(field solver.seconds)" >>"$tmp/solver"
}

# "seconds reads irrelevant dependences"
analysed() {
        # shellcheck disable=SC2046
        set -- $(TIMEFORMAT='%U' bash -c 'time "$0" static "$1" >"$2"' "$HEDDLE" "$program" "$tmp/static" 2>&1)
        sed -n "1s/^\([0-9]*\) reads, \([0-9]*\) of.* \([0-9]*\) dependences\$/$1 \1 \2 \3/p" "$tmp/static"
}

wanted=$*
: >"$tmp/solver"
printf '%-12s %25s %32s %23s %39s\n' '' 'thesis: SDG' 'heddle' 'thesis: executions' 'executions'
printf '%-12s %7s %8s %8s %7s %7s %8s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n' \
        program s nodes edges s reads dropped edges MCR MCR-S S+ off on MCR MCR-S S+
grep -v '^#' "$root/tests/bench/static.tsv" | while IFS=$tab read -r program flags seconds nodes edges mcr s plus t_mcr t_s t_plus; do
        case " ${wanted:-$program} " in *" $program "*) ;; *) continue ;; esac
        [ "$flags" = - ] && flags=
        title=$program
        program=$tmp/$title
        # shellcheck disable=SC2086
        "$HEDDLE" cc --compiler clang --keep-ir -g $flags "$root/tests/mcr/programs/$title.c" -o "$program" || exit 1
        printf '%-12s %24s %26s\n' "$title" 'thesis: MCR' "$t_mcr" '' MCR-S "$t_s" '' MCR-S+ "$t_plus" >>"$tmp/solver"
        counts=
        runs 'heddle: off' --static off
        runs on --static on
        runs MCR --static off --mcr published
        runs MCR-S --static published-s
        runs MCR-S+ --static published
        # shellcheck disable=SC2046,SC2086
        printf '%-12s %7s %8s %8s %7s %7s %8s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n' "$title" "$seconds" "$nodes" "$edges" \
                $(analysed) "$mcr" "$s" "$plus" $counts
done
printf '\n%-12s %24s %26s\n' program '' 'reads/constraints/solver s'
cat "$tmp/solver"

#!/bin/sh
# Static dependences: seconds and memory of the analysis, reads and those that nothing depends on, dependences; executions of mcr with --static
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
        printf '%-16s %24s %26s\n' "" "$name" \
                "$(field solver.reads)/$(field solver.queries)/$(field solver.seconds)" >>"$tmp/solver"
}

# "seconds MB reads irrelevant dependences"
analysed() {
        "$tmp/cost" "$tmp/took" "$HEDDLE" static "$program" >"$tmp/static"
        sed -n "1s/^\([0-9]*\) reads, \([0-9]*\) of.* \([0-9]*\) dependences\$/$(cat "$tmp/took") \1 \2 \3/p" "$tmp/static"
}

${CC:-cc} -O2 -D_GNU_SOURCE -DMEMORY -o "$tmp/cost" "$root/tests/bench/cost.c" || exit 2
wanted=$*
: >"$tmp/solver"
printf '%-16s %25s %32s %23s %39s\n' '' 'thesis: SDG' 'heddle' 'thesis: executions' 'executions'
columns='%-16s %5s %4s %6s %7s %6s %4s %6s %7s %6s %7s %7s %7s %7s %7s %7s %7s %7s\n'
# shellcheck disable=SC2059
printf "$columns" program s MB nodes edges s MB reads dropped edges MCR MCR-S S+ off on MCR MCR-S S+
grep -v '^#' "$root/tests/bench/static.tsv" | while IFS=$tab read -r program flags seconds mb nodes edges mcr s plus t_mcr t_s t_plus; do
        case " ${wanted:-$program} " in *" $program "*) ;; *) continue ;; esac
        [ "$flags" = - ] && flags=
        source=$root/tests/mcr/programs/$program.c
        [ -f "$source" ] || source=$root/tests/static/programs/$program.c
        title=$program
        case $flags in *FAULTY*) title="$title FAULTY" ;; esac
        program=$tmp/$program
        # shellcheck disable=SC2086
        "$HEDDLE" cc --compiler clang --keep-ir -g $flags "$source" -o "$program" || exit 1
        printf '%-16s %24s %26s\n' "$title" 'thesis: MCR' "$t_mcr" '' MCR-S "$t_s" '' MCR-S+ "$t_plus" >>"$tmp/solver"
        counts=
        runs 'heddle: off' --static off
        runs on --static on
        runs MCR --static off --mcr published
        runs MCR-S --static published-s
        runs MCR-S+ --static published
        # shellcheck disable=SC2046,SC2059,SC2086
        printf "$columns" "$title" "$seconds" "$mb" "$nodes" "$edges" \
                $(analysed) "$mcr" "$s" "$plus" $counts
done
printf '\n%-16s %24s %26s\n' program '' 'reads/constraints/solver s'
cat "$tmp/solver"

#!/bin/sh
# Static dependences: seconds of the analysis, reads and those that nothing depends on, dependences; executions of mcr with --static
# off, on and published, beside the figures of the thesis (static.tsv).
#
#     static.sh [NAME ...]
. "$(dirname "$0")/../programs/lib.sh"

"$HEDDLE" doctor 2>/dev/null | grep -q '^ok *heddle static' || { echo 'heddle is built without LLVM'; exit 0; }

# executions off|on|published, of $program
executions() {
        heddle_check --strategy mcr --static "$1" --keep-going --time 60s "$program"
        field executions
}

# "seconds reads irrelevant dependences"
analysed() {
        # shellcheck disable=SC2046
        set -- $(TIMEFORMAT='%U' bash -c 'time "$0" static "$1" >"$2"' "$HEDDLE" "$program" "$tmp/static" 2>&1)
        sed -n "1s/^\([0-9]*\) reads, \([0-9]*\) of.* \([0-9]*\) dependences\$/$1 \1 \2 \3/p" "$tmp/static"
}

wanted=$*
printf '%-12s %25s %32s %23s %23s\n' '' 'thesis: SDG' 'heddle' 'thesis: executions' 'executions'
printf '%-12s %7s %8s %8s %7s %7s %8s %7s %7s %7s %7s %7s %7s %7s\n' program s nodes edges s reads dropped edges MCR MCR-S S+ off on publ.
grep -v '^#' "$root/tests/bench/static.tsv" | while IFS=$tab read -r name flags seconds nodes edges mcr s plus; do
        case " ${wanted:-$name} " in *" $name "*) ;; *) continue ;; esac
        [ "$flags" = - ] && flags=
        program=$tmp/$name
        # shellcheck disable=SC2086
        "$HEDDLE" cc --compiler clang --keep-ir -g $flags "$root/tests/mcr/programs/$name.c" -o "$program" || exit 1
        # shellcheck disable=SC2046
        set -- $(analysed)
        printf '%-12s %7s %8s %8s %7s %7s %8s %7s %7s %7s %7s %7s %7s %7s\n' "$name" "$seconds" "$nodes" "$edges" "$1" "$2" "$3" "$4" \
                "$mcr" "$s" "$plus" "$(executions off)" "$(executions on)" "$(executions published)"
done

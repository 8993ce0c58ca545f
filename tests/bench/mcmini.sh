#!/bin/sh
# McMini's programs, as its authors describe them, beside the figures they published (2.5 GHz, one core); and the same
# program over a mutex and a condition variable, and over a primitive that a plugin defines (their tables 7, 8).
# Deadlocks are those of their table 4: every one must be found.  A timing decides nothing.  Both rates are per second
# of processor time, start of the target included.
. "$(dirname "$0")/../programs/lib.sh"

# Processor time of all that was run so far, in seconds; to be called without a subshell.
cpu() {
        times >"$tmp/times"
        now=$(awk 'NR == 2 { n = split($1 " " $2, p, /[ms ]+/); print p[1] * 60 + p[2] + p[3] * 60 + p[4] }' "$tmp/times")
}

format='%-26s %10s %8s %9s %10s %9s %9s %9s  %s\n'
# shellcheck disable=SC2059
printf "$format" program executions blocked 'CPU s' 'ex/CPU s' 'McMini tr' 'McMini s' 'tr/CPU s' finds
while IFS=$tab read -r name source flags traces seconds; do
        case $name in
        '' | '#'*) continue ;;
        esac
        defines= options=
        for flag in $flags; do
                case $flag in
                --*) options="$options $flag" ;;
                *) defines="$defines $flag" ;;
                esac
        done
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -pthread $defines "$root/tests/programs/$source" -o "$tmp/program" || exit 2
        cpu
        before=$now
        # shellcheck disable=SC2086
        heddle_check $options "$tmp/program"
        cpu
        case $name:$status in
        deadlock*:1 | [!d]*:0) ;;
        *) fail "$name" "exit status $status" ;;
        esac
        awk -v format="$format" -v n="$name" -v e="$(field executions)" -v b="$(field blocked)" -v s="$before $now" \
            -v t="$traces" -v m="$seconds" -v k="$(field 'failures[0].kind')" 'BEGIN {
                split(s, p, " ")
                s = p[2] - p[1]
                printf format, n, e, b, sprintf("%.2f", s), (s > 0 ? sprintf("%.0f", (e + b) / s) : "-"), t, m,
                       (m > 0 ? sprintf("%.0f", t / m) : "-"), k
        }'
done <"$root/tests/bench/mcmini.tsv"

# side NAME PLUGIN TEST COND FLAGS: executions over mutex and condition variable, and over the plugin.
side() {
        heddle_check --time 10s "$root/examples/ops/$3" "$root/examples/ops/$4" $5
        over=$(field executions)
        [ "$status" = 4 ] && over=">$over"
        heddle_check --ops "$tmp/$2.so" "$root/examples/ops/$3" $5
        printf '%-34s %12s %12s\n' "$1" "$over" "$(field executions)"
}
echo
printf '%-34s %12s %12s\n' 'executions' 'mutex+cond' plugin
for p in rww rpref; do
        ${CC:-cc} -shared -fPIC -I"$root/include" -o "$tmp/$p.so" "$root/examples/ops/$p.c" || exit 2
done
side '1 reader, 2 writers' rww rww_test.c rww_cond.c -DREADERS=1
side '2 readers, 2 writers' rww rww_test.c rww_cond.c -DREADERS=2
side '3 readers, 2 writers' rww rww_test.c rww_cond.c -DREADERS=3
side '2 readers first, 1 writer' rpref rpref_test.c rpref_cond.c
[ "$failed" -eq 0 ]

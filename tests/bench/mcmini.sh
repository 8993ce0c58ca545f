#!/bin/sh
# McMini's programs, as its authors describe them, beside the figures they published (2.5 GHz, one core); and the same
# program over a mutex and a condition variable, and over a primitive that a plugin defines (their tables 7, 8).
# Deadlocks are those of their table 4: every one must be found.  A timing decides nothing.
. "$(dirname "$0")/../programs/lib.sh"

format='%-26s %10s %8s %9s %10s %9s %9s %9s  %s\n'
# shellcheck disable=SC2059
printf "$format" program executions blocked seconds ex/s 'McMini tr' 'McMini s' 'tr/s' finds
while IFS=$tab read -r name source flags traces seconds; do
        case $name in
        '' | '#'*) continue ;;
        esac
        # shellcheck disable=SC2086
        heddle_check $flags "$root/tests/programs/$source"
        case $name:$status in
        deadlock*:1 | [!d]*:0) ;;
        *) fail "$name" "exit status $status" ;;
        esac
        awk -v format="$format" -v n="$name" -v e="$(field executions)" -v b="$(field blocked)" -v s="$(field seconds)" \
            -v r="$(field per_second)" -v t="$traces" -v m="$seconds" -v k="$(field 'failures[0].kind')" 'BEGIN {
                printf format, n, e, b, sprintf("%.3f", s), sprintf("%.0f", r), t, m,
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

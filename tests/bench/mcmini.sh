#!/bin/sh
# McMini's programs, as its authors describe them, beside the figures they published (2.5 GHz, one core); and the same
# program over a mutex and a condition variable, and over a primitive of heddle or of a plugin (their tables 7, 8, 11).
# Executions that are cut at --thread-depth are counted.  Deadlocks are those of their table 4: every one must be found.  A timing decides nothing.  Both rates are per second
# of processor time, start of the target included.
. "$(dirname "$0")/../programs/lib.sh"

format='%-26s %10s %8s %9s %10s %9s %9s %9s  %s\n'
# shellcheck disable=SC2059
printf "$format" program executions blocked 'CPU s' 'ex/CPU s' 'McMini tr' 'McMini s' 'tr/CPU s' finds
while IFS=$tab read -r name source flags traces seconds; do
        case $name in
        '' | '#'*) continue ;;
        esac
        defines= options= expect=0
        for flag in $flags; do
                case $flag in
                --expect=*) expect=${flag#*=} ;;
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
        deadlock*:1 | assert*:1 | [!da]*:$expect) ;;
        *) fail "$name" "exit status $status" ;;
        esac
        awk -v format="$format" -v n="$name" -v e="$(($(field executions) + $(field cut.depth)))" -v b="$(field blocked)" -v s="$before $now" \
            -v t="$traces" -v m="$seconds" -v k="$(field 'failures.0.kind')" 'BEGIN {
                split(s, p, " ")
                s = p[2] - p[1]
                printf format, n, e, b, sprintf("%.2f", s), (s > 0 ? sprintf("%.0f", (e + b) / s) : "-"), t, m,
                       (m > 0 ? sprintf("%.0f", t / m) : "-"), k
        }'
done <"$root/tests/bench/mcmini.tsv"

# executions ARGUMENT...: how many there are, or how many there were in 10 seconds.
executions() {
        heddle_check --time 10s "$@"
        count=$(field executions)
        [ "$status" = 4 ] && count=">$count"
}

# side NAME ARGUMENTS -- ARGUMENTS: over a mutex and a condition variable, or whatever the library has, and over the
# primitive.
side() {
        name=$1
        shift
        made=
        while [ "$1" != -- ]; do
                made="$made $1"
                shift
        done
        shift
        # shellcheck disable=SC2086
        executions $made
        over=$count
        executions "$@"
        printf '%-40s %12s %12s\n' "$name" "$over" "$count"
}

ops=$root/examples/ops
programs=$root/tests/programs
for p in rww rpref; do
        ${CC:-cc} -shared -fPIC -I"$root/include" -o "$tmp/$p.so" "$ops/$p.c" || exit 2
done
echo
printf '%-40s %12s %12s\n' 'executions (table 7)' mutex+cond primitive
side 'rwlock, 2 readers, 1 writer' "$programs/rw_cond.c" -- -DNATIVE "$programs/rw_cond.c"
side '... readers first' -DPREFER=1 "$programs/rw_cond.c" -- -DNATIVE --wakeup rwlock=reader "$programs/rw_cond.c"
side '... readers first, a plugin' "$ops/rpref_test.c" "$ops/rpref_cond.c" -- --ops "$tmp/rpref.so" "$ops/rpref_test.c"
side '... writers first' -DPREFER=2 "$programs/rw_cond.c" -- -DNATIVE --wakeup rwlock=writer "$programs/rw_cond.c"
echo
printf '%-40s %12s %12s\n' 'executions (table 8)' mutex+cond plugin
for readers in 1 2 3; do
        side "$readers readers, 2 writers" -DREADERS=$readers "$ops/rww_test.c" "$ops/rww_cond.c" -- \
                -DREADERS=$readers --ops "$tmp/rww.so" "$ops/rww_test.c"
done
echo
printf '%-40s %12s %12s\n' 'executions (table 11)' library primitive
for threads in 2 3 4; do
        what=0
        for name in barrier 'cond broadcast' 'philosophers, semaphores'; do
                what=$((what + 1))
                side "$name, $threads threads" -DWHAT=$what -DLIBRARY -DN=$threads "$programs/library.c" -- \
                        -DWHAT=$what -DN=$threads "$programs/library.c"
        done
done
[ "$failed" -eq 0 ]

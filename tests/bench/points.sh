#!/bin/sh
# Executions and seconds to the failure of each program of tests/bugs ("-": not within 60 s), by deepen, icb, optimal with every
# access a point, and pct (the mean of 5 seeds); the same within 20 s for programs of the folder points, which are too large to be
# explored completely; then, for the corrected programs and the locks, executions and seconds to total verification by the
# maximal set of deepen, by deepen with all its sets, and with every access a point.  Arguments name the programs.
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/bugs
larger=$root/tests/bench/points
seconds=60
locks='TAS TICKET MCS PETERSON DEKKER BAKERY'

# figures WANTED OPTION...: "executions seconds" of $program, or "- -" when the exit status is another.
figures() {
        wanted=$1
        shift
        heddle_check --minimize never --time ${seconds}s "$@" "$program"
        if [ "$status" = "$wanted" ]; then
                awk -v n="$(($(field executions) + $(field blocked) + $(field probes)))" -v s="$(field seconds)" \
                        'BEGIN { printf "%d %.3f\n", n, s }'
        else
                echo '- -'
        fi
}

# mean OPTION...: the same for five seeds.
mean() {
        for seed in 1 2 3 4 5; do figures 1 --seed $seed "$@"; done |
                awk '$1 == "-" { bad = 1 } { n += $1; s += $2 } END { if (bad) print "- -"; else printf "%.1f %.3f\n", n / NR, s / NR }'
}

# shellcheck disable=SC2046,SC2086
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.c | sed 's,^./,,; s/[.]c$//' | grep -vx locks) $locks
row='%-20s %7s %7s   %7s %7s   %7s %7s   %7s %7s\n'
# shellcheck disable=SC2059
printf "$row" 'first failure' deepen s icb s optimal s pct s
first_failure() {
        # shellcheck disable=SC2046,SC2059
        printf "$row" "$1" $(figures 1 --strategy deepen --test-locks) $(figures 1 --strategy icb --test-locks) \
                $(figures 1 --strategy optimal --test-locks) $(mean --strategy pct --test-locks)
}
for name; do
        case " $locks " in
        *" $name "*) build "$here/locks.c" "-D$name" -DBROKEN ;;
        *) build "$here/$name.c" ;;
        esac
        first_failure "$name"
done
echo
seconds=20
for name in $(cd "$larger" && ls ./*.c | sed 's,^./,,; s/[.]c$//'); do
        build "$larger/$name.c"
        first_failure "larger: $name"
done
seconds=60
row='%-20s %9s %7s   %9s %7s   %9s %7s\n'
# shellcheck disable=SC2059
printf "\n$row" 'total verification' maximal s deepen s all s
for name; do
        case " $locks " in
        *" $name "*) build "$here/locks.c" "-D$name" ;;
        *) build "$here/$name.c" -DFIXED ;;
        esac
        # shellcheck disable=SC2046,SC2059
        printf "$row" "$name" $(figures 0 --strategy deepen --maximal --test-locks) $(figures 0 --strategy deepen --test-locks) \
                $(figures 0 --strategy optimal --test-locks)
done

#!/bin/sh
# How soon each strategy meets a failure: executions to it, redundant ones and looks included ("-": not in LIMIT_EXECUTIONS),
# and milliseconds of processor time from start to end of heddle, without minimisation; for the random ones and auto of SEEDS seeds
# the mean and the median of the executions and the mean of the time, and the executions with the default seed, which is one
# draw of each; auto beside the best of the others.  Then how wrong the estimate of executions is when a tenth, a quarter, a half and three
# quarters are done.  Arguments name the rows of failing.tsv.
. "$(dirname "$0")/../programs/lib.sh"
LIMIT_EXECUTIONS=${LIMIT_EXECUTIONS:-20000}
SEEDS=${SEEDS:-5}
strategies=${STRATEGIES:-dfs dpor optimal icb pct random pos auto}
wanted=" $* "
${CC:-cc} -O2 -D_GNU_SOURCE -o "$tmp/cost" "$root/tests/bench/cost.c" || exit 2

# runs STRATEGY OPTION...: until a failure of $tmp/program is met, with the default seed and SEEDS others; a line of the mean of
# executions and of milliseconds, the median of executions, and those of the default seed, "-": none was met.  What draws nothing
# is repeated for the time it takes, and not if that is long.
runs() {
        strategy=$1
        shift
        for seed in $(seq 0 "$SEEDS"); do
                timeout -k 5 "$LIMIT" "$tmp/cost" "$tmp/took" "$HEDDLE" check --quiet --minimize never --json "$tmp/json" --strategy "$strategy" --seed "$seed" \
                        --executions "$LIMIT_EXECUTIONS" --time 30s "$@" "$tmp/program" </dev/null >/dev/null 2>"$tmp/err"
                status=$?
                took=$(cat "$tmp/took")
                [ "$status" = 1 ] || { echo none; break; }
                awk -f "$json_awk" <"$tmp/json" >"$tmp/flat"
                echo $(($(field executions) + $(field blocked) + $(field probes) + $(field cut.assume))) "$took"
                case $strategy in
                pct | random | pos | predict | auto) ;;
                *) [ "$took" -lt 300000 ] || break ;;
                esac
        done | awk '$1 == "none" { none = 1 }
                { executions[NR] = $1; took[NR] = $2 }
                END {
                        if (none) { print "- - - -"; exit }
                        for (k = NR > 1 ? 2 : 1; k <= NR; k++) { # the default seed is in no mean
                                n++
                                sum += executions[k]
                                time += took[k] / 1000
                                for (i = n; i > 1 && at[i - 1] > executions[k]; i--) at[i] = at[i - 1]
                                at[i] = executions[k]
                        }
                        print sum / n, time / n, n % 2 ? at[(n + 1) / 2] : (at[n / 2] + at[n / 2 + 1]) / 2, executions[1]
                }'
}

# table COLUMN TITLE: of $tmp/all, whose lines are program, strategy and what runs() says.
table() {
        awk -v column="$1" -v title="$2" -v strategies="$strategies" '
        function line() {
                if (program == "") return
                if (own != "" && best != "") {
                        printf " %6.2f %s", own / best, who
                        n++; sum += log(own / best); twice += own <= 2 * best
                        if (own / best > most) most = own / best
                }
                print ""
        }
        BEGIN { printf "%-22s", title
                m = split(strategies, names, " ")
                for (i = 1; i <= m; i++) printf " %7s", names[i]
                printf " %6s %s\n", "ratio", "to the best" }
        $1 != program { line(); program = $1; own = best = ""; printf "%-22s", program }
        { printf " %7s", $column == "-" ? "-" : sprintf($column < 10 ? "%.1f" : "%.0f", $column) }
        $column == "-" { next }
        $2 == "auto" { own = $column; next }
        best == "" || $column < best { best = $column; who = $2 }
        END { line()
                if (n) printf "%d programs: %d within twice the best, at most %.1f times it, %.2f times on average (geometric)\n",
                        n, twice, most, exp(sum / n) }' "$tmp/all"
}

: >"$tmp/all"
while IFS=$tab read -r name source flags options; do
        case $name in '' | '#'*) continue ;; esac
        case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" $flags "$root/$source" -o "$tmp/program" 2>"$tmp/err" ||
                { fail "$name" "does not build"; continue; }
        for s in $strategies; do
                # shellcheck disable=SC2086
                echo "$name $s $(runs "$s" $options)" >>"$tmp/all"
        done
done <"$root/tests/bench/failing.tsv"
table 3 'executions, mean'
echo
table 5 'executions, median'
echo
table 6 'executions, --seed 0'
echo
table 4 milliseconds

# What looks cost where there is nothing to find: processor time of REPEAT searches, beside that of optimal alone.
REPEAT=${REPEAT:-10}
ticks() { # STRATEGY: into $ticks
        ticks=0
        for _ in $(seq "$REPEAT"); do
                "$tmp/cost" "$tmp/took" "$HEDDLE" check --quiet --strategy "$1" --json "$tmp/json" "$tmp/program" </dev/null >/dev/null 2>"$tmp/err"
                ticks=$((ticks + $(cat "$tmp/took")))
        done
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat"
}
echo
printf '%-28s %10s %8s %10s\n' 'safe programs' executions looks 'CPU times'
while read -r source flags; do
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" $flags "$root/tests/$source" -o "$tmp/program" 2>"$tmp/err" || continue
        ticks optimal
        alone=$ticks
        ticks auto
        awk -v n="$(basename "$source" .c) $flags" -v e="$(field executions)" -v l="$(field probes)" -v a="$alone" -v b="$ticks" \
                'BEGIN { printf "%-28s %10d %8d %10s\n", n, e, l, a ? sprintf("%.2f", b / a) : "-" }'
done <<END
litmus/sb/sb.c
litmus/iriw/iriw.c
programs/mutex_counter.c -DN=2 -DK=2
programs/philosophers.c -DN=6
programs/readers.c -DN=6
programs/lastzero.c -DN=8
programs/plain_inc.c -DK=4
programs/lastzero.c -DN=11
programs/fib.c -DN=6
END

# How wrong the estimates are on the way: each search once to its end, then stopped after a part of its executions.
echo
printf '%-44s %10s  %-31s  %-31s\n' 'estimate / truth' executions 'executions at 10, 25, 50, 75 %' 'seconds at 10, 25, 50, 75 %'
while IFS=$tab read -r options source flags; do
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -w -pthread $flags "$root/tests/programs/$source" -o "$tmp/program" 2>"$tmp/err" || continue
        # shellcheck disable=SC2086
        heddle_check $options "$tmp/program"
        all=$(field executions) time=$(field seconds)
        of_executions= of_seconds=
        for part in 10 25 50 75; do
                # shellcheck disable=SC2086
                heddle_check $options --executions $((all * part / 100)) "$tmp/program"
                of_executions="$of_executions $(awk -v e="$(field estimate.executions)" -v t="$all" 'BEGIN { printf "%7.2f", e / t }')"
                of_seconds="$of_seconds $(awk -v e="$(field estimate.seconds)" -v t="$time" 'BEGIN { printf "%7.2f", e / t }')"
        done
        printf '%-44s %10s %s %s\n' "${options#--strategy } $source $flags" "$all" "$of_executions" "$of_seconds"
done <<END
--strategy dfs${tab}readers.c${tab}-DN=6
--strategy dpor${tab}lastzero.c${tab}-DN=12
--strategy optimal${tab}lastzero.c${tab}-DN=12
--strategy optimal --jobs 2${tab}lastzero.c${tab}-DN=14
--strategy optimal${tab}readers.c${tab}-DN=14
--strategy optimal${tab}philosophers.c${tab}-DN=13
--strategy optimal${tab}fib.c${tab}-DN=5
--strategy optimal${tab}mutex_counter.c${tab}-DN=3 -DK=3
--strategy optimal --bound 3${tab}plain_inc.c${tab}-DK=6
END
[ "$failed" -eq 0 ]

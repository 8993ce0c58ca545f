#!/bin/sh
# How soon each strategy meets a failure: executions to it, redundant ones and looks included ("-": not in LIMIT_EXECUTIONS),
# for the random ones and auto the mean of SEEDS seeds; auto beside the best of the others.  Then how wrong the estimate of
# executions is when a tenth, a quarter, a half and three quarters are done.  Arguments name the rows of failing.tsv.
. "$(dirname "$0")/../programs/lib.sh"
LIMIT_EXECUTIONS=${LIMIT_EXECUTIONS:-20000}
SEEDS=${SEEDS:-5}
strategies=${STRATEGIES:-dfs dpor optimal icb pct random pos auto}
wanted=" $* "

# runs STRATEGY OPTION...: executions until a failure of $tmp/program; into $runs, "-": none was met.
runs() {
        strategy=$1
        shift
        case $strategy in
        pct | random | pos | auto) seeds=$(seq "$SEEDS") ;;
        *) seeds=1 ;;
        esac
        for seed in $seeds; do
                heddle_check --strategy "$strategy" --seed "$seed" --executions "$LIMIT_EXECUTIONS" --time 30s "$@" "$tmp/program"
                [ "$status" = 1 ] || break
                echo "$(field executions) $(field blocked) $(field looked) $(field cut.assume)"
        done | awk -v n="$(echo "$seeds" | wc -w)" '{ sum += $1 + $2 + $3 + $4 } END { print NR == n ? sum / n : "-" }' >"$tmp/runs"
        runs=$(cat "$tmp/runs")
}

printf '%-22s' 'first failure'
for s in $strategies; do printf ' %7s' "$s"; done
printf ' %6s %s\n' ratio 'to the best'
while IFS=$tab read -r name source flags options; do
        case $name in '' | '#'*) continue ;; esac
        case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
        [ "$flags" = - ] && flags=
        [ "$options" = - ] && options=
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" $flags "$root/$source" -o "$tmp/program" 2>"$tmp/err" ||
                { fail "$name" "does not build"; continue; }
        printf '%-22s' "$name"
        : >"$tmp/all"
        for s in $strategies; do
                # shellcheck disable=SC2086
                runs "$s" $options
                echo "$s $runs" >>"$tmp/all"
                awk -v r="$runs" 'BEGIN { printf " %7s", r == "-" ? r : sprintf(r < 10 ? "%.1f" : "%.0f", r) }'
        done
        awk '$2 == "-" { next }
                $1 == "auto" { own = $2; next }
                best == "" || $2 < best { best = $2; who = $1 }
                END { if (own && best) printf " %6.2f %s\n", own / best, who; else print "      -" }' "$tmp/all" | tee -a "$tmp/ratios"
done <"$root/tests/bench/failing.tsv"
awk '$1 != "-" { n++; sum += log($1); twice += $1 <= 2; if ($1 > most) most = $1 }
        END { if (n) printf "%d programs: %d within twice the best, at most %.1f times it, %.2f times on average (geometric)\n", n, twice,
                most, exp(sum / n) }' "$tmp/ratios"

# What looks cost where there is nothing to find: processor time of REPEAT searches, beside that of optimal alone.
REPEAT=${REPEAT:-10}
ticks() { # STRATEGY: into $ticks
        before=$(awk '{ print $16 + $17 }' "/proc/$$/stat")
        for _ in $(seq "$REPEAT"); do
                "$HEDDLE" check --quiet --strategy "$1" --json "$tmp/json" "$tmp/program" </dev/null >/dev/null 2>"$tmp/err"
        done
        ticks=$(($(awk '{ print $16 + $17 }' "/proc/$$/stat") - before))
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
        awk -v n="$(basename "$source" .c) $flags" -v e="$(field executions)" -v l="$(field looked)" -v a="$alone" -v b="$ticks" \
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

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

echo
printf '%-24s %10s %8s %8s %8s %8s\n' 'estimate / truth' executions 10% 25% 50% 75%
while read -r s source flags; do
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -w -pthread $flags "$root/tests/programs/$source" -o "$tmp/program" 2>"$tmp/err" || continue
        timeout 60 "$HEDDLE" check --strategy "$s" --progress always --json "$tmp/json" "$tmp/program" 2>"$tmp/lines" >/dev/null </dev/null
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat"
        [ "$(field complete)" = true ] || continue
        awk -v name="$s $source" -v all="$(field executions)" '
                BEGIN { split("0.1 0.25 0.5 0.75", at, " "); k = 1 }
                match($0, /about [0-9.e+-]+ %/) {
                        n = $2; share = substr($0, RSTART + 6, RLENGTH - 8) / 100
                        while (k <= 4 && n >= at[k] * all) r[k++] = sprintf("%.2f", n / share / all)
                }
                END { printf "%-24s %10d", name, all; for (i = 1; i <= 4; i++) printf " %8s", (i in r) ? r[i] : "-"; print "" }' "$tmp/lines"
done <<END
dfs readers.c -DN=6
dpor lastzero.c -DN=14
dpor readers.c -DN=15
dpor philosophers.c -DN=14
END
[ "$failed" -eq 0 ]

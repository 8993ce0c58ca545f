#!/bin/sh
# How soon each strategy meets a failure (executions to it and seconds, "-": not in LIMIT_SECONDS), with auto beside the best
# of the others; and how wrong the estimate of executions is when a tenth, a quarter, a half and three quarters are done.
# Timings decide nothing.
. "$(dirname "$0")/../programs/lib.sh"
LIMIT_SECONDS=${LIMIT_SECONDS:-10}
strategies=${STRATEGIES:-dfs dpor optimal random pct pos auto}

printf '%-20s' 'first failure'
for s in $strategies; do printf ' %16s' "$s"; done
printf ' %8s\n' 'auto/best'
while IFS=$tab read -r name source flags; do
        case $name in '' | '#'*) continue ;; esac
        [ "$flags" = - ] && flags=
        # shellcheck disable=SC2086
        "$HEDDLE" cc -g -O0 -w -pthread -I"$root/include" $flags "$root/$source" -o "$tmp/program" 2>"$tmp/err" ||
                { fail "$name" "does not build"; continue; }
        printf '%-20s' "$name"
        best=
        own=
        for s in $strategies; do
                heddle_check --strategy "$s" --time "${LIMIT_SECONDS}s" "$tmp/program"
                seconds=$(field seconds)
                if [ "$status" = 1 ]; then
                        printf ' %16s' "$(awk -v e="$(field executions)" -v l="$(field looked)" -v s="$seconds" \
                                'BEGIN { printf "%d %.3f", e + l, s }')"
                        if [ "$s" = auto ]; then own=$seconds; else best=$(printf '%s\n%s\n' "$best" "$seconds" | grep . | sort -g | head -1); fi
                else
                        printf ' %16s' -
                fi
        done
        awk -v a="$own" -v b="$best" 'BEGIN { if (a > 0 && b > 0) printf " %8.2f\n", a / b; else printf " %8s\n", "-" }'
done <"$root/tests/bench/failing.tsv"

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

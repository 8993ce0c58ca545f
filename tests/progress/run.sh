#!/bin/sh
# How far a long exploration is: the live line on a terminal, a line every 10 seconds elsewhere, objects for tools.
# Seconds: 17
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 3
HEDDLE=${HEDDLE:-$root/build/heddle}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT
cd "$root" || exit 3

verdict() { # name: with the status of the command before
        if [ $? = 0 ]; then
                echo "PASS progress/$1"
        else
                echo "FAIL progress/$1:"
                cat -v "$out/err" | cut -c 1-400 | head -n 20 | sed 's/^/    /'
        fi
}
long() { # options: an exploration that lasts until its limit
        "$HEDDLE" check -DN=9 tests/programs/sigma.c --strategy optimal "$@" </dev/null >"$out/out" 2>"$out/err"
}
pattern='heddle: [0-9]* executions, [0-9]*/s, 10 s\(, .* % explored.*, .* left\)*'

long --time 10500ms
[ "$(wc -l <"$out/err")" = 1 ] && grep -q "^$pattern\$" "$out/err"
verdict line_every_10_s
if [ -n "${HEDDLE_TEST_LONG:-}" ]; then
        long --time 10500ms --quiet
        [ ! -s "$out/err" ]
        verdict quiet
fi

long --time 2500ms --progress json
node -e '
        const lines = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse);
        const last = lines.pop(), number = x => typeof x === "number" && x >= 0;
        const right = lines.length >= 2 && lines.every(x => x.phase === "search") && last.phase === "end" &&
                [...lines, last].every(x => number(x.seconds) && number(x.executions) && number(x.blocked) &&
                        number(x.probes) && number(x.events) && number(x.per_second) && x.estimate.share > 0 &&
                        number(x.estimate.executions) && number(x.estimate.seconds)) &&
                lines[1].executions > lines[0].executions && last.executions >= lines[1].executions;
        process.exit(right ? 0 : 1);' "$out/err"
verdict json
"$HEDDLE" check --progress json examples/spsc_ring.c >"$out/out" 2>"$out/err" </dev/null
[ "$(wc -l <"$out/err")" = 1 ] && grep -q '^{"phase": "end", .*"estimate": null}$' "$out/err"
verdict json_complete
"$HEDDLE" check --progress json --quiet examples/lost_update.c >"$out/out" 2>"$out/err" </dev/null
grep -q '^{"phase": "end"' "$out/err" && [ "$(wc -l <"$out/out")" = 2 ]
verdict json_quiet
long --time 500ms --progress always
[ "$(wc -l <"$out/err")" -ge 2 ]
verdict always

# On a terminal: one line, written over, and taken away at the end.
if command -v script >/dev/null; then
        script -qec "'$HEDDLE' check -DN=9 tests/programs/sigma.c --time 1s --strategy dfs" /dev/null </dev/null >"$out/err"
        tr '\r' '\n' <"$out/err" | grep -q "$(printf '^\033\\[K')[0-9]* executions, .* left\$" &&
                tr '\r' '\n' <"$out/err" | grep -q "$(printf '^\033\\[K').*No failure so far"
        verdict terminal
        script -qec "'$HEDDLE' check -DN=9 tests/programs/sigma.c --time 1s --progress never" /dev/null </dev/null >"$out/err"
        ! grep -q ' left' "$out/err"
        verdict terminal_never
fi

[ -z "${HEDDLE_TEST_LONG:-}" ] || HEDDLE=$HEDDLE tests/progress/ranges.sh

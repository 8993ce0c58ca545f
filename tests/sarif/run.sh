#!/bin/sh
# SARIF logs against the schema of SARIF 2.1.0, with a validator from npm.
cd "$(dirname "$0")/../.." || exit 3
HEDDLE=${HEDDLE:-$PWD/build/heddle}
BUILD=${BUILD:-$PWD/build}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT

modules=$BUILD/npm-sarif/node_modules
if [ ! -d "$modules/ajv-draft-04" ]; then
        mkdir -p "$BUILD/npm-sarif"
        npm install --prefix "$BUILD/npm-sarif" --no-audit --no-fund --no-save @microsoft/jest-sarif ajv@8 ajv-draft-04 ajv-formats \
                >"$out/npm.log" 2>&1 || { echo "FAIL sarif/npm: $(tail -n 1 "$out/npm.log")"; exit 1; }
fi

log() { # name arguments of check
        name=$1
        shift
        "$HEDDLE" check --sarif "$out/$name.sarif" "$@" >/dev/null 2>"$out/err" </dev/null ||
                [ $? -lt 5 ] || { echo "FAIL sarif/$name: $(head -n 1 "$out/err")"; return; }
}
log assertion examples/lost_update.c
log deadlock examples/philosophers.c
log two --keep-going tests/explain/two.c
log safe examples/spsc_ring.c
log unknown --executions 1 --strategy dfs examples/spsc_ring.c
log crash -I tests/litmus tests/litmus/crash_null/crash_null.c
log races --keep-going --fail-on race examples/lost_update.c
log benign --leaks all tests/races/benign.c
for want in '"level": "note"' '"relatedLocations"' 'race with no observed effect on '; do
        grep -q "$want" "$out/benign.sarif" || echo "FAIL sarif/benign: no $want"
done
mkdir "$out/a b"
cp examples/lost_update.c "$out/a b/q\"ü%<&.c"
log names "$out/a b/q\"ü%<&.c"
cc -O1 -pthread -o "$out/plain" tests/explain/two.c && strip "$out/plain"
log stripped --keep-going "$out/plain"
"$HEDDLE" check --trace "$out/trace" examples/lost_update.c >/dev/null 2>&1
"$HEDDLE" report "$out/trace" --sarif "$out/retold.sarif" >/dev/null 2>&1
node tests/sarif/validate.js "$modules" "$out"/*.sarif

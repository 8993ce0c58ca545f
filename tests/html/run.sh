#!/bin/sh
# HTML reports in headless Chromium.  With PICTURES=folder the pages are kept as pictures to look at.
cd "$(dirname "$0")" || exit 3
heddle=${HEDDLE:-../../build/heddle}
BUILD=${BUILD:-../../build}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT

playwright=$BUILD/npm/node_modules/playwright-core
if [ ! -d "$playwright" ]; then
        mkdir -p "$BUILD/npm"
        npm install --prefix "$BUILD/npm" --no-audit --no-fund --no-save playwright-core >"$out/npm.log" 2>&1 ||
                { echo "FAIL html/playwright: npm install playwright-core: $(tail -n 1 "$out/npm.log")"; exit 1; }
fi

"$heddle" check ../../examples/lost_update.c --html "$out/lost_update.html" >/dev/null 2>&1
"$heddle" check ../../examples/philosophers.c --html "$out/philosophers.html" >/dev/null 2>&1
"$heddle" check --memory tso ../../examples/flags.c --html "$out/flags.html" >/dev/null 2>&1
"$heddle" check long.c --preempt sync --html "$out/long.html" >/dev/null 2>&1
"$heddle" check ../../examples/spsc_ring.c --html "$out/safe.html" >/dev/null 2>&1
node check.js "$playwright" "$out" "${PICTURES:-}"

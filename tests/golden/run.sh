#!/bin/sh
# The same failures in all formats, compared with what is stored here.  `run.sh --update` stores what comes out now:
# look at the difference before it is committed.
#
# Times, paths, addresses (digit by digit, so that tables keep their shape), and what depends on the build of the program or
# on the speed of the machine is not compared.
cd "$(dirname "$0")" || exit 3
root=$(cd ../.. && pwd)
HEDDLE=${HEDDLE:-$root/build/heddle}
case $HEDDLE in /*) ;; *) HEDDLE=$(cd "$(dirname "$HEDDLE")" && pwd)/$(basename "$HEDDLE") ;; esac
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT

normal() {
        sed -E -e "s|$out|OUT|g" -e "s|$root|ROOT|g" \
                -e 's|file:///[^"]*/ROOT|ROOT|g' \
                -e 's/0x[0-9a-f]{12}/0x############/g' \
                -e 's/[0-9]+\.[0-9]+ s, [0-9]+\/s/T s, N\/s/' \
                -e 's/"(seconds|per_second)": ?[0-9.]+/"\1": T/g' \
                -e 's/"seconds_range": \[[^]]*\]/"seconds_range": T/' \
                -e 's/"runs": [0-9]+/"runs": N/' \
                -e 's/time="[0-9.]+"/time="T"/g' \
                -e 's/h1:[0-9a-f]{6}\.[0-9a-f]{4}:/h1:FFFFFF.CCCC:/g' \
                -e 's/"heddleFailure\/v1": "[0-9a-f]*"/"heddleFailure\/v1": "KEY"/' \
                -e 's/^  "modules": .*/  "modules": [],/'
}

compare() { # name of a file here; standard input: what comes out
        normal >"$out/now"
        if [ "$update" ]; then
                cp "$out/now" "$1"
                echo "PASS golden/$1 (stored)"
        elif cmp -s "$out/now" "$1"; then
                echo "PASS golden/$1"
        else
                echo "FAIL golden/$1: differs; if that is meant: tests/golden/run.sh --update"
                diff "$1" "$out/now" | head -n 20 | sed 's/^/    /'
        fi
}

# The environment is on the program's stack: it must always be the same.
check() { # columns locale arguments
        columns=$1 locale=$2
        shift 2
        env -i PATH="$PATH" TMPDIR="${TMPDIR:-/tmp}" COLUMNS="$columns" LC_ALL="$locale" \
                "$HEDDLE" check --minimize 60s --progress never $memory "$@" 2>&1 </dev/null
}

update=
[ "${1:-}" = --update ] && update=1
mkdir -p expected
for source in "$root/examples/philosophers.c" "$root/examples/lost_update.c" use_after_unlock.c "$root/examples/flags.c" \
        "$root/examples/publish.c"; do
        name=expected/$(basename "$source" .c)
        case $name in */flags) memory=--memory=tso ;; */publish) memory=--memory=pso ;; *) memory= ;; esac
        check 80 C.UTF-8 "$source" --json "$out/json" --sarif "$out/sarif" --junit "$out/junit" --html "$out/html" |
                compare "$name.80.txt"
        check 160 C.UTF-8 "$source" | compare "$name.160.txt"
        check 80 C "$source" | compare "$name.ascii.txt"
        compare "$name.json" <"$out/json"
        compare "$name.sarif" <"$out/sarif"
        compare "$name.junit.xml" <"$out/junit"
        # of the page: its data
        sed -n '/<script type="application\/json" id="data">/,/<\/script>/p' "$out/html" | compare "$name.html.json"
done

# The other common failures, as the terminal shows them.
memory=
for kind in 1:lost_wakeup 2:double_free 3:crash 4:leak 5:livelock 6:lock_misuse 7:exit_status 8:race; do
        check 80 C.UTF-8 -DKIND="${kind%%:*}" --fail-on "$([ "$kind" = 8:race ] && echo race || echo failures)" kinds.c |
                compare "expected/${kind#*:}.80.txt"
done

# What the tests of shared and resumed explorations have in common; sourced after programs/lib.sh.

# Several workers: --alone lets them join immediately, and makes them give away work all the time.
MANY="--jobs 3 --alone 0.001ms"

# compile NAME SOURCE FLAG...: leaves the program in $bins/NAME.
compile() {
        name=$1
        source=$2
        shift 2
        "$HEDDLE" cc -g -O0 -pthread -w -I"$root/include" -I"$root/tests/litmus" -I"$root/tests/bugs" "$@" "$root/tests/$source" \
                -o "$bins/$name" 2>"$tmp/err" || fail "build_$name" "does not build"
}

# The last report without what may differ.
figures() {
        grep -v -e '^seconds' -e '^per_second' -e 'minimized\.seconds' -e '^sets\..*\.seconds' -e '^estimate\.seconds' "$tmp/flat" >"$1"
}

# counts FILE: what the last report says about behaviours, in any order.  $any: not how often each was seen.  $races: how many races
# there are, but not their verdicts: that one order is impossible is known to none of several workers.
counts() {
        awk -F "$tab" -v races="${races:-}" '
        $1 ~ /^(outcomes|failures)\./ {
                split($1, part, ".")
                key = part[1] "." part[2]
                name = $1
                sub(/^[a-z]+\.[0-9]+\./, "", name)
                if (name ~ /^(state\.|executions$|kind$|message$|count$|where\.)/)
                        line[key] = line[key] " " name "=" $2
                next
        }
        $1 ~ /^races\.[0-9]+\.verdict/ { n++; next }
        $1 ~ /^(verdict|complete|why_incomplete|reasons\..*|ignored\..*|executions|cut\..*|threads)$/ { print }
        END {
                for (k in line) { type = k; sub(/\..*/, "", type); print type line[k] }
                if (races)
                        print "races " n + 0
        }' "$tmp/flat" | if [ "${any:-}" ]; then sed -E '/^executions/d; s/ (count|executions)=[0-9]+//'; else cat; fi | sort -u >"$1"
}

# same_reports NAME: $tmp/got is $tmp/wanted, and $why is empty.
same_reports() {
        cmp -s "$tmp/wanted" "$tmp/got" || why="$why the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

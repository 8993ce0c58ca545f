#!/bin/sh
# Follows docs/TUTORIAL.md: writes its files, runs its commands, compares what they print.
#
#   ```c NAME       a file
#   ```sh           run, must succeed
#   ```console      "$ command", then what it prints: "..." in a line stands for anything, a line "..." for any lines;
#                   "[exit N]" is its exit status (0)
cd "$(dirname "$0")/../.." || exit 3
heddle=${HEDDLE:-$PWD/build/heddle}
page=$PWD/docs/TUTORIAL.md
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT
mkdir "$out/bin" "$out/work"
ln -s "$heddle" "$out/bin/heddle"
PATH=$out/bin:$PATH
COLUMNS=80
LC_ALL=C.UTF-8
export PATH COLUMNS LC_ALL
cd "$out/work" || exit 3

# Splits the page into numbered blocks: NNN.kind with a first line for the name.
awk -v out="$out" '
        /^```/ && !inside { if ($0 != "```") { inside = 1; n++; kind = substr($1, 4); file = sprintf("%s/%03d.%s", out, n, kind)
                            print (kind == "c" ? $2 : NR) >file; next } }
        /^```$/ && inside { inside = 0; close(file); next }
        inside { print >file }' "$page"

# Does the text match?  Both are read line by line; the pattern is data.
matches() { # pattern-file text-file
        awk -v want="$1" '
                function fits(line, p,    parts, n, i, at) {
                        n = split(p, parts, "[.][.][.]")
                        if (n == 1) return line == p
                        if (substr(line, 1, length(parts[1])) != parts[1]) return 0
                        line = substr(line, length(parts[1]) + 1)
                        for (i = 2; i <= n; i++) {
                                at = index(line, parts[i])
                                if (!at && parts[i] != "") return 0
                                if (parts[i] != "") line = substr(line, at + length(parts[i]))
                                else if (i == n) line = ""
                        }
                        return line == "" || p ~ /[.][.][.]$/
                }
                BEGIN { while ((getline p < want) > 0) pattern[++np] = p; at = 1 }
                {
                        while (at <= np && pattern[at] == "...") { at++; skipping = 1 }
                        if (at <= np && fits($0, pattern[at])) { at++; skipping = 0; next }
                        if (!skipping) { print "line " NR ": " $0 " | wanted: " pattern[at]; bad = 1; exit 1 }
                }
                END {
                        while (at <= np && pattern[at] == "...") at++
                        if (!bad && at <= np) { print "missing: " pattern[at]; exit 1 }
                }' "$2"
}

for block in "$out"/[0-9][0-9][0-9].*; do
        name=tutorial/line_$(head -n 1 "$block")
        case $block in
        *.c) tail -n +2 "$block" >"$(head -n 1 "$block")" ;;
        *.sh)
                if tail -n +2 "$block" | sh -e; then echo "PASS $name"; else echo "FAIL $name: the commands failed"; fi
                ;;
        *.console)
                command=$(sed -n '2s/^\$ //p' "$block")
                want=$(sed -n 's/^\[exit \([0-9]*\)\]$/\1/p' "$block")
                tail -n +3 "$block" | sed '/^\[exit [0-9]*\]$/d' >"$out/want"
                sh -c "$command" >"$out/got" 2>&1
                status=$?
                if [ $status != "${want:-0}" ]; then
                        echo "FAIL $name: exit status $status, not ${want:-0}"
                elif why=$(matches "$out/want" "$out/got"); then
                        echo "PASS $name"
                else
                        echo "FAIL $name: $why"
                fi
                ;;
        esac
done

#!/bin/sh
# Looks for the phrases of words.list (beside this script) in everything that users read: string literals of the sources, the
# tables of options and reasons, help, man pages, documents, examples; with --comments also in comments of the sources.  Prints
# file:line: phrase, and what to write instead.
#
# A phrase may run from one line to the next, and from one string literal to the next.
#
# usage: check-words.sh [--comments] [FOLDER]     exit status 1 if there is one, 2 if there is nothing to read
LC_ALL=C
export LC_ALL
comments=
if [ "${1:-}" = --comments ]; then
        comments=1
        shift
fi
list=$(cd "$(dirname "$0")" && pwd)/words.list
cd "${1:-$(dirname "$0")/..}" || exit 2

# The names of operations in op.def are words of the trace file, which keep their spelling.
literals=$(find src \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.def' \) ! -path src/op/op.def 2>/dev/null)
documents=$(find include docs examples -type f \( -name '*.md' -o -name '*.[chS]' -o -name '*.h' -o -name '*.[0-9]' -o -name '*.yml' -o \
        -name '*.cc' -o -name '*.cpp' -o -name 'CMakeLists.txt' \) 2>/dev/null
        ls README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md src/report/page.html src/cli/gdb.py 2>/dev/null)
[ "$literals$documents" ] || { echo "check-words.sh: there is nothing to read in $PWD" >&2; exit 2; }

# shellcheck disable=SC2086 # names without blanks
awk -v list="$list" -v comments="$comments" '
BEGIN {
        FS = "\t"
        while ((getline line <list) > 0) {
                if (line ~ /^(#|$)/)
                        continue
                if (line ~ /^\+/) {
                        fine[++n_fine] = substr(line, 2)
                        continue
                }
                split(line, part, "\t")
                phrase[++n] = part[1]
                instead[n] = part[2]
                any = any (n > 1 ? "|" : "") part[1]
        }
        edge = "[^a-z0-9_]"
}

# A text, with the last words of the line before it: what these have alone was reported there.
function look(text, line,    t, i) {
        t = " " tolower(text) " "
        gsub(/%[-0-9.*]*(ll|l|z)?[a-z]/, "%", t)
        report(clean(before == "" ? t : before substr(t, 2)), clean(before), line)
        before = t
        sub(/ +$/, "", before)
        before = match(before, /( [^ ]+)? [^ ]+ [^ ]+$/) ? substr(before, RSTART) " " : before " "
}

function clean(t,    i) {
        for (i = 1; i <= n_fine; i++)
                gsub(fine[i], "+", t)
        return t
}

function report(t, known, line,    i) {
        if (t !~ edge "(" any ")" edge)
                return
        for (i = 1; i <= n; i++)
                if (match(t, edge "(" phrase[i] ")" edge) && known !~ edge "(" phrase[i] ")" edge) {
                        printf "%s:%d: \"%s\": write \"%s\"\n", FILENAME, line, substr(t, RSTART + 1, RLENGTH - 2), instead[i]
                        found = 1
                }
}

function flush() {
        if (text != "")
                look(text, at)
        text = before = ""
}

# A line of a comment in the sources.
function remark(words) {
        if (!comments)
                return
        if (said == "")
                said_at = FNR
        sub(/^[ \t]*\*?/, "", words)
        said = said " " words
}

function remarked() {
        if (!comments)
                return
        gsub(/[`\t]| +/, " ", said)
        before = ""
        look(said, said_at)
        said = before = ""
}

FNR == 1 { flush_file() }
function flush_file() {
        flush()
        comment = 0
}

# Sources: literals that follow each other are one text.
FILENAME ~ /^src\/.*\.(c|h|cc|def)$/ {
        rest = $0 ~ /_Static_assert/ ? "" : $0
        while (rest != "") {
                if (comment) {
                        if (!(i = index(rest, "*/"))) {
                                remark(rest)
                                next
                        }
                        remark(substr(rest, 1, i - 1))
                        rest = substr(rest, i + 2)
                        comment = 0
                        flush()
                        remarked()
                }
                if (!match(rest, /"([^"\\]|\\.)*"|\/\*|\/\/|\047(\\.|[^\047\\])+\047/)) {
                        if (rest !~ /^[ \t]*$/)
                                flush()
                        next
                }
                between = substr(rest, 1, RSTART - 1)
                token = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
                if (between !~ /^[ \t]*(PRI[a-zA-Z0-9]+)?[ \t]*$/)
                        flush()
                if (token == "/*")
                        comment = 1
                else if (token == "//") {
                        flush()
                        remark(rest)
                        remarked()
                        next
                }
                else if (token ~ /^"/) {
                        if (text == "")
                                at = FNR
                        token = substr(token, 2, length(token) - 2)
                        gsub(/\\n/, " ", token)
                        text = text token
                }
        }
        next
}

# Documents: all of it.  What man pages and tables write around words is taken off.
{
        gsub(/\\f[BIRP]|\\-|^\.[A-Z]+ /, " ")
        gsub(/[`*]/, " ")
        gsub(/  +/, " ")
        look($0, FNR)
}
END { flush(); exit found }' $literals $documents

#!/bin/sh
# Every document points to what is there: relative links of Markdown files and their anchors, and paths in backticks that begin
# with a folder of the tree (X and NAME are placeholders).  Prints file:line: what is missing.
#
# usage: check-links.sh [FOLDER]     exit status 1 if something is missing, 2 if there is no document
cd "${1:-$(dirname "$0")/..}" || exit 2
pages=$(find docs examples tests -name '*.md' 2>/dev/null; ls ./*.md 2>/dev/null)
[ "$pages" ] || { echo "check-links.sh: there is no document in $PWD" >&2; exit 2; }

# file:line TAB l or p TAB target: the links and the paths of all pages, but for code blocks.
# shellcheck disable=SC2086 # names without blanks
targets=$(awk '
FNR == 1 { code = 0 }
/^```/ { code = !code }
code { next }
{
        rest = $0
        while (match(rest, /\]\([^)]*\)/)) {
                print FILENAME ":" FNR "\tl\t" substr(rest, RSTART + 2, RLENGTH - 3)
                rest = substr(rest, RSTART + RLENGTH)
        }
        rest = $0
        while (match(rest, /`(src|docs|tests|scripts|include|examples|packaging|cmake)\/[A-Za-z0-9_.\/+-]+`/)) {
                print FILENAME ":" FNR "\tp\t" substr(rest, RSTART + 1, RLENGTH - 2)
                rest = substr(rest, RSTART + RLENGTH)
        }
}' $pages)

# The anchors of a page, as code hosts make them of its headings.
anchors() { # page
        sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

missing=$(echo "$targets" | while IFS='	' read -r at kind target; do
        case $kind:$target in
        l:http*://* | l:mailto:*) continue ;;
        l:*)
                page=${at%%:*}
                file=${target%%#*}
                [ "$file" ] && path=$(dirname "$page")/$file || path=$page
                ;;
        *[/]X | *[/]X/* | *[/]NAME | *[/]NAME/*) continue ;;
        *) path=$target file=$target ;;
        esac
        if [ ! -e "$path" ]; then
                echo "$at: there is no $file"
        elif [ "$kind" = l ] && [ "$target" != "$file" ] && ! anchors "$path" | grep -qxF -- "${target#*#}"; then
                echo "$at: $path has no heading #${target#*#}"
        fi
done)
[ -z "$missing" ] || { echo "$missing"; exit 1; }

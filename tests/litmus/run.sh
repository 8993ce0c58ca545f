#!/bin/sh
# Small programs, a directory each: NAME/NAME.c (or .cpp) and NAME/expect.  Arguments name the directories to run.
#
# expect has one "key value" a line; a line that begins with # is a comment.
#     flags, options, args    for the compiler, for heddle, for the program (what stands after --)
#     exit, verdict, kind, executions, failures, cut.assume ...
#                             what the report must say; kind is the first failure's, failures their number
#     outcome                 one line for each outcome of --observe; together exactly those of the report
#     message                 text that the output must contain
#     variant FLAGS           the same once more with these compiler flags added, and the same expectations
#     dfs yes                 also with --strategy dfs: exit, verdict, kind and outcomes must be the same
#     replay no, replay OPTIONS
#                             the failures' schedules are not replayed, or with these options
. "$(dirname "$0")/../programs/lib.sh"

# The values of a key of the expect file under test, one a line.
expected() {
        sed -n "s/^$1 //p" "$expect"
}

# The outcomes of the last report, as the expect file writes them.
outcomes() {
        awk -F "$tab" '
                BEGIN { last = "none" }
                $1 ~ /^outcomes\.[0-9]+\.state\./ {
                        split($1, part, ".")
                        name = substr($1, length("outcomes..state.") + length(part[2]) + 1)
                        if (part[2] != last && line != "")
                                print line
                        line = (part[2] == last ? line "," : "") name "=" $2
                        last = part[2]
                }
                END { if (line != "") print line }' "$tmp/flat"
}

# compare KEY...: appends to $why what the last report has different.
compare() {
        for key in "$@"; do
                value=$(expected "$key")
                [ -n "$value" ] || continue
                case $key in
                exit) differs "exit status" "$value" "$status" ;;
                kind) differs kind "$value" "$(field failures.0.kind)" ;;
                failures) differs "number of failures" "$value" "$(grep -c '^failures\.[0-9]*\.kind' "$tmp/flat")" ;;
                outcome)
                        expected outcome | sort >"$tmp/expected"
                        outcomes | sort >"$tmp/actual"
                        if ! cmp -s "$tmp/expected" "$tmp/actual"; then
                                missing=$(comm -23 "$tmp/expected" "$tmp/actual" | tr '\n' ' ')
                                extra=$(comm -13 "$tmp/expected" "$tmp/actual" | tr '\n' ' ')
                                why="$why${why:+; }outcomes${missing:+ missing: $missing}${extra:+ unexpected: $extra}"
                        fi
                        ;;
                message)
                        grep -qF -- "$value" "$tmp/err" "$tmp/json" ||
                                why="$why${why:+; }the output does not mention $value"
                        ;;
                *) differs "$key" "$value" "$(field "$key")" ;;
                esac
        done
}

# run_one LABEL STRATEGY FLAGS KEY...
run_one() {
        label=$1
        strategy=$2
        flags=$3
        shift 3
        why=
        # shellcheck disable=SC2086
        heddle_check --strategy "$strategy" $options $flags "$source" $args
        compare "$@"
        replay=$(expected replay)
        # shellcheck disable=SC2086
        [ -n "$why" ] || [ "$replay" = no ] || replays $replay $flags "$source" $args
        if [ -z "$why" ]; then
                pass "$label"
        else
                fail "$label" "$why"
        fi
}

all="exit verdict kind executions failures cut.assume outcome message"
[ $# -gt 0 ] || set -- $(cd "$root/tests/litmus" && ls -d ./*/)
for name in "$@"; do
        name=$(basename "$name")
        expect=$root/tests/litmus/$name/expect
        source=$(ls "$root/tests/litmus/$name/$name".c*)
        options=$(expected options)
        args=$(expected args)
        args=${args:+-- $args}
        cc_flags=$(expected flags)
        # shellcheck disable=SC2086
        run_one "$name" dpor "$cc_flags" $all
        expected variant >"$tmp/variants"
        while read -r variant; do
                # shellcheck disable=SC2086
                run_one "$name $variant" dpor "$cc_flags $variant" $all
        done <"$tmp/variants"
        if [ "$(expected dfs)" = yes ]; then
                run_one "$name dfs" dfs "$cc_flags" exit verdict kind outcome message
        fi
done
finish

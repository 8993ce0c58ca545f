#!/bin/sh
# Explorations that are interrupted and resumed, or shared by several processes: the final report is that of one that is neither,
# whenever it was stopped and however many share it, and a checkpoint that does not belong to the exploration is refused.  The rows
# are those of share.tsv, and the cases of cases.sh; arguments name the ones to run.
# Seconds: 35
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/share
. "$here/lib.sh"
. "$here/cases.sh"
table=$here/share.tsv

# steps NAME STEP OPTION... PROGRAM
steps() {
        name=$1
        step=$2
        shift 2
        heddle_check --keep-going "$@"
        wanted=$status
        figures "$tmp/wanted"
        heddle_check --keep-going --save "$tmp/save" --executions "$step" "$@"
        parts=1
        while [ "$(field why_incomplete)" = "the limit of --executions was reached" ] && [ "$parts" -lt 50 ]; do
                parts=$((parts + 1))
                heddle_check --keep-going --save "$tmp/save" --resume "$tmp/save" --executions $((step * parts)) "$@"
        done
        figures "$tmp/got"
        why=
        differs "exit status" "$wanted" "$status"
        [ "$parts" -gt 1 ] || why="$why it was never interrupted"
        same_reports "$name"
}

# killed NAME REPORT OPTION... PROGRAM: each time a little later, until it comes to its end; REPORT is figures or counts.
killed() {
        name=$1
        report=$2
        shift 2
        heddle_check "$@"
        "$report" "$tmp/wanted"
        resume=
        kills=0
        delay=0.02
        while :; do
                # shellcheck disable=SC2086
                "$HEDDLE" check $OPTIONS --save "$tmp/save" --save-every 5ms $resume --json "$tmp/json" "$@" \
                        </dev/null >"$tmp/out" 2>"$tmp/err" &
                pid=$!
                sleep "$delay"
                kill -9 "$pid" 2>/dev/null && kills=$((kills + 1))
                wait "$pid" 2>/dev/null
                status=$?
                [ "$status" = 137 ] && [ "$kills" -lt 40 ] || break
                delay=$(awk -v d="$delay" 'BEGIN { print d * 1.3 }')
                [ -s "$tmp/save" ] && resume="--resume $tmp/save"
        done
        awk -f "$json_awk" <"$tmp/json" >"$tmp/flat" 2>>"$tmp/err" || : >"$tmp/flat"
        "$report" "$tmp/got"
        why=
        same_reports "$name"
}

# shared NAME OPTION... PROGRAM
shared() {
        name=$1
        shift
        heddle_check --keep-going "$@"
        counts "$tmp/wanted"
        # shellcheck disable=SC2086
        heddle_check --keep-going $MANY "$@"
        counts "$tmp/got"
        why=
        [ "$(field executions)" ] || why="there is no report"
        same_reports "$name"
}

# kept NAME STEP OPTION... PROGRAM
kept() {
        name=$1
        step=$2
        shift 2
        heddle_check --keep-going "$@"
        counts "$tmp/wanted"
        parts=1
        # shellcheck disable=SC2086
        heddle_check --keep-going $MANY --save "$tmp/save" --executions "$step" "$@"
        while [ "$(field why_incomplete)" = "the limit of --executions was reached" ] && [ "$parts" -lt 50 ]; do
                parts=$((parts + 1))
                several=
                [ $((parts % 3)) = 0 ] || several=$MANY
                # shellcheck disable=SC2086
                heddle_check --keep-going --save "$tmp/save" $several --resume "$tmp/save" --executions $((step * parts)) "$@"
        done
        counts "$tmp/got"
        why=
        [ "$parts" -gt 2 ] || why="it was never interrupted"
        same_reports "$name"
}

# again NAME TIMES OPTION... PROGRAM: whatever the moment, what belongs to the exploration before the restart does not count after it.
again() {
        name=$1
        times=$2
        shift 2
        while [ "$times" -gt 0 ]; do
                # shellcheck disable=SC2086
                heddle_check $MANY --test-locks --preempt races "$@"
                [ "$status" = 0 ] || break
                times=$((times - 1))
        done
        if [ "$times" = 0 ]; then pass "$name"; else fail "$name" "exit status $status: $(cat "$tmp/err")"; fi
}

# The names of rows and cases.
all() {
        awk -F "$tab" '!/^#/ && $2 != "program" { print $1 }' "$table"
        echo "$cases"
}

if [ "$1" != --row ]; then
        SHARE_BINS=$tmp/bins
        export SHARE_BINS
        mkdir "$SHARE_BINS"
        bins=$SHARE_BINS
        awk -F "$tab" '$2 == "program" { print $1, $4, $5 == "-" ? "" : $5 }' "$table" >"$tmp/programs"
        while read -r name source flags; do
                # shellcheck disable=SC2086
                compile "$name" "$source" $flags
        done <"$tmp/programs"
        [ "$failed" = 0 ] || finish
        # shellcheck disable=SC2046
        [ $# -gt 0 ] || set -- $(all)
        rows "$@"
fi
bins=$SHARE_BINS
case " $(echo $cases) " in
*" $2 "*)
        "case_$2"
        exit 0
        ;;
esac
grep "^$2$tab" "$table" >"$tmp/row" || fail "$2" "no such row"
while IFS=$tab read -r name check amount program options; do
        [ "$options" = - ] && options=
        any=
        case $check in *-any) any=yes ;; esac
        # shellcheck disable=SC2086
        case ${check%-any} in
        steps | kept | again) "${check%-any}" "$name" "$amount" $options "$bins/$program" ;;
        shared) shared "$name" $options "$bins/$program" ;;
        killed) killed "$name" figures $options "$bins/$program" ;;
        killed-counts) killed "$name" counts $options "$bins/$program" ;;
        *) fail "$name" "there is no check $check" ;;
        esac
done <"$tmp/row"
exit 0

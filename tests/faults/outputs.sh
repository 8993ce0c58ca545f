# Reports that cannot be written: one line says so; safe is not said without its report, and a failure stays one.  Sourced
# by run.sh.
build "$root/examples/lost_update.c"
failing=$program
build "$root/examples/philosophers.c" -DTWIST -DN=2
safe=$program

lost() { # name status
        status=$?
        why=
        differs "exit status" "$2" "$status"
        grep -q 'cannot write' "$tmp/err" || why="$why${why:+; }no word about it"
        [ "$(grep -c . "$tmp/err")" = 1 ] || why="$why${why:+; }not one line"
        if [ -z "$why" ]; then pass "outputs $1"; else fail "outputs $1" "$why"; fi
}

"$HEDDLE" check "$safe" >/dev/full 2>"$tmp/err"; lost stdout_full 2
"$HEDDLE" check "$failing" >/dev/full 2>"$tmp/err"; lost stdout_full_failing 1
"$HEDDLE" check "$safe" >&- 2>"$tmp/err"; lost stdout_closed 2
"$HEDDLE" check "$failing" >&- 2>"$tmp/err"; lost stdout_closed_failing 1
"$HEDDLE" check --json - "$safe" >/dev/full 2>"$tmp/err"; lost json_stdout_full 2
"$HEDDLE" check --json /dev/full "$safe" >"$tmp/out" 2>"$tmp/err"; lost json_full 2
"$HEDDLE" check --trace /dev/full "$failing" >"$tmp/out" 2>"$tmp/err"; lost trace_full 1
"$HEDDLE" check --html /dev/full "$safe" >"$tmp/out" 2>"$tmp/err"; lost html_full 2
"$HEDDLE" --help >/dev/full 2>"$tmp/err"; lost help_full 2
{ "$HEDDLE" check "$safe" 2>"$tmp/err" && : ; echo $? >"$tmp/status"; } | true
sh -c "exit $(cat "$tmp/status")"; case $(cat "$tmp/status") in 0) pass "outputs pipe_closed" ;; *) lost pipe_closed 2 ;; esac
"$HEDDLE" check "$safe" <&- >"$tmp/out" 2>&-; status=$?; why=; differs "exit status" 0 "$status"
if [ -z "$why" ]; then pass "outputs all_closed"; else fail "outputs all_closed" "$why"; fi

# A disk that is full: what is compiled does not fit, nor does a trace.
mkdir -p "$tmp/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=16k none "$tmp/small" 2>/dev/null; then
        TMPDIR=$tmp/small "$HEDDLE" check "$root/examples/lost_update.c" >"$tmp/out" 2>"$tmp/err"
        status=$?
        why=
        differs "exit status" 2 "$status"
        if [ -z "$why" ]; then pass "outputs disk_full"; else fail "outputs disk_full" "$why"; fi
        umount "$tmp/small"
fi

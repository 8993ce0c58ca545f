#!/bin/sh
# Inline assembly: the same executions as with the atomics of C11, exact values and flags, and what is not understood.
# Seconds: 18
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/assembly
locks='XCHG TTAS TICKET CAS BIT STACK REFERENCES BROKEN'
plain='XV6 TICKET SB SB_MB MP LOST UPDATES BITS'

# done_with NAME: $why says whether it failed.
done_with() {
        if [ -z "$why" ]; then pass "$1"; else fail "$1" "$why"; fi
}

# same LOCK MEMORY FLAGS: executions and verdict of both forms; the failure of the broken one replays.
same() {
        for form in -UASM -DASM; do
                build "$here/locks.c" "-D$1" "$3" $form || why="the program cannot be built"
                heddle_check --strategy optimal --loops wait --memory "$2" "$program"
                [ $form = -DASM ] || { executions=$(field executions) verdict=$(field verdict); }
        done
        differs verdict "$([ "$1" = BROKEN ] && echo failure || echo safe)" "$verdict"
        differs executions "${executions:-some}" "$(field executions)"
        differs "verdict of assembly" "$verdict" "$(field verdict)"
        differs "what is not covered" "" "$(field not_covered.0)"
        replays --memory "$2" -- "$program"
        why=${why:+$2 $3: $why}
}

lock_row() { # lock
        why=
        for level in -O0 -O2; do
                for memory in sc tso pso; do
                        [ -n "$why" ] || same "$1" $memory $level
                done
        done
        done_with "assembly_$1"
        why= OPTIONS='--compiler gcc'
        same "$1" sc -O2
        OPTIONS='--isolate fork'
        [ -n "$why" ] || same "$1" sc -O0
        OPTIONS=
        done_with "assembly_$1 gcc, fork"
}

# plain_row NAME: plain loads, stores and updates, and what they are in C11.
plain_row() {
        for level in -O0 -O2; do
                for memory in sc tso pso; do
                        why= expect=safe
                        case $1,$memory in
                        LOST,* | SB,?so | BITS,?so) expect=failure ;;
                        esac
                        for form in -UASM -DASM; do
                                build "$here/plain.c" "-D$1" $level $form || why="the program cannot be built"
                                heddle_check --strategy optimal --loops wait --memory $memory "$program"
                                [ $form = -DASM ] || executions=$(field executions)
                                differs verdict $expect "$(field verdict)"
                                differs executions "${executions:-some}" "$(field executions)"
                                differs "data races" "" "$(field races.0.verdict)"
                        done
                        replays --memory $memory -- "$program"
                        done_with "assembly_plain_$1 $level $memory"
                done
        done
        OPTIONS='--compiler gcc' why=
        build "$here/plain.c" "-D$1" -O2 -DASM || why="the program cannot be built"
        heddle_check "$program"
        differs "verdict with gcc" "$([ "$1" = LOST ] && echo failure || echo safe)" "$(field verdict)"
        OPTIONS=
        done_with "assembly_plain_$1 gcc"
}

values_row() {
        for compiler in clang gcc; do
                for level in -O0 -O2; do
                        OPTIONS="--compiler $compiler" why=
                        build "$here/values.c" $level || why="the program cannot be built"
                        heddle_check --strategy optimal "$program"
                        differs "exit status" 0 $status
                        differs executions 3 "$(field executions)"
                        done_with "assembly_values $compiler $level"
                done
        done
}

# odd NAME FLAG OPTIONS STATUS TEXT: the exit status, and a text in the report or on standard error
odd() {
        why=
        build "$here/odd.c" "-D$2" -O2 || why="the program cannot be built"
        # shellcheck disable=SC2086
        heddle_check --strategy optimal $3 "$program"
        differs "exit status" "$4" "$status"
        grep -qF -- "$5" "$tmp/err" "$tmp/json" || why="$why${why:+; }no '$5'"
        done_with "assembly_$1"
}

odd_row() {
        odd negate NEG "" 0 '"not_covered": []'
        odd negate_weak NEG "--memory tso" 0 '"not_covered": []'
        odd unlocked UNLOCKED "--memory pso" 0 '"not_covered": []'
        odd segment SEGMENT "" 0 '"not_covered": []'
        odd narrow NARROW "" 2 'lock add in work() '
        odd scan SCAN "" 4 'heddle does not see scasb in work() '
        odd idle_scan IDLE_SCAN "" 0 '"not_covered": []'
        odd string STRING "" 1 assertion
        odd split SPLIT "" 0 '"not_covered": []'
        odd trap TRAP "" 1 SIGILL
        odd raise RAISE "" 1 SIGTRAP
        odd nowhere NOWHERE "" 1 SIGSEGV
        odd middle MIDDLE "" 4 'lock inc in work()'
        odd middle_weak MIDDLE "--memory tso" 2 '--memory does not see lock inc in work() '
        odd moved MOVED "" 1 SIGSEGV
        differs "line of the crash" 86 "$(field failures.0.where.line)"
        done_with assembly_moved_line
        odd computed COMPUTED "" 0 '"not_covered": []'
        odd loop LOOP "" 0 '"not_covered": []'
        odd red_zone RED_ZONE "" 0 '"not_covered": []'
}

# A program without symbols: which instructions are inline assembly is not known any more.
stripped_row() {
        why=
        build "$here/locks.c" -DXCHG -DASM || why="the program cannot be built"
        strip "$program"
        heddle_check --strategy optimal --executions 20 --depth 400 "$program"
        grep -q 'the inline assembly of .*, which is stripped' "$tmp/json" || why="what is left out is not said"
        heddle_check --strategy optimal --memory tso "$program"
        differs "exit status" 2 "$status"
        done_with assembly_stripped
}

# Blocks are known in whatever way the program is compiled and linked.
builds_row() {
        for compiler in clang gcc; do
                for flags in -pipe -save-temps=obj '-ffunction-sections -Wl,--gc-sections' -gz '-fno-pie -no-pie' -Wl,--strip-debug; do
                        OPTIONS="--compiler $compiler" why= expect=safe
                        # shellcheck disable=SC2086
                        build "$here/plain.c" -DXV6 -DASM -O2 $flags || why="the program cannot be built"
                        heddle_check "$program"
                        differs verdict "$([ "$flags" = -Wl,--strip-debug ] && echo unknown || echo safe)" "$(field verdict)"
                        done_with "assembly_builds $compiler $flags"
                done
        done
        OPTIONS= why=
        "$HEDDLE" cc -c -o "$tmp/wrong.o" "$here/wrong.c" 2>"$tmp/err" && why="nonsense is taken"
        grep -qE 'no such instruction: .nonsense|invalid instruction mnemonic .nonsense' "$tmp/err" || why="the assembler's word is lost"
        done_with assembly_nonsense
}

[ "$1" = --row ] || rows values odd stripped builds $locks $(printf 'plain_%s ' $plain)
case $2 in
plain_*) plain_row "${2#plain_}" ;;
values | odd | stripped | builds) "$2_row" ;;
*) lock_row "$2" ;;
esac
exit 0

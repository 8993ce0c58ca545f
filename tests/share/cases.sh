# Cases that are not rows of share.tsv, each a function case_NAME; sourced by run.sh.
# shellcheck shell=sh
cases='random_resumed probes environment values answers_dpor answers_optimal blocks hints refusals random_programs stopping jobs_refusals ahead'

# Random searches have no end but their number: 100 and then 200 more are the same 300.
case_random_resumed() {
        for strategy in random pct pos; do
                heddle_check --strategy "$strategy" --seed 7 --executions 300 "$bins/lastzero"
                figures "$tmp/wanted"
                rm -f "$tmp/save"
                heddle_check --strategy "$strategy" --seed 7 --executions 100 --save "$tmp/save" "$bins/lastzero"
                heddle_check --strategy "$strategy" --seed 7 --executions 300 --resume "$tmp/save" "$bins/lastzero"
                figures "$tmp/got"
                why=
                same_reports "resume_$strategy"
        done
}

# The probes of deepen, which has none when all failures are wanted.
case_probes() {
        heddle_check --strategy deepen --seed 7 "$bins/lastzero"
        figures "$tmp/wanted"
        why=
        [ "$(field probes)" -gt 0 ] || why="there are no probes"
        heddle_check --strategy deepen --seed 7 --executions 45 --save "$tmp/save" "$bins/lastzero"
        heddle_check --strategy deepen --seed 7 --executions 91 --resume "$tmp/save" --save "$tmp/save" "$bins/lastzero"
        heddle_check --strategy deepen --seed 7 --resume "$tmp/save" "$bins/lastzero"
        figures "$tmp/got"
        same_reports resume_deepen_probes
}

# Another environment moves the stack: the program gets the one that was stored.
case_environment() {
        heddle_check --strategy optimal "$bins/stack"
        figures "$tmp/wanted"
        heddle_check --strategy optimal --executions 1 --save "$tmp/save" "$bins/stack"
        HEDDLE_TEST_NOISE=$(printf '%1000s' x)
        export HEDDLE_TEST_NOISE
        heddle_check --strategy optimal --resume "$tmp/save" "$bins/stack"
        unset HEDDLE_TEST_NOISE
        figures "$tmp/got"
        why=
        same_reports resume_environment
}

# Values are stored only of variables that the program has read.  One that it reads later must have the value of then.
case_values() {
        compile late share/late.c
        HEDDLE_TEST_EARLY=early77 HEDDLE_TEST_LATE=late77 HEDDLE_TEST_NEVER=never77
        export HEDDLE_TEST_EARLY HEDDLE_TEST_LATE HEDDLE_TEST_NEVER
        rm -f "$tmp/save"
        heddle_check --strategy optimal --executions 1 --save "$tmp/save" "$bins/late"
        why=
        grep -aq early77 "$tmp/save" || why="the value that was read is not stored"
        ! grep -aq -e late77 -e never77 "$tmp/save" || why="$why values that were not read are stored"
        HEDDLE_TEST_NEVER=other
        HEDDLE_TEST_EARLY=other
        heddle_check --strategy optimal --resume "$tmp/save" "$bins/late"
        differs "exit status" 0 "$status"
        if [ -z "$why" ]; then pass resume_values; else fail resume_values "$why"; fi
        HEDDLE_TEST_LATE=other
        refused resume_other_value 'reads the variable HEDDLE_TEST_LATE' --strategy optimal --resume "$tmp/save" "$bins/late"
        unset HEDDLE_TEST_EARLY HEDDLE_TEST_LATE HEDDLE_TEST_NEVER
}

# Choice values inside an atomic section touch different memory: the thread that is first there must not sleep beside it by what the
# first value touched.  Which worker splits when is chance, so several times.
answers() { # strategy
        why=
        for _ in 1 2 3 4 5 6 7 8; do
                # shellcheck disable=SC2086
                heddle_check --strategy "$1" $MANY --keep-going --observe r,s,c "$bins/answers"
                differs "exit status" 0 "$status"
                differs outcomes 6 "$(grep -c '^outcomes\.[0-9]*\.executions' "$tmp/flat")"
                [ -z "$why" ] || break
        done
        if [ -z "$why" ]; then pass "answers_in_a_section_$1"; else fail "answers_in_a_section_$1" "$why"; fi
}
case_answers_dpor() { answers dpor; }
case_answers_optimal() { answers optimal; }

# Under --preempt sync it is in doubt what the last operation of a sequence depends on: the coordinator gets all that comes before it.
case_blocks() {
        why=
        for _ in 1 2 3 4 5 6 7 8; do
                # shellcheck disable=SC2086
                heddle_check --strategy optimal --preempt sync $MANY --keep-going "$bins/blocked"
                differs "exit status" 0 "$status"
                differs executions 9 "$(field executions)"
                [ -z "$why" ] || break
        done
        if [ -z "$why" ]; then pass blocks_of_common_nodes; else fail blocks_of_common_nodes "$why"; fi
}

# Busy waits are reported, whichever worker saw them, and after a resumption.
case_hints() {
        waits() { sed -n 's,^busy_waits.[0-9]*.line,,p' "$tmp/flat" | sort; }
        heddle_check --strategy optimal "$bins/spin"
        wanted=$(waits)
        # shellcheck disable=SC2086
        heddle_check --strategy optimal $MANY "$bins/spin"
        several=$(waits)
        heddle_check --strategy optimal --executions 8 --save "$tmp/save" "$bins/spin"
        heddle_check --strategy optimal --resume "$tmp/save" "$bins/spin"
        if [ -n "$wanted" ] && [ "$wanted" = "$several" ] && [ "$wanted" = "$(waits)" ]; then
                pass hints
        else
                fail hints "busy waits are missing: $several"
        fi
}

# refused NAME PATTERN OPTION... PROGRAM
refused() {
        name=$1
        pattern=$2
        shift 2
        timeout -k 5 "$LIMIT" "$HEDDLE" check "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
        status=$?
        why=
        differs "exit status" 2 "$status"
        grep -q -e "$pattern" "$tmp/err" || why="$why no '$pattern'"
        [ "$(wc -l <"$tmp/err")" = 1 ] || why="$why not one line"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}

case_refusals() {
        heddle_check --executions 50 --save "$tmp/save" "$bins/lastzero" 1
        refused resume_other_program 'another program' --resume "$tmp/save" "$bins/indexer" 1
        refused resume_other_arguments 'other arguments' --resume "$tmp/save" "$bins/lastzero" 2
        refused resume_other_options 'other options' --resume "$tmp/save" --depth 500 "$bins/lastzero" 1
        refused resume_other_strategy 'other options' --resume "$tmp/save" --strategy dfs "$bins/lastzero" 1
        refused resume_nothing 'cannot read' --resume "$tmp/nothing" "$bins/lastzero" 1
        refused resume_no_checkpoint 'is not a checkpoint' --resume "$bins/lastzero" "$bins/lastzero" 1
        refused save_over_program 'is not a checkpoint' --save "$bins/indexer" "$bins/lastzero" 1
        refused save_no_folder 'cannot write' --save "$tmp/nothing/save" "$bins/lastzero" 1
        size=$(wc -c <"$tmp/save")
        head -c $((size - 9)) "$tmp/save" >"$tmp/bad"
        refused resume_cut 'is damaged' --resume "$tmp/bad" "$bins/lastzero" 1
        head -c $((size - 9)) "$tmp/save" >"$tmp/bad"
        printf 'heddle!!!' >>"$tmp/bad"
        refused resume_damaged 'is damaged' --resume "$tmp/bad" "$bins/lastzero" 1
        heddle_check --resume "$tmp/save" --executions 60 "$bins/lastzero" 1
        if [ "$(field executions)" = 60 ]; then pass resume_again; else fail resume_again "executions: $(field executions)"; fi
}

# What behaviours there are, without how often each was seen.
behaviours() {
        counts "$tmp/all"
        grep -v -e '^executions' -e '^cut' "$tmp/all" | sed 's/ executions=[0-9]*//; s/ count=[0-9]*//' | sort >"$1"
}

# Random programs, as the oracle has them: shared, stopped and resumed once, and searched with filters.
case_random_programs() {
        tests=$root/tests/oracle
        oracle=$tmp/oracle
        programs=${PROGRAMS:-${HEDDLE_TEST_LONG:+100}}
        programs=${programs:-20}
        if "$tests/build.sh" "$oracle" 2>"$tmp/err" && "$oracle/generate" -l 2000 "${SEED:-77}" "$programs" >"$tmp/random.c" &&
                "$HEDDLE" cc -O0 -g -pthread "$tmp/random.c" -o "$tmp/random" 2>"$tmp/err"; then
                i=0
                why=
                set -- depth-first breadth-first random fewest-preemptions switch-first
                orders=$*
                while [ "$i" -lt "$programs" ] && [ -z "$why" ]; do
                        set -- --keep-going --observe r,x "$tmp/random" "$i"
                        for strategy in optimal dpor dfs; do
                                [ "$strategy" = optimal ] || [ $((i % 4)) = 0 ] || continue
                                heddle_check --strategy "$strategy" "$@"
                                counts "$tmp/wanted"
                                half=$(($(field executions) / 2))
                                # shellcheck disable=SC2086
                                heddle_check --strategy "$strategy" $MANY "$@"
                                counts "$tmp/got"
                                cmp -s "$tmp/wanted" "$tmp/got" || why="$strategy, program $i, shared"
                                behaviours "$tmp/wanted_any"
                                for order in $orders; do
                                        [ "$strategy" = dfs ] || [ "$strategy$order" = optimaldepth-first ] || continue
                                        heddle_check --strategy filters --order "$order" "$@"
                                        behaviours "$tmp/got_any"
                                        cmp -s "$tmp/wanted_any" "$tmp/got_any" || why="$why $order, program $i, filters"
                                done
                                [ "$half" -gt 0 ] || continue
                                rm -f "$tmp/save"
                                heddle_check --strategy "$strategy" --executions "$half" --save "$tmp/save" "$@"
                                heddle_check --strategy "$strategy" --resume "$tmp/save" "$@"
                                counts "$tmp/got"
                                cmp -s "$tmp/wanted" "$tmp/got" || why="$why $strategy, program $i, resumed"
                        done
                        i=$((i + 1))
                done
                if [ -z "$why" ]; then pass "random_programs"; else fail "random_programs" "$why: other counts"; fi
        else
                fail random_programs "cannot be built"
        fi
}

# Stopping: at a limit, at the first failure, by a signal, and when an worker dies.
case_stopping() {
        # shellcheck disable=SC2086
        heddle_check $MANY --executions 3000 "$bins/longer"
        why=
        differs "exit status" 4 "$status"
        differs executions 3000 "$(field executions)"
        if [ -z "$why" ]; then pass jobs_limit; else fail jobs_limit "$why"; fi
        # shellcheck disable=SC2086
        heddle_check $MANY "$bins/failures"
        why=
        differs "exit status" 1 "$status"
        if [ -z "$why" ]; then pass jobs_first_failure; else fail jobs_first_failure "$why"; fi
        for signal in TERM HUP KILL; do
                env --default-signal=HUP "$HEDDLE" check --jobs 3 --json "$tmp/json" "$bins/endless" </dev/null >"$tmp/out" 2>"$tmp/err" &
                pid=$!
                sleep 1
                worker=$(awk '{ print $1 }' "/proc/$pid/task/$pid/children")
                if [ "$signal" = KILL ]; then kill -9 "$worker"; else kill "-$signal" "$pid"; fi
                wait "$pid"
                status=$?
                why=
                case $signal in
                KILL) differs "exit status" 3 "$status" ;;
                *) differs "exit status" 4 "$status" ;;
                esac
                kill -0 "$worker" 2>/dev/null && why="$why a worker is left behind"
                if [ -z "$why" ]; then pass "jobs_$signal"; else fail "jobs_$signal" "$why"; fi
        done
}

case_jobs_refusals() {
        heddle_check --executions 300 --save "$tmp/auto_save" "$bins/longer"
        refused jobs_resume_auto 'leave out --jobs' --jobs 2 --resume "$tmp/auto_save" "$bins/longer"
        refused jobs_icb 'cannot be shared' --jobs 2 --strategy icb "$bins/lastzero" 1
        refused jobs_bound_dfs 'search with --bound cannot be shared' --jobs 2 --strategy dfs --bound 1 "$bins/lastzero" 1
        refused jobs_bound_auto 'search with --bound cannot be shared' --jobs 2 --bound 1 "$bins/lastzero" 1
}

# How many executions were run with the message of another one.
ahead_of() {
        heddle_check --verbose "$@"
        sed -n 's/.* \([0-9]*\) executions were run with the message.*/\1/p' "$tmp/err"
}

# Executions that are run with the message of another one: the report is the same as without (--check-restore has none), also where some
# of them print, or fail.
case_ahead() {
        compile prints share/prints.c
        for name in lastzero prints; do
                heddle_check --strategy optimal --keep-going --check-restore "$bins/$name"
                figures "$tmp/wanted"
                heddle_check --strategy optimal --keep-going --verbose "$bins/$name"
                figures "$tmp/got"
                why=
                [ $name = prints ] || grep -q 'executions were run with the message of another one' "$tmp/err" ||
                        why="each execution has a message of its own"
                same_reports "ahead_$name"
        done
        # Probes between them do not change which these are.
        compile doubles programs/fib.c -DN=4
        why=
        alone=$(ahead_of --strategy optimal "$bins/doubles") beside=$(ahead_of --strategy auto "$bins/doubles")
        [ "${alone:-0}" -gt 100 ] && [ "$alone" = "$beside" ] ||
                why="of optimal ${alone:-0} executions were run so, of auto ${beside:-0}"
        if [ -z "$why" ]; then pass ahead_beside_probes; else fail ahead_beside_probes "$why"; fi
}

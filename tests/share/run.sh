#!/bin/sh
# Explorations that are interrupted and resumed, or shared by several processes: the final report is that of one that
# is neither, whenever it was stopped and however many share it, and a checkpoint that does not belong to the
# exploration is refused.
# Seconds: 35
. "$(dirname "$0")/../programs/lib.sh"

# The last report without what may differ.
figures() {
        grep -v -e '^seconds' -e '^per_second' -e 'minimized\.seconds' -e '^sets\..*\.seconds' -e '^estimate\.seconds' "$tmp/flat" >"$1"
}

# build NAME SOURCE FLAG...: leaves the program in $tmp/NAME.
build() {
        name=$1
        source=$2
        shift 2
        "$HEDDLE" cc -g -O0 -pthread "$@" "$root/tests/$source" -o "$tmp/$name" 2>"$tmp/err" ||
                fail "build_$name" "does not build"
}
build lastzero programs/lastzero.c -DN=6
build indexer programs/indexer.c -DN=12
build philosophers programs/philosophers.c -DN=5
build failures litmus/two_failures/two_failures.c -I"$root/tests/litmus"
build choose litmus/choose_branch/choose_branch.c -I"$root/tests/litmus"
build iriw litmus/iriw/iriw.c -I"$root/tests/litmus"
build ignored litmus/ignored_failures/ignored_failures.c -DASSERTED=2 -DSTATUS=0
build reasons litmus/reasons_all/reasons_all.c

# steps NAME STEP OPTION... PROGRAM: STEP executions at a time, each in a heddle of its own.
steps() {
        name=$1
        step=$2
        shift 2
        heddle_check --keep-going "$@"
        wanted=$status
        figures "$tmp/wanted"
        rm -f "$tmp/save"
        heddle_check --keep-going --save "$tmp/save" --executions "$step" "$@"
        parts=1
        while [ "$(field why_incomplete)" = "the limit of --executions was reached" ] && [ "$parts" -lt 50 ]; do
                parts=$((parts + 1))
                heddle_check --keep-going --save "$tmp/save" --resume "$tmp/save" --executions $((step * parts)) "$@"
        done
        figures "$tmp/got"
        why=
        differs "exit status" "$wanted" "$status"
        cmp -s "$tmp/wanted" "$tmp/got" || why="$why the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        [ "$parts" -gt 1 ] || why="$why it was never interrupted"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
steps resume_dpor 37 --strategy dpor "$tmp/lastzero"
steps resume_one_at_a_time 1 --strategy dpor --observe r1,r2,r3,r4 "$tmp/iriw"
steps resume_indexer 5 --strategy dpor "$tmp/indexer"
steps resume_sync 3 --strategy dpor --preempt sync "$tmp/philosophers"
steps resume_failures 2 --strategy dpor "$tmp/failures"
steps resume_ignored 4 --strategy optimal --only leak "$tmp/ignored"
steps resume_reasons 5 --strategy optimal "$tmp/reasons"
steps resume_choices 2 --strategy dpor "$tmp/choose"
steps resume_choices_dfs 2 --strategy dfs "$tmp/choose"
steps resume_dfs 9 --strategy dfs "$tmp/failures"
steps resume_optimal 5 --strategy optimal "$tmp/philosophers"
steps resume_optimal_sync 3 --strategy optimal --preempt sync "$tmp/philosophers"
steps resume_icb 7 --strategy icb "$tmp/failures"
steps resume_bound 50 --strategy dpor --bound 1 "$tmp/philosophers"
steps resume_filters 400 --strategy filters "$tmp/lastzero"
steps resume_filters_failures 2 --strategy filters --order random --seed 3 "$tmp/failures"
steps resume_filters_choices 2 --strategy filters --order breadth-first "$tmp/choose"
steps resume_filters_exact 7 --strategy filters --exact --order switch-first --observe r1,r2,r3,r4 "$tmp/iriw"
steps resume_super_step 3 --strategy filters --filters super-step,depth --order fewest-preemptions "$tmp/failures"
steps resume_super_step_seen 200 --strategy filters --exact --filters seen,super-step --order fewest-preemptions "$tmp/philosophers"
steps resume_filters_dpor 37 --strategy filters --filters dpor --order random "$tmp/lastzero"
steps resume_filters_dpor_one_at_a_time 1 --strategy filters --filters dpor --order breadth-first --observe r1,r2,r3,r4 "$tmp/iriw"
steps resume_filters_dpor_sync 3 --strategy filters --filters dpor --order fewest-preemptions --preempt sync "$tmp/philosophers"
steps resume_filters_dpor_choices 2 --strategy filters --filters dpor,depth --order switch-first "$tmp/choose"
build peterson bugs/locks.c -DPETERSON -I"$root/tests/bugs" -w
build lost bugs/lost_update.c -I"$root/tests/bugs"
steps resume_deepen 13 --strategy deepen "$tmp/lastzero"
steps resume_deepen_races 5 --strategy deepen --test-locks "$tmp/peterson"
steps resume_deepen_failing 3 --strategy deepen "$tmp/lost"
steps resume_maximal 3 --strategy deepen --maximal --test-locks "$tmp/peterson"
steps resume_fork 40 --strategy dpor --isolate fork "$tmp/lastzero"
# Store buffers: their names (pso) are a part of what is stored, and so is that a switch to one is no preemption.
build weak memory/litmus/figure_3_9.c -DN=2 -DGO_ON
build weak_sb memory/litmus/sb.c
steps resume_tso 9 --memory tso --strategy optimal --observe wrong "$tmp/weak"
steps resume_pso 150 --memory pso --strategy dpor --observe wrong "$tmp/weak"
steps resume_tso_sync 1 --memory tso --preempt sync --strategy optimal --observe wrong "$tmp/weak"
steps resume_tso_bound 7 --memory tso --strategy dfs --bound 1 --observe r1,r2 "$tmp/weak_sb"
steps resume_tso_icb 7 --memory tso --strategy icb --bound 1 --observe r1,r2 "$tmp/weak_sb"
steps resume_tso_dfs 13 --memory tso --strategy dfs --observe r1,r2 "$tmp/weak_sb"

# Random searches have no end but their number: 100 and then 200 more are the same 300.
for strategy in random pct pos; do
        heddle_check --strategy "$strategy" --seed 7 --executions 300 "$tmp/lastzero"
        figures "$tmp/wanted"
        rm -f "$tmp/save"
        heddle_check --strategy "$strategy" --seed 7 --executions 100 --save "$tmp/save" "$tmp/lastzero"
        heddle_check --strategy "$strategy" --seed 7 --executions 300 --resume "$tmp/save" "$tmp/lastzero"
        figures "$tmp/got"
        if cmp -s "$tmp/wanted" "$tmp/got"; then
                pass "resume_$strategy"
        else
                fail "resume_$strategy" "the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        fi
done

# The probes of deepen, which has none when all failures are wanted.
heddle_check --strategy deepen --seed 7 "$tmp/lastzero"
figures "$tmp/wanted"
probes=$(field probes)
rm -f "$tmp/save"
heddle_check --strategy deepen --seed 7 --executions 45 --save "$tmp/save" "$tmp/lastzero"
heddle_check --strategy deepen --seed 7 --executions 91 --resume "$tmp/save" --save "$tmp/save" "$tmp/lastzero"
heddle_check --strategy deepen --seed 7 --resume "$tmp/save" "$tmp/lastzero"
figures "$tmp/got"
if [ "$probes" -gt 0 ] && cmp -s "$tmp/wanted" "$tmp/got"; then
        pass resume_deepen_probes
else
        fail resume_deepen_probes "$probes probes; the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
fi

# Another environment moves the stack: the program gets the one that was stored.
build stack litmus/handed_over_stack/handed_over_stack.c -I"$root/tests/litmus"
heddle_check --strategy optimal "$tmp/stack"
figures "$tmp/wanted"
rm -f "$tmp/save"
heddle_check --strategy optimal --executions 1 --save "$tmp/save" "$tmp/stack"
HEDDLE_TEST_NOISE=$(printf '%1000s' x)
export HEDDLE_TEST_NOISE
heddle_check --strategy optimal --resume "$tmp/save" "$tmp/stack"
unset HEDDLE_TEST_NOISE
figures "$tmp/got"
if cmp -s "$tmp/wanted" "$tmp/got"; then
        pass resume_environment
else
        fail resume_environment "the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
fi

# killed NAME OPTION... PROGRAM: killed again and again, each time a little later, until it comes to its end.
killed() {
        name=$1
        shift
        heddle_check "$@"
        figures "$tmp/wanted"
        rm -f "$tmp/save"
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
        figures "$tmp/got"
        why=
        cmp -s "$tmp/wanted" "$tmp/got" || why="the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
build longer programs/lastzero.c -DN=10
killed kill_9 --strategy dpor "$tmp/longer"
killed kill_9_optimal --strategy optimal "$tmp/longer"
killed kill_9_filters --strategy filters --order random --filters seen,super-step --exact "$tmp/lastzero"
killed kill_9_filters_dpor --strategy filters --filters dpor --order random "$tmp/longer"
build long programs/lastzero.c -DN=8
killed kill_9_icb --strategy icb --bound 2 "$tmp/lastzero"

# Answers inside an atomic section touch different memory: whoever goes first there must not sleep beside it by what the first
# answer touched.  Which explorer splits when is chance, so several times.
cat >"$tmp/answers.c" <<'END'
#include <heddle/heddle.h>
#include <pthread.h>

int x, y, q, r, s, c;

static void *one(void *arg)
{
        heddle_atomic_begin();
        c = heddle_choose(3);
        *(c == 1 ? &x : c == 2 ? &y : &q) = 1;
        heddle_atomic_end();
        return arg;
}

static void *two(void *arg)
{
        r = x;
        return arg;
}

static void *three(void *arg)
{
        s = y + q;
        return arg;
}

int main(void)
{
        static void *(*const all[])(void *) = {one, two, three};
        pthread_t t[3];
        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], 0, all[i], 0);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], 0);
}
END
"$HEDDLE" cc -g -O0 -pthread -I"$root/include" "$tmp/answers.c" -o "$tmp/answers" 2>"$tmp/err" || fail build_answers "does not build"
for strategy in dpor optimal; do
        why=
        for _ in 1 2 3 4 5 6 7 8; do
                heddle_check --strategy "$strategy" --jobs 3 --alone 0.001ms --keep-going --observe r,s,c "$tmp/answers"
                differs "exit status" 0 "$status"
                differs outcomes 6 "$(grep -c '^outcomes\.[0-9]*\.executions' "$tmp/flat")"
                [ -z "$why" ] || break
        done
        if [ -z "$why" ]; then pass "answers_in_a_section_$strategy"; else fail "answers_in_a_section_$strategy" "$why"; fi
done

# Under --preempt sync it is in doubt what the last operation of a sequence depends on: the coordinator is told all that comes
# before it.
cat >"$tmp/blocked.c" <<'END'
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *writes(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *reads(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *both(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        return writes(arg);
}

int main(void)
{
        static void *(*const all[])(void *) = {writes, reads, both};
        pthread_t t[3];
        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], 0, all[i], 0);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], 0);
}
END
"$HEDDLE" cc -g -O0 -pthread "$tmp/blocked.c" -o "$tmp/blocked" 2>"$tmp/err" || fail build_blocked "does not build"
why=
for _ in 1 2 3 4 5 6 7 8; do
        heddle_check --strategy optimal --preempt sync --jobs 3 --alone 0.001ms --keep-going "$tmp/blocked"
        differs "exit status" 0 "$status"
        differs executions 9 "$(field executions)"
        [ -z "$why" ] || break
done
if [ -z "$why" ]; then pass blocks_of_common_nodes; else fail blocks_of_common_nodes "$why"; fi

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
rm -f "$tmp/save"
heddle_check --executions 50 --save "$tmp/save" "$tmp/lastzero" 1
refused resume_other_program 'another program' --resume "$tmp/save" "$tmp/indexer" 1
refused resume_other_arguments 'other arguments' --resume "$tmp/save" "$tmp/lastzero" 2
refused resume_other_options 'other options' --resume "$tmp/save" --depth 500 "$tmp/lastzero" 1
refused resume_other_strategy 'other options' --resume "$tmp/save" --strategy dfs "$tmp/lastzero" 1
refused resume_nothing 'cannot read' --resume "$tmp/nothing" "$tmp/lastzero" 1
refused resume_no_checkpoint 'is not a checkpoint' --resume "$tmp/lastzero" "$tmp/lastzero" 1
refused save_over_program 'is not a checkpoint' --save "$tmp/indexer" "$tmp/lastzero" 1
refused save_no_folder 'cannot write' --save "$tmp/nothing/save" "$tmp/lastzero" 1
size=$(wc -c <"$tmp/save")
head -c $((size - 9)) "$tmp/save" >"$tmp/bad"
refused resume_cut 'is damaged' --resume "$tmp/bad" "$tmp/lastzero" 1
head -c $((size - 9)) "$tmp/save" >"$tmp/bad"
printf 'heddle!!!' >>"$tmp/bad"
refused resume_damaged 'is damaged' --resume "$tmp/bad" "$tmp/lastzero" 1
heddle_check --resume "$tmp/save" --executions 60 "$tmp/lastzero" 1
if [ "$(field executions)" = 60 ]; then pass resume_again; else fail resume_again "executions: $(field executions)"; fi

# Several explorers: the same executions, failures and outcomes, each as often.  --alone lets the others join at once, and
# makes them give away work all the time.
MANY="--jobs 3 --alone 0.001ms"

# counts FILE: what the last report says about behaviours, in any order.
counts() {
        awk -F "$tab" '
        $1 ~ /^(outcomes|failures)\./ {
                split($1, part, ".")
                key = part[1] "." part[2]
                name = $1
                sub(/^[a-z]+\.[0-9]+\./, "", name)
                if (name ~ /^(state\.|executions$|kind$|message$|count$|where\.)/)
                        line[key] = line[key] " " name "=" $2
                next
        }
        $1 ~ /^(verdict|complete|why_incomplete|reasons\..*|ignored\..*|executions|cut\..*|threads)$/ { print }
        END { for (k in line) { type = k; sub(/\..*/, "", type); print type line[k] } }' "$tmp/flat" |
                if [ "$sums" ]; then cat; else sed -E '/^executions/d; s/ (count|executions)=[0-9]+//'; fi | sort -u >"$1"
}
sums=yes # of executions are the same, too

# shared NAME OPTION... PROGRAM
shared() {
        name=$1
        shift
        heddle_check --keep-going "$@"
        counts "$tmp/wanted"
        # shellcheck disable=SC2086
        heddle_check --keep-going $MANY "$@"
        counts "$tmp/got"
        if [ "$(field executions)" ] && cmp -s "$tmp/wanted" "$tmp/got"; then
                pass "$name"
        else
                fail "$name" "the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        fi
}

# again NAME TIMES OPTION... PROGRAM: the exploration begins again and again while others are at work; whatever the moment, what was
# to be told before is not told after.
build bakery bugs/locks.c -DBAKERY
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
again jobs_again_optimal 30 --strategy optimal "$tmp/bakery"
again jobs_again_dpor 15 --strategy dpor "$tmp/bakery"
again jobs_again_deepen 15 --strategy deepen --maximal "$tmp/bakery"
shared jobs_dpor --strategy dpor "$tmp/lastzero"
shared jobs_auto "$tmp/lastzero"
shared jobs_ignored --only leak "$tmp/ignored"
shared jobs_reasons "$tmp/reasons"
shared jobs_optimal --strategy optimal "$tmp/lastzero"
shared jobs_optimal_locks --strategy optimal "$tmp/philosophers"
shared jobs_optimal_sync --strategy optimal --preempt sync "$tmp/philosophers"
shared jobs_optimal_outcomes --strategy optimal --observe r1,r2,r3,r4 "$tmp/iriw"
shared jobs_optimal_choices --strategy optimal "$tmp/choose"
shared jobs_optimal_failures --strategy optimal "$tmp/failures"
shared jobs_outcomes --strategy dpor --observe r1,r2,r3,r4 "$tmp/iriw"
shared jobs_sync --strategy dpor --preempt sync "$tmp/philosophers"
shared jobs_failures --strategy dpor "$tmp/failures"
shared jobs_failures_dfs --strategy dfs "$tmp/failures"
shared jobs_choices --strategy dpor "$tmp/choose"
shared jobs_choices_dfs --strategy dfs "$tmp/choose"
shared jobs_tso --memory tso --strategy dpor --observe wrong "$tmp/weak"
shared jobs_pso --memory pso --strategy optimal --observe wrong "$tmp/weak"
shared jobs_pso_dfs --memory pso --strategy dfs --observe r1,r2 "$tmp/weak_sb"
shared jobs_fork --strategy dpor --isolate fork "$tmp/lastzero"

# The sets of deepen are explored in another order, so that there are more or fewer executions until the maximal one is done.
sums=
build bakery bugs/locks.c -DBAKERY -I"$root/tests/bugs" -w
build broken bugs/locks.c -DDEKKER -DBROKEN -I"$root/tests/bugs" -w
shared jobs_deepen --strategy deepen "$tmp/lastzero"
shared jobs_deepen_sync --strategy deepen "$tmp/philosophers"
shared jobs_deepen_races --strategy deepen --test-locks "$tmp/bakery"
shared jobs_deepen_failing --strategy deepen --test-locks "$tmp/broken"
shared jobs_deepen_failures --strategy deepen "$tmp/failures"
shared jobs_deepen_outcomes --strategy deepen --observe r1,r2,r3,r4 "$tmp/iriw"
shared jobs_deepen_choices --strategy deepen "$tmp/choose"
sums=yes
shared jobs_maximal --strategy deepen --maximal --test-locks "$tmp/bakery"

# Hints are told, whoever saw what they are about; and after a resumption.
build spin litmus/spin_two_loops/spin_two_loops.c
heddle_check --strategy optimal "$tmp/spin"
wanted=$(sed -n 's,^busy_waits.[0-9]*.line,,p' "$tmp/flat" | sort)
# shellcheck disable=SC2086
heddle_check --strategy optimal $MANY "$tmp/spin"
several=$(sed -n 's,^busy_waits.[0-9]*.line,,p' "$tmp/flat" | sort)
rm -f "$tmp/save"
heddle_check --strategy optimal --executions 8 --save "$tmp/save" "$tmp/spin"
heddle_check --strategy optimal --resume "$tmp/save" "$tmp/spin"
if [ -n "$wanted" ] && [ "$wanted" = "$several" ] && [ "$wanted" = "$(sed -n 's,^busy_waits.[0-9]*.line,,p' "$tmp/flat" | sort)" ]; then
        pass hints
else
        fail hints "busy waits are missing: $several"
fi

# Stored by several explorers, and gone on with by several, or by one alone.  kept NAME STEP OPTION... PROGRAM
kept() {
        name=$1
        step=$2
        shift 2
        heddle_check --keep-going "$@"
        counts "$tmp/wanted"
        rm -f "$tmp/save"
        parts=1
        # shellcheck disable=SC2086
        heddle_check --keep-going $MANY --save "$tmp/save" --executions "$step" "$@"
        while [ "$(field why_incomplete)" = "the limit of --executions was reached" ] && [ "$parts" -lt 50 ]; do
                parts=$((parts + 1))
                set -- --resume "$tmp/save" --executions $((step * parts)) "$@"
                [ $((parts % 3)) = 0 ] || set -- $MANY "$@"
                heddle_check --keep-going --save "$tmp/save" "$@"
                [ $((parts % 3)) = 0 ] || shift 4
                shift 4
        done
        counts "$tmp/got"
        why=
        cmp -s "$tmp/wanted" "$tmp/got" || why="the report differs: $(diff "$tmp/wanted" "$tmp/got" | head -n 4)"
        [ "$parts" -gt 2 ] || why="$why it was never interrupted"
        if [ -z "$why" ]; then pass "$name"; else fail "$name" "$why"; fi
}
kept jobs_save_optimal 20 --strategy optimal "$tmp/lastzero"
kept jobs_save_dpor 11 --strategy dpor --preempt sync "$tmp/philosophers"
kept jobs_save_dfs 3 --strategy dfs "$tmp/failures"
kept jobs_save_choices 2 --strategy optimal "$tmp/choose"
kept jobs_save_outcomes 7 --strategy optimal --observe r1,r2,r3,r4 "$tmp/iriw"
kept jobs_save_tso 6 --memory tso --strategy optimal --observe wrong "$tmp/weak"
kept jobs_save_pso 120 --memory pso --strategy optimal --observe wrong "$tmp/weak"
sums=
kept jobs_save_deepen 60 --strategy deepen --test-locks "$tmp/bakery"
kept jobs_save_deepen_failing 100 --strategy deepen --test-locks "$tmp/broken"
sums=yes
figures() {
        counts "$1"
}
# shellcheck disable=SC2086
killed jobs_kill_9 $MANY --strategy optimal "$tmp/longer"
# shellcheck disable=SC2086
killed jobs_kill_9_dpor $MANY --strategy dpor "$tmp/longer"
build weak_3 memory/litmus/figure_3_9.c -DN=3 -DGO_ON
# shellcheck disable=SC2086
killed jobs_kill_9_tso $MANY --memory tso --strategy optimal --observe wrong "$tmp/weak_3"
killed kill_9_tso_bound --memory tso --strategy dfs --bound 0 --observe wrong "$tmp/weak_3"
killed kill_9_tso_icb --memory tso --strategy icb --bound 0 --observe wrong "$tmp/weak_3"
killed kill_9_pso --memory pso --strategy dpor --observe wrong "$tmp/weak"
sums=
killed kill_9_deepen --strategy deepen "$tmp/long"
# shellcheck disable=SC2086
killed jobs_kill_9_deepen $MANY --strategy deepen "$tmp/long"
sums=yes

# What behaviours there are, without how often each was seen.
behaviours() {
        counts "$tmp/all"
        grep -v -e '^executions' -e '^cut' "$tmp/all" | sed 's/ executions=[0-9]*//; s/ count=[0-9]*//' | sort >"$1"
}

# Random programs, as the oracle has them: shared, stopped and resumed once, and searched with filters.
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

# Stopping: at a limit, at the first failure, by a signal, and when an explorer dies.
# shellcheck disable=SC2086
heddle_check $MANY --executions 3000 "$tmp/longer"
why=
differs "exit status" 4 "$status"
differs executions 3000 "$(field executions)"
if [ -z "$why" ]; then pass jobs_limit; else fail jobs_limit "$why"; fi
# shellcheck disable=SC2086
heddle_check $MANY "$tmp/failures"
why=
differs "exit status" 1 "$status"
if [ -z "$why" ]; then pass jobs_first_failure; else fail jobs_first_failure "$why"; fi
build endless programs/lastzero.c -DN=18 # runs for minutes
for signal in TERM HUP KILL; do
        env --default-signal=HUP "$HEDDLE" check --jobs 3 --json "$tmp/json" "$tmp/endless" </dev/null >"$tmp/out" 2>"$tmp/err" &
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
        kill -0 "$worker" 2>/dev/null && why="$why an explorer is left behind"
        if [ -z "$why" ]; then pass "jobs_$signal"; else fail "jobs_$signal" "$why"; fi
done
heddle_check --executions 300 --save "$tmp/auto_save" "$tmp/longer"
refused jobs_resume_auto 'leave out --jobs' --jobs 2 --resume "$tmp/auto_save" "$tmp/longer"
refused jobs_random 'cannot be shared' --jobs 2 --strategy random "$tmp/lastzero" 1
refused jobs_bound_dfs 'search with --bound cannot be shared' --jobs 2 --strategy dfs --bound 1 "$tmp/lastzero" 1
refused jobs_bound_auto 'search with --bound cannot be shared' --jobs 2 --bound 1 "$tmp/lastzero" 1

finish

#!/bin/sh
# Does the oracle notice a wrong rule?  Breaks one rule of dependency or enabledness at a time, in a copy of the tree,
# and runs the oracle until it finds a difference, for at most 500 programs.  Arguments: tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
SEED=${SEED:-501}
mutants=mutants

compare() { # heddle [option ...]
        heddle=$1
        shift
        "$dir/compare" --reuse --stop --heddle "$heddle" --build-with "$HEDDLE" --generate "$dir/generate" \
                --dir "$dir/programs" --seed "$SEED" --programs 500 "$@"
}

# noticed [TEST [ARG...]]: by the oracle, with programs of a mix (mix:NAME), or by another test, for what the oracle does not
# ask for.
noticed() {
        case ${1:-mix:all} in
        mix:all)
                compare "$tree/build/heddle" >"$log" 2>&1
                first_difference oracle
                ;;
        mix:*)
                compare "$tree/build/heddle" --limit 1500 --mix "${1#mix:}" >"$log" 2>&1
                first_difference oracle
                ;;
        *) noticed_by "$@" ;;
        esac
}

mutations_begin
if [ -z "$check" ]; then # the programs, and the certainty that what is found is found because of the mutation
        rm -rf "$dir/programs"
        mkdir -p "$dir/programs"
        tests/oracle/build.sh "$dir" || exit 3
        for mix in all sections blocks; do
                limit=1500
                [ $mix != all ] || limit=10000
                compare "$tree/build/heddle" --mix $mix --limit $limit >"$dir/0.log" 2>&1 || {
                        echo "FAIL mutate: there are differences without any mutation, see $dir/0.log"
                        exit 1
                }
        done
fi

# Dependency: what conflicts, and what an entry says about its object.
mutation "a read and a write are independent" src/op/op.h \
        '/\[WIRE_MODE_READ\] =/s/IN\(WRITE\) \| //
         /\[WIRE_MODE_WRITE\] =/s/IN\(READ\) \| //'
mutation "two writes are independent" src/op/op.h \
        '/\[WIRE_MODE_WRITE\] =/s/ \| IN\(WRITE\)//'
mutation "a failed compare-and-swap touches nothing" src/rt/memory/atomic.c \
        's/WIRE_MODE_READ, LOW\(old\), atomic_order\(fmo\) \| WIRE_EV_FAILED/WIRE_MODE_NONE, LOW(old), atomic_order(fmo) | WIRE_EV_FAILED/'
mutation "fetch-and-add only reads" src/rt/memory/atomic.c \
        's/update_mode\(old == now\), LOW\(now\)/WIRE_MODE_READ, LOW(now)/'
mutation "a failed try of a lock touches nothing" src/rt/sync/held.h \
        's/WIRE_MODE_READ/WIRE_MODE_NONE/'
mutation "unlock touches nothing" src/rt/sync/mutex.c \
        '/ mutex_unlock\(pthread_mutex_t/,/^}/s/WIRE_MODE_WRITE/WIRE_MODE_NONE/'
mutation "lock only reads" src/rt/sync/mutex.c \
        '/^static int lock\(struct thread/,/^}/s/WIRE_MODE_WRITE/WIRE_MODE_READ/'
mutation "sem_post only reads" src/rt/sync/sem.c \
        '/ sem_post\(sem_t/,/^}/s/WIRE_MODE_WRITE/WIRE_MODE_READ/'
mutation "sem_wait only reads" src/rt/sync/sem.c \
        '/^static int wait_until/,/^}/s/WIRE_MODE_WRITE/WIRE_MODE_READ/'
mutation "a signal touches nothing" src/rt/sync/cond.c \
        '/ pthread_cond_signal\(pthread_cond_t/,/^}/s/WIRE_MODE_WRITE/WIRE_MODE_NONE/'
mutation "a broadcast touches nothing" src/rt/sync/cond.c \
        '/ pthread_cond_broadcast\(pthread_cond_t/,/^}/s/WIRE_MODE_WRITE/WIRE_MODE_NONE/'
mutation "a wait does not touch its mutex" src/rt/sync/cond.c \
        '/op_also.*OP_MUTEX_UNLOCK/s/WIRE_MODE_WRITE/WIRE_MODE_NONE/'
mutation "a free touches nothing" src/rt/memory/access_entry.c \
        's/: op_log\(t, how, WIRE_MODE_WRITE, 0\)/: op_log(t, how, op == OP_FREE ? WIRE_MODE_NONE : WIRE_MODE_WRITE, 0)/'
mutation "the observation at the end touches nothing" src/rt/world/exit.c \
        '/exit_observe\(struct/,/^}/s/WIRE_MODE_READ/WIRE_MODE_NONE/'

# Enabledness, and the answers that are possible.
mutation "a mutex can be locked while it is held" src/op/mutex.h \
        's/return OP_MUTEX_OWNER\(state\) == 0 \|\|$/return true ||/'
mutation "a waiter comes back although the mutex is held" src/op/op.h \
        's/case OP_MUTEX_RELOCK: return OP_OWNER\(state\) == 0/case OP_MUTEX_RELOCK: return true/'
mutation "a waiter comes back without a signal" src/rt/sched/enabled.c \
        's/return \(t->wait.signalled \|\| t->cancel.interrupted\) \&\& op_enabled/return op_enabled/'
mutation "sem_wait needs two posts" src/op/op.h \
        's/case OP_SEM_WAIT: return OP_SEM_VALUE\(state\) > 0/case OP_SEM_WAIT: return OP_SEM_VALUE(state) > 1/'
mutation "a join does not wait" src/rt/sched/enabled.c \
        's/return thread_has_ended\(&threads\[p->peer\]\)/return true/'
mutation "a signal always wakes the first waiter" src/rt/sync/cond.c \
        's/c\.next = waiter_from\(o, c\.waiter\);/c.next = WIRE_NO_CHOICE;/'
mutation "choose leaves out the last value" src/rt/sched/choice.c \
        's/e->next_choice = c \+ 1 < n/e->next_choice = c + 2 < n/'
mutation "dpor ignores the other answers" src/strategy/dpor/dpor.c \
        's/bool more = p->nodes.at\[i\].more;/bool more = false;/'

# Races and clocks.
mutation "operations blocked at the end are not checked" src/strategy/dpor/path.c \
        's/if \(w->state != WIRE_T_BLOCKED/if (true || w->state != WIRE_T_BLOCKED/'
mutation "a blocking operation races with nothing before its release" src/hb/history.c \
        's/return causality_remember\(r->trans, \&c->blockers\);/return true;/'
mutation "a read hides the accesses before it" src/hb/history.c \
        's/if \(r->mode == WIRE_MODE_WRITE \&\& \(r->cut \|\| !op_commuting\(r->op\)\)\)/if (r->mode != WIRE_MODE_NONE)/'
mutation "accesses conflict only at equal first bytes" src/hb/history.c \
        's/!\(r->mask \& mask\)/(r->mask \& -r->mask) != (mask \& -mask)/'
mutation "a wakeup orders nothing" src/hb/causality.c \
        's/!op_has\(e->op, OPF_NAMES_THREAD\)/e->op != OP_CREATE \&\& e->op != OP_JOIN/'
mutation "the actor of the earlier half is added, not of the later" src/strategy/dpor/backtrack_sets.c \
        's/bitset_add\(back, add\)/bitset_add(back, n->actor)/'


# Deadlines, read-write locks, barriers, policies.
mutation "a timeout touches nothing" src/rt/sync/timed.c \
        's/op_log\(t, how, WIRE_MODE_READ, o->state\)/op_log(t, how, WIRE_MODE_NONE, o->state)/'
mutation "a wait that times out does not touch the condition variable" src/rt/sync/cond.c \
        's/timed_pass\(t, op_log\(t, how, WIRE_MODE_WRITE/timed_pass(t, op_log(t, how, WIRE_MODE_NONE/'
mutation "a reader goes on while a writer writes" src/op/rwlock.h \
        '/op_rwlock_may_read/,/^}/s/OP_OWNER\(s\) == 0/true/'
mutation "a writer goes on while readers read" src/op/rwlock.h \
        's/OP_OWNER\(s\) == 0 \&\& OP_RWLOCK_READERS\(s\) == 0/OP_OWNER(s) == 0/'
mutation "a write lock commutes with readers" src/rt/sync/rwlock.c \
        '/^static int lock\(struct thread/,/^}/s/\(uint32_t\)WIRE_MODE_WRITE/(uint32_t)WIRE_MODE_COMMUTE/'
mutation "the serial thread is always the first" src/rt/sync/barrier.c \
        's/next = waiter_from\(o, choice\);/next = 0;/'
mutation "a spurious wakeup need not be explored" src/rt/sync/cond.c \
        's/e->next_choice = c \? WIRE_NO_CHOICE : 1;/e->next_choice = WIRE_NO_CHOICE;/'

# Tokens: writes that commute.
mutation "waits for the last token do not compete" src/hb/commuting.c \
        's/if \(!dependent \&\& op_may\(a, with\)\)/if (!dependent)/'
mutation "what others took since does not count" src/hb/commuting.c \
        's/while \(c->again\.n\) \{/while (c->again.n > 1000) {/'
mutation "every operation on a semaphore hides what came before it" src/hb/commuting.c \
        's/^( *)r->cut = cut;/\1r->cut = op_commuting(r->op);/'

# Sleep sets.
mutation "a sleeping actor is never woken, in the target" src/rt/sched/sleep.c \
        's/if \(t->sleep.asleep \&\& footprint_conflicts\(t, \&done\)\)/if (false \&\& footprint_conflicts(t, \&done))/'
mutation "a sleeping actor is never woken, in the explorer" src/strategy/dpor/path.c \
        's/if \(!meets\(p, \&s, n, buffered_wakes\)\)/if (true)/'
mutation "a sleeping actor is woken by writes only" src/rt/trace/entry.c \
        's/ex.sleep_armed \&\& mode != WIRE_MODE_NONE/ex.sleep_armed \&\& mode == WIRE_MODE_WRITE/'
mutation "sleeping accesses conflict at equal addresses only" src/op/op.h \
        's/return a->obj < b->obj \+ b->size \&\& b->obj < a->obj \+ a->size \&\& op_modes/return a->obj == b->obj \&\& op_modes/'

# Calls.
mutation "a request conflicts with no cancellation point" src/rt/thread/cancel.c \
        's/op_log\(t, how, WIRE_MODE_WRITE, n->cancel.requested\)/op_log(t, how, WIRE_MODE_READ, n->cancel.requested)/'
mutation "a futex wait leaves its queue alone" src/rt/sync/futex.c \
        's/touch_queue\(t, how, q->addr, true\)/touch_queue(t, how, q->addr, false)/'
mutation "reading and writing a pipe changes nothing" src/rt/io/pipe.c \
        's/r < 0 \? WIRE_MODE_READ : WIRE_MODE_WRITE/WIRE_MODE_READ/'

# Wakeup trees.
mutation "any sleeper shows that a reversal has been run" src/strategy/dpor/reversal.c \
        's/^( *)if \(t == NONE \|\| !path_covers\(p, s, t\) \|\| .*$/\1if (false)/'
mutation "a sleeper is believed to conflict with nothing" src/strategy/dpor/reversal.c \
        's/^( *)return r != APART;/\1return r == CONFLICT \&\& by == l->j;/'
mutation "what precedes a step in the reversal does not matter" src/strategy/dpor/reversal.c \
        's/in_v\(o, l, t\) \&\& is_initial\(o, t\)/in_v(o, l, t)/'
mutation "a reversal is not inserted below the first step" src/strategy/dpor/reversal.c \
        's/if \(!s \|\| other\)/if (true)/'
mutation "the later half is left out of a reversal" src/strategy/dpor/reversal.c \
        's/if \(t == NONE \? !l->last/if (t == NONE ? true/'
mutation "a block is the same whatever the other half of a race has written" src/strategy/dpor/same_block.c \
        's/^( *)if \(meet_at\(.*$/\1if (false)/' litmus block_branches
mutation "a preemption point at an operation that others cannot observe is forgotten" src/rt/sched/operation.c \
        's/here \|\| t->turn.point_due/here/' litmus points_private
mutation "a handler comes only where threads may be preempted" src/rt/sched/points.c \
        's/ \&\& !handler_waits\(t, op\)//' litmus signal_in_block
mutation "a signal is not sent between the first operation of a block and the second" src/rt/signal/delivery_look.c \
        's/if \(rt.preempt == WIRE_PREEMPT_SYNC/if (false/' litmus signal_after_post
mutation "signals do not end the first block of a thread" src/rt/signal/delivery_look.c \
        's/return rt.preempt == .*$/return false;/' litmus signal_first_block
mutation "a signal that is forgotten leaves a turn without a transition" src/rt/sched/operation.c \
        's/^( *)delivery_gone\(t\);/\1;/' litmus signal_gone
mutation "a join leaves the step of a signal that came there" src/strategy/dpor/optimal.c \
        's/^( *)skip_instead\(.*$/\1;/' litmus signal_join_instead
mutation "a buffer is as the execution before has left it" src/rt/weak/weak.c 's/thread_is_buffer\(b\) \&\& done/done/' litmus forward_sleeps
mutation "a join is a step wherever it does not wait" src/strategy/dpor/reversal.c \
        's/while \(t != NONE \&\& p->nodes.at\[t\].op == OP_JOIN/while (false/' litmus signal_joins
mutation "a signal that made no difference lets a wait be interrupted" src/rt/signal/delivery.c \
        's/ \&\& m->sent == t->signals.sent\)/)/' litmus signal_merged
mutation "who has a signal ignored may not know that it is on its way" src/rt/io/signal_wait.c \
        's/^( *)effect_touch\(n, \&action, 1\);/\1;/' litmus signal_forgotten
mutation "a signal that is ignored now reaches its thread" src/rt/signal/delivery.c \
        's/if \(m.sig != sig \|\| m.timer/if (true || m.timer/' litmus signal_forgotten
mutation "what a thread no longer blocks has no default action" src/rt/signal/delivery.c \
        's/ends = m.sig;/ends = 0;/' litmus signal_unblocked_ends
mutation "a thread that unblocks signals does not race for those of the process" src/rt/signal/mask_calls.c \
        's/if \(shadow_is_shared.*$/if (false)/' litmus signal_taken_once
mutation "a signal to the process only looks at threads that do not get it" src/rt/io/signal_wait.c \
        's/(SIGNAL_CELL\(i\), 8,) WIRE_MODE_WRITE,/\1 i == to ? WIRE_MODE_WRITE : WIRE_MODE_READ,/' litmus signal_process_late
mutation "a handler that raise starts changes no mask" src/rt/world/signal_state.c \
        's/^( *)mask_handler\(RT_SITE\(\)\);/\1;/' litmus signal_raise_masks
mutation "sigpending can be at any time" src/rt/io/signal_wait.c \
        's/^( *)look_at_pending\(rt_cur, RT_SITE\(\)\);/\1;/' litmus sigpending_sent
mutation "a request to end changes nothing else in its section" src/hb/cancellation.c \
        's/trans >= i;/trans > i;/' litmus cancel_in_section
mutation "siglongjmp may leave handlers" src/rt/signal/delivery.c 's/^( *)rt_note_incomplete\(REASON_SIGNAL_JUMPS, NULL\);$/\1;/' litmus signal_after_post
mutation "the end of a thread is no turn where nothing is known of signals" src/rt/thread/thread.c \
        's/\} else if \(RT_UNLIKELY\(rt.segments\)\) \{/} else if (false) {/' replays signal_stops
mutation "in a replay a deadline passes although others have something left to do" src/rt/sched/enabled.c \
        's/if \(!rt\.stuck \|\| !waits_timed.*$/if (true)/' replays timed_stuck_unseen
mutation "a stale sleeper counts like any other" src/strategy/dpor/optimal.c \
        's/stale = STALE;/stale = 0;/'
mutation "optimal ignores the other answers" src/strategy/dpor/optimal.c \
        's/bool answers = o->path.nodes.at\[i\].more;/bool answers = false;/'

# Atomic sections with choices in them.
mutation "each choice in a section is a transition" src/trace/trace.h \
        's/first\[n\]\.flags . WIRE_EV_FORCED/false/' mix:sections
mutation "an actor sleeps although one of its branches was woken" src/strategy/dpor/path.c \
        's/\.partial \|= p->sleepers\.at\[k\]\.actor == w->actor;/.partial |= false;/' mix:sections
mutation "a branch that sleeps is run again" src/strategy/dpor/path.c \
        's/node->redundant = p->values\.n \&\& path_branch_sleeps\(p, i\);/node->redundant = 0;/' mix:sections
mutation "a branch that sleeps stands for all branches" src/strategy/dpor/path_branch.c \
        's/return !s->partial \|\| \(t != .*$/return true || among(p, s, \&p->nodes.at[t]);/' mix:sections
mutation "what a section did before its last choice wakes nobody" src/strategy/dpor/path_schedule.c \
        's/out->n_last = top->n_parts;/out->n_last = 1;/' mix:sections
mutation "a section sleeps with its last branch alone" src/strategy/dpor/path_schedule.c \
        's/for \(uint32_t k = i; k < n->n_sleep \&\& r > 0; k\+\+\)/for (uint32_t k = i; k <= i \&\& r > 0; k++)/' mix:sections
mutation "a join in a section depends on nothing" src/rt/thread/join.c \
        's/if \(t->section.atomic \&\& rt.live\)/if (false)/' litmus section_join
mutation "a wakeup in a section is not on its condition variable" src/hb/causality.c \
        's/while \(i > 0 \&\& op_object\(e\[i\]\.op\) != OP_OBJ_COND\)/while (i > 0)/' mix:sections

# Operations that several others keep from running together.
mutation "what keeps an operation from running is a part of its reversal" src/strategy/dpor/reversal.c \
        's/bool out = optimal_depends\(o, l->i, t\) \|\| bars\(o, l, t\);/bool out = optimal_depends(o, l->i, t);/' litmus rwlock_between rwlock_blocks rwlock_late_reader rwlock_unlock_twice
mutation "an operation that was blocked comes before all that blocked it" src/hb/causality.c \
        's/^( *)if \(i < each\)$/\1if (false)/' litmus rwlock_between rwlock_blocks rwlock_late_reader rwlock_unlock_twice
mutation "an operation that was blocked comes after others that blocked it" src/hb/causality.c \
        's/^( *)if \(c->direct != CAUSALITY_NONE \? /\1if (false ? /' mix:blocks
mutation "an operation that was blocked does not come after whole sections" src/hb/causality.c \
        's/^( *)if \(!race_after_whole\(/\1if (false \&\& !race_after_whole(/' litmus rwlock_two_holders
mutation "a wrong unlock of a read-write lock counts as one" src/rt/sync/rwlock.c \
        's/wrong +\? \(uint32_t\)WIRE_MODE_READ/false ? (uint32_t)WIRE_MODE_READ/' litmus rwlock_unlock_twice
mutation "what a section does to a semaphore is judged step by step" src/hb/commuting.c \
        's/if \(blocks \&\& r->prev != CAUSALITY_NONE .*$/if (false)/' mix:blocks

# Bounds.
mutation "no conservative points" src/strategy/dpor/bounded.c \
        's/add_point\(b, b->nodes\.at\[i\]\.stretch, actor\);//'
mutation "every switch is a preemption" src/strategy/dpor/bounded.c \
        's/n->previous != CAUSALITY_NONE \&\& n->previous != actor/n->previous != actor/'
mutation "no switch is a preemption" src/strategy/dpor/bounded.c \
        's/n->spent \+ \(n->previous != CAUSALITY_NONE/n->spent + (false/'
mutation "who is blocked is not reversed in bounded search" src/strategy/dpor/bounded.c \
        's/if \(w->state == WIRE_T_BLOCKED/if (false \&\& w->state == WIRE_T_BLOCKED/'

# States and filters.
mutation "a state does not tell what happened before what" src/hb/hb_state.c \
        's/if \(r != e->actor \&\& clock\[r\]\) \{/if (false) {/'
mutation "exact: a state is where one actor is" src/hb/hb_state.c \
        's/number = intern_get\(\&h->states, h->last.at, n\);/number = intern_get(\&h->states, h->last.at, n ? 1 : 0);/'
mutation "a super step may enable others" src/strategy/states/super_step.c 's/if \(enables \|\| /if (/'
mutation "the end of another super step is not checked" src/strategy/states/super_step.c \
        's/concerns\(n, last, false\)/concerns(n, last, true)/'
mutation "a section is foreseen by its beginning alone" src/strategy/states/filters.c \
        's/ \&\& !is_section\(f, next\)//' litmus section_super_step
mutation "a super step goes on against what others did in theirs" src/strategy/states/super_step.c \
        's/ \|\| concerns\(n, next, true\)//'
mutation "a try that failed would fail earlier too" src/strategy/states/filters.c 's/i < n \&\& earlier; i/i < n \&\& false; i/'

mutation "dpor filter: a race asks only for who is below the pick" src/strategy/states/filter_dpor.c \
        's/^( *for \(uint32_t i = )0; i < n \&\& ok; i/\1f->known; i < n \&\& ok; i/'
mutation "dpor filter: nobody sleeps in a branch" src/strategy/states/filter_dpor.c \
        's/dpor_node_asleep\(n, n->given, /dpor_node_asleep(n, 0, /'
mutation "dpor filter: those sleep, too, whose branches come later" src/strategy/states/filter_dpor.c \
        's/^( *)place = i \+ 1 < f->way.n \? .*;/\1place = n->given - 1;/' programs
mutation "dpor filter: who sleeps on arrival is forgotten" src/strategy/states/filter_dpor.c \
        's/i < n->n_slept \&\& r > 0/i < 0 \&\& r > 0/'
mutation "dpor filter: others do not wait for answers" src/strategy/states/filter_dpor.c \
        's/if \(node_at\(f, i\)->branches\[k\]\.n_values\) \{/if (false) {/' programs
mutation "dpor filter: who sleeps is not stored" src/strategy/states/filter_dpor_node.c \
        's/stream_put_array\(out, n->slept, n->n_slept, /stream_put_array(out, n->slept, 0, /' share

# Several explorers.
mutation "those handed out before do not sleep" src/strategy/dpor/path_share.c \
        's/if \(!get_sleepers\(p, n, in, n_sleepers\)\)/if (false)/'
mutation "a sequence for a common node is not reported" src/strategy/dpor/optimal_share.c \
        's/if \(!o->way.n \&\& !to_be_run\(o, .*$/if (true)/'
mutation "what a sequence for a common node begins with is not in doubt" src/strategy/dpor/reversal.c \
        's/l->doubt \? o->need : l->past/l->past/' share
mutation "a race of dpor with a common node is not reported" src/strategy/dpor/backtrack_sets.c 's/if \(i < d->own\)$/if (false)/'
mutation "a reported race adds no branch" src/parallel/jobtree.c \
        's/ok = ok \&\& add_planned\(t, n, actor, list\);/wakeup_tree_drop_list(\&t->plans, list);/'
mutation "the next answer of a branch is not handed out" src/parallel/jobtree.c \
        's/if \(!in->failed \&\& n_next\)/if (false)/'
mutation "branches sleep without their choices, in other explorers" src/parallel/jobtree.c \
        's/stream_put_array\(out, s->values, s->n_values, /stream_put_array(out, s->values, 0, /' mix:sections
mutation "a branch is given away and kept" src/strategy/dpor/optimal_share.c 's/^( *)o->own = k \+ 1;/\1(void)k;/'
mutation "the results of other explorers count once only" src/verdict/result_state.c \
        's/^( *)to->executions \+= from->executions;/\1to->executions = from->executions;/'

# Stored explorations.
mutation "wakeup trees are not stored" src/strategy/dpor/optimal_state.c \
        's/wakeup_tree_put\(\&o->wakeup, o->trees.at\[i\], out\);/wakeup_tree_put_none(out);/'
mutation "what is to be run first is not stored" src/strategy/dpor/backtrack_sets.c \
        's/^( *)stream_get\(in, d->backtrack.at, n \* sizeof \*d->backtrack.at\);/\1in->pos += n * sizeof *d->backtrack.at;\n\1memset(d->backtrack.at, 0, n * sizeof *d->backtrack.at);/'
mutation "the bound under way is not stored" src/strategy/dpor/bounded.c \
        's/b->base.bound = stream_get_u32\(in\);/stream_get_u32(in);/'
mutation "the frontier of filters is not stored" src/strategy/states/frontier.c \
        's/vec_put\(out, \&f->heap, f->heap\.n\);/vec_put(out, \&f->heap, 0);/'
mutation "what was seen is not stored" src/strategy/states/filter_seen.c \
        's/^( *)if \(f->slots\[i\]\)$/\1if (false)/
         s/stream_put_u64\(out, f->n\);/stream_put_u64(out, 0);/'
mutation "the causality of a loaded path is not brought back" src/strategy/dpor/path.c \
        's/r = p->rebuild \&\& p->nodes.n \? rebuild\(p, t\) : 0;/r = 0;/'

# Executions drawn by chance.
mutation "a drawn answer may be one too many" src/rt/sched/tail.c \
        's/\(uint32_t\)\(tail_random\(\) % count\)/(uint32_t)(tail_random() % (count + 1u))/'
mutation "a thread that waits may be drawn" src/rt/sched/tail.c \
        '/^struct thread \*tail_any/,/^}/s/can_run\(\&threads\[i\]\)/(threads[i].state != WIRE_T_DONE)/'

# auto: looks, turns, what is proven.
mutation "two who write prefixes do not notice each other" src/strategy/dpor/path_schedule.c \
        's/if \(out->author != p\)/if (false)/' auto
mutation "probes count as verification" src/strategy/portfolio.c 's/m->base.probing = m->at != VERIFY;/m->base.probing = false;/' auto
mutation "two probes for each execution of verification" src/strategy/portfolio.c \
        's/if \(m->at != VERIFY\)/if (m->at != VERIFY \&\& m->probed % 2)/' auto
mutation "probes until the end of verification" src/strategy/portfolio.c 's/ \|\| m->share >= LATE//' auto
mutation "the object in focus is used by anybody" src/rt/sched/tail.c 's/\(t == chosen \|\| !in_focus\(t\)\)/true/' auto
mutation "each bound after the other" src/strategy/dpor/bounded.c 's/->stride = 2/->stride = 1/' auto
mutation "a bound is proven when it is begun" src/strategy/dpor/bounded.c 's/base->proven = base->bound \+ 1;/base->proven = base->bound + 2;/' auto

# The heap: what is wrong, what is lost, and when that is a failure.
mutation "a block may be freed twice" src/rt/memory/allocate.c 's/if \(\(h \&\& heap_block_freed\(h\)\) \|\| \(!h/if ((!h/' heap
mutation "what was freed may be used" src/rt/memory/memcheck.c 's/if \(!b \|\| !heap_block_live\(b\) \|\|/if (!b ||/' heap
mutation "nobody looks at what the owner does after a free" src/rt/memory/allocate.c '/^static void give_back/,/^}/s/shadow_slow\(.*$/;/' heap
mutation "a call does not look at the end of a block that it has used" src/rt/memory/own.c 's/checked \|= .*$/(void)how;/' heap memcpy_again
mutation "free leaves how many bytes of the last granule are valid" src/rt/memory/shadow.c 's/set_mark\(s, \(mark \& ~\(uint64_t\)RT_KNOWN\) \|/set_mark(s, mark |/' instrument inline
mutation "a call does not look at the end of its second part" src/rt/memory/own.c 's/ \|\| !is_own\(t->fast_mark, op, b, m\)//' instrument inline
mutation "a call on a string does not read its end" src/rt/copy/quick.c 's/used = n < limit \? n \+ 1 : n/used = n/' instrument inline
mutation "a moved read has the place before it" src/instrument/instrument.c 's/^        give_place\(i\);//' instrument inline
mutation "what follows a call counts on from before it" src/instrument/inline.cc 's/known = i\.isTerminator\(\);/known = true;/' instrument inline
mutation "a new block fills its last word" src/rt/memory/shadow.c 's/at \+ 8 <= addr \+ size/at < addr + size/' heap before_in_word
mutation "blocks have no end" src/rt/memory/memcheck.c 's/addr < start \|\| addr \+ size > end\)/addr < start)/' heap
mutation "what ended threads had on their stacks may be used" src/rt/memory/memcheck.c 's/of->state == WIRE_T_DONE/false/' heap
mutation "what a block holds is no pointer" src/rt/memory/leak.c '/^static void flood/,/^}/s/scan\(b \+ 1, .*$/;/' heap
mutation "only the start of a block is pointed to" src/rt/memory/leak.c 's/v > \(uintptr_t\)\(b \+ 1\) \+ b->size\)/v > (uintptr_t)(b + 1))/' heap
mutation "the stack of a thread that waits holds no pointers" src/rt/memory/leak.c 's/^( *)scan_waiting\(\);/\1;/' heap
mutation "the frames below exit hold no pointers" src/rt/memory/leak.c 's/scan\(\(void \*\)t->fiber.exit_sp/0 ? (void)0 : scan((void *)stack_end(i)/' heap
mutation "data that is not a library has no pointers" src/rt/memory/leak.c '/^static void scan_changing/,/^}/s/if \(way == REGION_COPIED\)/if (false)/' heap
mutation "a ring of lost blocks is not reported" src/rt/memory/leak.c 's/heap_each_block\(report_rings, NULL\);/;/' heap
mutation "leaks are searched after _exit" src/rt/memory/leak.c 's/if \(ex\.quick\)/if (false)/' heap
mutation "every leak is a failure" src/verdict/leak_table.c 's/return all \|\|/return true ||/' heap
mutation "what the first execution loses is forgotten" src/engine/judge.c 's/if \(!l \|\| l->held \|\|/if (true ||/' heap
mutation "an execution that loses nothing tells nothing" src/verdict/leak_table.c 's/if \(now < r->leaks\[i\]\.least\)/if (now \&\& now < r->leaks[i].least)/' heap

# Races.
mutation "two atomics race" src/analysis/race.c 's/\(race_is_atomic\(r->kind\) \&\& race_is_atomic\(now->kind\)\)/false/' races
mutation "accesses that are ordered race" src/analysis/race.c 's/clock\[r->actor\] < r->epoch/true/' races
mutation "--no-race hides nothing" src/op/op.h 's/return e->weak \& WIRE_WEAK_QUIET;/return false;/' races
mutation "a free does not race" src/analysis/race.c 's/if \(!race_is_end\(r->kind\) \&\& clock/if (!race_is_end(r->kind) \&\& !race_is_end(now->kind) \&\& clock/' races
mutation "a race in an execution that fails is harmless" src/verdict/race_table.c 's/r->failing \+= failed/r->failing += false/' races

mutation "a thread that was told to end does what it would have done" src/strategy/dpor/reversal.c \
        's/if \(l->last \&\& s->actor == l->actor \&\& s->op != l->op\)/if (false)/' litmus cancel_shared

# Maximal causality.
mutation "a class without unknown steps is not run" src/strategy/mcr/search.c \
        's/if \(!seen_has\(&s->classes, machine_class\(&m/if (false \&\& !seen_has(\&s->classes, machine_class(\&m/' mcr
mutation "states are taken for others, which the solver notices" src/strategy/mcr/search.c \
        's/if \(!left \&\& seen_add\(&s->states, /if (!left \&\& m->path.n < 12 \&\& seen_add(\&s->states, /' mcr account
mutation "races that no value tells apart are not run" src/strategy/mcr/search.c \
        's/if \(races_next\(&s->races, m\)\)/if (races_next(\&s->races, m) \&\& false)/' mcr
mutation "races between accesses that are never adjacent are not run" src/strategy/mcr/search.c \
        's/s->wants_races \&\& m->tries.orders \&\&$/false \&\&/' mcr unordered
mutation "a compare-and-swap that writes is one that reads, to races" src/strategy/mcr/races.c \
        's/NODE_WROTE\)\);/NODE_WROTE) || true);/' mcr compared
mutation "clocks do not follow from whom a lock comes after" src/strategy/mcr/clocked.c \
        's/if \(!last \|\| !\(led/if (true || !(led/' mcr clocks
mutation "clocks of writers do not follow from readers" src/strategy/mcr/clocked.c \
        's/now\[readers_of\(t, n->cell\)\]/0/' mcr clocks
mutation "clocks of readers follow from readers" src/strategy/mcr/clocked.c 's/led \& ORDERS_SHARED/false/' mcr clocks
mutation "delayed stores of new threads are run in one order" src/strategy/mcr/races.c \
        's/if \(plan_stores\(r, m, a\.access,/if (false \&\& plan_stores(r, m, a.access,/' mcr pipes
mutation "delayed stores before the first step are run in one order" src/strategy/mcr/races.c \
        's/\(plan_stores\(r, m, one, two\) \|\| plan_stores\(r, m, two, one\)\)/plan_stores(r, m, one, two)/' mcr spins
mutation "nothing waits for the release of a spinlock" src/strategy/mcr/chains.c \
        's/case NODE_OBJECT: return !\(n->flags \& NODE_BUFFERED\) \&\& /case NODE_OBJECT: return false \&\& /' mcr spins
mutation "a relaxed load acquires" src/strategy/mcr/orders.c \
        's/if \(s->child->led & \(WIRE_EV_SECTION \| WIRE_EV_ACQUIRE\)\)/if (true)/' mcr unordered
mutation "a relaxed store releases" src/strategy/mcr/orders.c \
        's/if \(s->child->led & \(WIRE_EV_SECTION \| WIRE_EV_RELEASE\)\)/if (true)/' mcr unordered
mutation "pointers to the heap at the end do not matter" src/strategy/mcr/search.c \
        's/s->wants_ends && !seen_has/false \&\& !seen_has/' mcr lost_block
mutation "a wait never ends by itself" src/strategy/mcr/wait/waits.c \
        's/if \(may_end\(t, now, n\)\)$/if (false)/' mcr sections
mutation "others may run inside an atomic section" src/strategy/mcr/search.c \
        's/flags & NODE_FORCED;/flags \& NODE_FORCED \&\& false;/' mcr sections
mutation "accesses beside sections are next to them in some state" src/strategy/mcr/understand.c \
        's/if \(e->flags \& WIRE_EV_SECTION\) \/\*/if (false) \/*/' mcr sections
mutation "pairs of accesses around clocks are run without them" src/strategy/mcr/search.c 's/ \&\& !t->orders \&\& / \&\& /' mcr sections
mutation "the order of operations on a pipe does not matter" src/strategy/mcr/ordered.c \
        's/return commutes\(n\) \? 0 : now/return true ? 0 : now/' mcr pipes
mutation "what is read from a stream is memory" src/strategy/mcr/understand.c \
        's/if \(e->weak & WIRE_WEAK_HIDDEN\)$/if (false)/' mcr pipes
mutation "a poll that waits is not woken" src/strategy/mcr/wait/polls.c \
        's/set\(arg, waiters_cell\(t, i\), WAITERS_LEFT\)/set(arg, waiters_cell(t, i), 0)/' mcr pipes
mutation "memory that a call reads after its entry does not matter" src/strategy/mcr/ordered.c \
        's/!first && thread == o->thread/false/' mcr pipes
mutation "the first waiter is next whatever --wakeup says" src/strategy/mcr/wait/waiters.c \
        's/policy\(t, op\) == WIRE_WAKEUP_LIFO \? his < ticket : his > ticket/his > ticket/' mcr ranks
mutation "waiters with a higher priority do not come first" src/strategy/mcr/wait/waiters.c \
        's/\(255u - \(rank\)\) << 20/255u << 20/' mcr ranks
mutation "a deadline of a wait never passes" src/strategy/mcr/machine.c \
        's/case NODE_WAIT: return waits_enabled/case NODE_WAIT: return n->op != OP_COND_TIMEOUT \&\& waits_enabled/' mcr
mutation "no store reaches memory right before a load" src/strategy/mcr/chains.c \
        's/case NODE_READ: return !own && overlap\(n, store\);/case NODE_READ: return false;/' mcr figures
mutation "stores before one in a buffer are not flushed with it" src/strategy/mcr/chains.c \
        's/\(store->buffer == other->buffer \|\| /(/' mcr example
mutation "a load with more flushes before it is never needed" src/strategy/mcr/search.c \
        's/f->was.known && f->was.value == r.value/f->was.known/' mcr figures
mutation "the last stores of two threads come in one order" src/strategy/mcr/chains.c \
        's/if \(c->stores\[i\]->thread != store->thread && overlap/if (false \&\& overlap/' mcr flushed
mutation "one word of an update tells what it writes to both" src/strategy/mcr/learn.c \
        's/k < n \&\& wide_updates\(trace->events\[i\]\.op\)/k < 0 \&\& false/' mcr wide
mutation "joins come first within --depth, too" src/strategy/mcr/search.c 's/ && !m->depth && / \&\& /' litmus limit_depth_joins
mutation "what --depth cuts on one path is beyond it on all" src/strategy/mcr/search.c \
        's/^        else$/        else { if (s->asked == SEARCH_CLASS) seen_add(\&s->classes, machine_class(\&s->machine.tries, s->machine.now.at)); }\n        if (s->asked != SEARCH_STEP)/' litmus limit_depth_asleep
mutation "a join of a thread that may be cancelled needs no turn" src/strategy/mcr/machine.c \
        's/n->kind == NODE_JOIN \&\& !\(n->flags & NODE_CANCELS\)/n->kind == NODE_JOIN/' mcr cancels
mutation "the signal of a cancelled waiter is lost" src/strategy/mcr/wait/cancels.c \
        's/if \(signalled \&\& choice \&\& choice/if (false \&\& choice/' mcr cancels
mutation "a cancelled waiter ends without its mutex" src/strategy/mcr/wait/cancels.c \
        's/return n->op == OP_MUTEX_RELOCK \|\| /return /' mcr cancels
mutation "a wait with a deadline does not end by a request" src/strategy/mcr/wait/cancels.c \
        's/ \|\| n->op == OP_COND_TIMEOUT;/;/' mcr cancels
mutation "what a cancelled thread does otherwise is not asked" src/strategy/mcr/search.c \
        's/bool cut = s->cut \|\| search_may_repeat\(s\)/bool cut = s->cut/' mcr cancels
mutation "others may run between the words of an access" src/strategy/mcr/wide.c \
        's/\.flags \&= \(uint8_t\)~WIRE_EV_SCHED/.flags \&= 0xff/' mcr wide
mutation "the last words of an access are not recorded" src/rt/memory/access_entry.c \
        's/at < end; at \+= 8/at + 8 < end; at += 8/' mcr wide
mutation "a load does not see delayed stores of its thread" src/strategy/mcr/buffers.c \
        's/if \(n->cell == cell\)/if (false)/' mcr

mutation "a reader that asks for the write lock waits for others" src/hb/history.c \
        's/if \(oldest != CAUSALITY_NONE \&\& !enabled_alone/if (false \&\& !enabled_alone/' litmus rwlock_upgrade rwlock_blocked_past

# Executions that are run ahead.
mutation "an execution that is run ahead has no sleep set" src/rt/waypoint/ahead.c 's/rt\.n_sleep = a->n_sleep/rt.n_sleep = 0/' programs

# Waypoints.
mutation "a waypoint leaves the program's data as it is" src/rt/waypoint/pages.c \
        's/^( *rt_copy\(\(void \*\)page, p->copies\[i\],) PAGE/\1 page >> 40 == 0x55 ? 0 : PAGE/' litmus share_prefix_late
mutation "a waypoint leaves the runtime's memory next to shadow memory as it is" src/rt/waypoint/pages.c \
        's/for \(uintptr_t next; lo < hi; lo = next\) \{/for (uintptr_t next; lo < hi \&\& !is_shadow(lo); lo = next) {/' litmus share_prefix_calls
mutation "a waypoint leaves owners of memory as they are" src/rt/waypoint/pages.c 's/if \(m->lo >> 47/if (true || m->lo >> 47/' litmus share_prefix_owner

# Transactions.
mutation "a transaction does not abort at system calls that are not modelled" src/rt/txn/guard.c \
        's/^(#define DISPATCH_ON +)1/\10/' txn oracle
mutation "a transaction does not abort at system calls that no operation shows" src/rt/txn/speculation.c \
        '/^void speculation_kernel/,/^}/s/t->section\.txn/false/' txn calls
mutation "what others do to the rest of a line is found late" src/rt/txn/speculation.c \
        's/if \(t->section\.offered\)/if (false)/' txn shared_line
mutation "refused conflicts never let others continue" src/engine/outcomes.c 's/ !lines_conflict\(/ true || !lines_conflict(/' txn counter
mutation "causes of conflicts may exclude each other" src/engine/conflict.c 's/!reaches\(s, a->before, i\) \&\& //' txn oracle
mutation "a conflict needs no cause" src/engine/outcomes.c 's/possible \? x\.status : WIRE_TXN_STARTED/x.status/' txn oracle
mutation "the flush of an own store hides accesses before it" src/hb/history.c 's/ \&\& a->op != OP_TXN_LINE\)/)/' txn delayed
mutation "what a stale sleeper does is required before the later half" src/strategy/dpor/reversal.c \
        's/if \(all \&\& !after_stale\(o, l, t\)\)/if (all)/' txn oracle
mutation "aborts by conflicts are ordered by their lines" src/op/op.h '/\[WIRE_MODE_LINE_WRITE\] =/s/IN\(COMMUTE\)/\0 | IN(LINE_WRITE)/' txn counter
mutation "readers of a lock never abort transactions" src/op/op.h '/\[WIRE_MODE_COMMUTE\] =/s/ \| IN\(LINE_WRITE\)//; /\[WIRE_MODE_LINE_WRITE\] =/s/ \| IN\(COMMUTE\)//' txn readers
mutation "outcomes of transactions stay known with other preemption points" src/engine/outcomes.c 's/if \(memcmp\(last, \&now, sizeof now\) != 0\)/if (false)/' txn points
mutation "pause and cpuid commit" src/binary/asm_scan.c 's/\(transactions \&\& s->found/(false \&\& s->found/' txn calls
mutation "the end of a transaction is a jump" src/binary/x86_decode.h \
        's/i->mnemonic == ZYDIS_MNEMONIC_XEND \|\| i->mnemonic == ZYDIS_MNEMONIC_XABORT/i->mnemonic == 0/' txn retry
mutation "conflicts with accesses between preemption points are complete" src/engine/loop.c 's/s->run\.lines\.shared/false/' txn inner
mutation "an instruction has a return address" src/rt/loops/live.c 's/at_instruction\(t\) \? 8 : 0/0/' litmus spin_counted_asm
mutation "an abort reads nothing" src/rt/txn/speculation.c \
        's/if \(!t->section.conflict \&\& note_bytes\(/if (note_bytes(obj, end, reads, !loads) \&\& false \&\& note_bytes(/' txn oracle
mutation "a commit does not wait for the store buffer" src/op/op.def '/^OP\(TXN_RUN,/s/DRAINS/NO_DRAIN/' txn oracle
mutation "an abort waits for the store buffer" src/op/op.def '/^OP\(TXN_TRY,/s/NO_DRAIN/DRAINS/' txn oracle

mutations_end

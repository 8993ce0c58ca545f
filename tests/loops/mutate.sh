#!/bin/sh
# Do the random programs with loops, or small ones where those do not, notice a wrong rule?  Breaks one part of it at a time (docs/proofs/loops.md), in a copy of
# the tree, and compares until there is a difference, for at most 2,000 programs.  Arguments: tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=mutants-loops

noticed() { # [option of compare ...], or toggles, or waiter, or a test and a row of it
        case ${1:-} in
        litmus | loops)
                noticed_by "$@"
                return
                ;;
        esac
        if [ "${1:-}" = waiter ]; then # one program, whose rounds make transactions abort
                "$tree/build/heddle" check --strategy optimal -DTWICE tests/txn/programs/waiter.c >/dev/null 2>&1 || return 1
                echo 'a conflict is missing'
                return
        fi
        if [ "${1:-}" = toggles ]; then # one program, whose rounds are seen
                "$tree/build/heddle" check --observe seen --json "$log" tests/litmus/loop_seen/loop_seen.c >/dev/null 2>&1
                [ "$(grep -o '"state"' "$log" | wc -l)" -ne 32 ] && echo 'outcomes are missing'
                return
        fi
        "$dir/compare" --stop --heddle "$tree/build/heddle" --dir "$dir/programs" --seed 7001 --programs 2000 "$@" >"$log" 2>&1 && return 1
        sed -n 's/^FAIL loops: //p' "$log" | head -n 1
}

mutations_begin
[ -n "$check" ] || tests/loops/build.sh "$dir" || exit 3

mutation "the execution ends as soon as a round is wasted" src/rt/loops/cut.c \
        's/c->stopped = true;/c->stopped = true, exec_end(WIRE_END_CUT);/'
mutation "it ends at a write that concerns a stopped round" src/rt/loops/cut.c \
        '/^void cut_others/,/^}/s/!c->touched; k\+\+\)/!c->touched; k++, exec_end(WIRE_END_CUT))/'
mutation "rounds need not be current for a livelock" src/rt/loops/spin.c \
        's/!cut_missed\(\) && !cut_current\(\)/false/'
mutation "one current round is enough for a livelock" src/rt/loops/cut.c \
        '/^bool cut_current/,/^}/{s/return true;/return !cut_n_stopped;/;s/return false;/return true;/;s/!is_current/is_current/}'
mutation "effects of the thread do not matter" src/rt/loops/changes.c \
        '/^bool changes_undone/,/^}/s/return false;/return true;/'
mutation "restored memory that others wait for does not matter" src/rt/loops/cut.c \
        '/^bool cut_shows/,/^}/s/return true;/return false;/'
mutation "restored memory that others have accessed in between does not matter" src/rt/loops/changes.c \
        '/^static bool touched_between/,/^}/s/return true;/return false;/' toggles
mutation "a store of the value that was there is current for ever" src/rt/loops/changes.c \
        '/^bool changes_current/,/^}/s/return false;/return true;/' litmus loop_insists
mutation "what a round has written itself must still be there" src/rt/loops/cut.c \
        's/if \(r->memory \&\& changes_seen\(c, r\)\)/if (0)/' litmus loop_reads_back
mutation "private memory is no part of the state" src/rt/loops/changes.c \
        's/return word_at\(x->addr, x->size\) == x->before;/return true;/'
mutation "all of the stack is dead" src/binary/liveness.c \
        's/if \(!marked\(l->bytes, sp \+ b\) && !marked\(w->escaped, sp \+ b\)\)/if (b \< -sp)/'
mutation "the object of the operation is no part of the state" src/rt/loops/live.c \
        's/hash_mix\(hash_mix\(p->obj, p->size\), p->op\)/p->op/' litmus loop_chain
mutation "all registers are dead" src/binary/liveness.c \
        's/(out->scratch = .* : |\(uint16_t\)\(\()l->regs/\10 * l->regs/' litmus loop_count
mutation "memory whose address escapes may be dead" src/binary/liveness.c \
        's/ && !marked\(w->escaped, sp \+ b\)//' litmus loop_escaped
mutation "a round of several reads waits at the last one" src/rt/loops/cut.c \
        's/if \(v \&\& \(v != .*$/if (v \&\& (/;s/^( +)c->n_changes != v->n_changes \|\| !await_wasted/\1!await_wasted/' litmus loop_several
mutation "a read that waits races with no write" src/rt/loops/await.c \
        's/\*before = i \+ 1;/*before = 0;/' --options --loops=await
mutation "a thread that waits at the end races with nothing" src/strategy/dpor/path.c \
        's/ \&\& path_learn_held\(p, t, hooks, arg\)//' --options --loops=await
mutation "it stops when a value is found, and waits once that is known" src/rt/loops/await.c \
        's/^                exec_end\(WIRE_END_LOOP\);/                up->n_wasted %= WIRE_NEW_WASTED;\n                return false;/' --options --loops=await
mutation "rounds that read private memory wait, too" src/rt/loops/await.c \
        's/t->spin.peeked \|= /t->spin.peeked \&= /' --seed 83002 --first 37 --programs 1 --options --loops=await
mutation "rounds that make transactions abort are wasted, too" src/rt/loops/spare.c \
        '/^void spare_look/,/^}/s/cut_n_stopped \&\&/0 \&\&/' waiter
mutation "a thread stops after one round more than the first such abort" src/rt/loops/spare.c \
        's/if \(aborts_by\(i, r, writes\) <= n\)/if (n || aborts_by(i, r, writes) <= n)/' waiter
mutation "a retry may have begun with a read of another place" src/rt/loops/retry.c \
        's/if \(same \&\& /if (/;s/op == OP_LOAD \&\& is_wanted\(site\)/op == OP_LOAD \&\& site/' litmus loop_retry
mutation "effects do not matter for retries" src/rt/loops/changes.c \
        '/^bool changes_none_seen/,/^}/s/return false;/return true;/' --retries
mutation "retries count for a livelock" src/rt/loops/cut.c \
        's/c->again \|\| //' --retries
mutation "where a read leads may depend on memory of the thread" src/rt/loops/retry.c \
        's/!t->spin\.strayed/true/' --retries
mutation "ways out of states from which not all was run count" src/strategy/states/filters.c \
        's/!note_ways\(f, t, first, k\)/!note_ways(f, t, first, t->n_transitions)/' --seed 52188 --first 38 --programs 1 --options --loops=wait
mutation "hints do not name loads that wait" src/verdict/busy_waits.c \
        's/if \(t->awaits\[i\]\.how\)/if (!t)/' loops hints
mutation "a read that waits is an ordinary one where sections write" src/rt/loops/await.c \
        's/else if \(ex\.n_transitions >= rt\.n_prefix\)/else if (0)/' litmus loop_section
mutation "a write of a part is one that a read of the whole could precede" src/rt/loops/await.c \
        's/e->obj != t->pend\.obj \|\| e->size != t->pend\.size \|\| op_object/op_object/' litmus loop_part
mutation "limits of rounds begin large with --jobs" src/engine/fairness.c \
        's/!config_many\(c\) \&\& next/!config_shared(c) \&\& next/' loops shared
mutation "a branch that waits is handed out as an ordinary one" src/parallel/jobtree.c \
        's/stream_put_u32\(out, b->waits\);/stream_put_u32(out, 0);/' loops shared
mutation "a round whose stores may wait in the buffer is judged" src/rt/loops/changes.c \
        's/if \(t->weak\.undrained \&\& /if (0 \&\& /' litmus loop_delayed
mutation "a load that waits could come before a store of its own thread" src/rt/loops/await.c \
        's/mm_is_weak\(\) \&\& is_own\(t, i\)/false/' loops buffered
mutation "what a flush finds is what its thread sees" src/rt/trace/entry.c \
        's/if \(thread_is_buffer\(t\)\)/if (0)/' --memory tso
mutation "a store from before a load that waits, and flushed since, is an effect" src/rt/loops/changes.c \
        '/^bool changes_none/,/^}/s/!older/older(\&c->changes[i], v->serial) || !older/' loops buffered
mutation "a round reads something" src/rt/loops/cut.c \
        's/\(v->n_reads == c->n_reads \&\& v->n_changes == c->n_changes\)/v->n_reads >= c->n_reads/' litmus loop_locks_tso
mutation "masked bytes are not followed" src/rt/loops/masks.c \
        's/learnt_restart\(masks\[i\] \| LIVE\);/stale = 0;/' litmus loop_result
mutation "all accesses to variables are taken to be announced" src/binary/liveness_module.c \
        's/out->told = ok \&\& is_told\(\&f\);/out->told = ok;(void)is_told;/' litmus loop_result
mutation "values that lead back without a mask are not found once more" src/program/loops.c \
        's/agree\(d, d->n_agreed \+ 1\);/add_wasted(d, hash), d->n_agreed++;/' litmus loop_result_asked
settles_late='s/^                await_settle\(\);.*/                (void)0;/;s/^(        return RT_UNLIKELY\(ex.hint < rt.n_hints\).*)/        if (await_notes \&\& !ex.going_on)\n                await_settle();\n\1/'
mutation "which loads wait is known after rounds are limited" src/rt/sched/sched.c "$settles_late" litmus loop_beats
mutation "which loads wait is known after deadlines pass" src/rt/sched/sched.c "$settles_late" litmus loop_stuck
mutation "nothing is masked" src/rt/loops/masks.c 's/if \(h != v->masked\)/if (h)/' loops counts
mutations_end

/* See failure.h.  A failure stops its thread; with --keep-going the others continue. */
#include "rt/sched/failure.h"

#include "rt/memory/heap.h"
#include "rt/notes.h"
#include "rt/trace/debug.h"
#include "rt/sched/end.h"
#include "rt/sched/path.h"
#include "rt/user/invariants.h"
#include "rt/sched/sched.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/util.h"

void failure_record(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text, int sig,
                    uint64_t addr)
{
        struct wire_failure *f;

        if (ex.n_failures == WIRE_MAX_FAILURES)
                return;
        f = &rt.up->failures[ex.n_failures++];
        f->kind = kind;
        f->actor = watch_subject(t)->id;
        f->signal = (uint32_t)sig;
        f->status = 0;
        f->addr = addr;
        f->site = site;
        f->event = ex.n_events;
        f->n_stack = 0;
        for (uint32_t d = calls_under_way(t); d > 0 && f->n_stack < WIRE_MAX_STACK; d--)
                if (d <= RT_MAX_CALLS)
                        f->stack[f->n_stack++] = t->stack.calls[d - 1].site;
        f->block.n_allocated = f->block.n_freed = 0;
        rt_text(f->text, WIRE_TEXT, text);
}

void rt_record(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text)
{
        failure_record(t, kind, site, text, 0, 0);
}

_Noreturn void failure_stop(struct thread *t)
{
        if (!watch_is(t))
                t->state = WIRE_T_FAILED;
        if (!(rt.flags & WIRE_KEEP_GOING))
                exec_end(WIRE_END_FAILED);
        if (watch_is(t))
                watch_abandon();
        sched_leave(t, WIRE_T_FAILED);
}

void failure_gate(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text)
{
        if (path_on && !watch_is(t) && !path_counts(t, kind, 0, text))
                rt_assume_fail(site);
}

_Noreturn void rt_fail(enum wire_failure_kind kind, uintptr_t site, const char *text)
{
        struct thread *t = rt_cur;

        if (t->section.txn && kind != WIRE_FAIL_TRANSACTION)
                speculation_stop(t, 0); /* what ends a program is a system call */
        failure_gate(t, kind, site, text);
        failure_record(t, kind, site, text, 0, 0);
        debug_failed(t);
        failure_stop(t);
}

_Noreturn void rt_fail_signal(int sig, uintptr_t site, const char *text)
{
        if (rt_cur->section.txn)
                speculation_stop(rt_cur, 0);
        failure_gate(rt_cur, WIRE_FAIL_CRASH, site, text);
        failure_record(rt_cur, WIRE_FAIL_CRASH, site, text, sig, 0);
        failure_stop(rt_cur);
}

_Noreturn void rt_fail_object(enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr,
                              uint32_t object)
{
        struct thread *t = rt_cur;

        failure_gate(t, kind, site, text);
        if (ex.n_failures < WIRE_MAX_FAILURES) {
                failure_record(t, kind, site, text, 0, addr);
                rt.up->failures[ex.n_failures - 1].status = object;
        }
        debug_failed(t);
        failure_stop(t);
}

void rt_record_heap(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr,
                    uint32_t size, uint32_t op, const struct heap_block *b)
{
        struct wire_failure *f = &rt.up->failures[ex.n_failures];

        if (ex.n_failures == WIRE_MAX_FAILURES)
                return;
        failure_record(t, kind, site, text, 0, addr);
        f->signal = op;
        f->status = size;
        if (b)
                rt_describe_block(b, &f->block);
}

_Noreturn void rt_fail_heap(enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr, uint32_t size,
                            uint32_t op, const struct heap_block *b)
{
        failure_gate(rt_cur, kind, site, text);
        rt_record_heap(rt_cur, kind, site, text, addr, size, op, b);
        debug_failed(rt_cur);
        failure_stop(rt_cur);
}

_Noreturn void rt_assume_fail(uintptr_t site)
{
        if (watch_is(rt_cur))
                watch_misuse("assume");
        rt_cur->pend.site = site;
        sched_leave(rt_cur, WIRE_T_ASSUME);
}

_Noreturn void thread_cut(struct thread *t, enum reason why)
{
        rt_note_incomplete(why, NULL);
        sched_leave(t, WIRE_T_BUDGET);
}

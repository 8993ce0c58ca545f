/*
 * Marked functions, and preemption points.
 *
 * A mark holds while a function is on the shadow call stack, so the thread counts, for each kind, how many of its functions
 * there are.  Rules (--within, --without) are numbered in the order of the command line: the last one that matches decides,
 * so all that is needed of a call stack is the set of rules that match it.  What is known of a place of the code is kept in
 * a table, so that a call costs a look there; without marks it costs nothing.
 *
 * Points are a choice of each run: kinds of operations, and places in the code (a hash table, made when they change).
 */
#include "rt/sched/marks.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/sched/section.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"

#define CACHE 1024u

struct known { /* of a place in the code */
        uintptr_t pc;
        uint64_t rules;
        uint32_t kinds; /* a bit for each enum wire_mark_kind */
};

static struct known cache[CACHE];

/* A breakpoint (int3), because the compiler does not announce the call of a function that does nothing. */
static void trap_call(uintptr_t pc)
{
        uintptr_t page = pc & ~(uintptr_t)4095;

        if (rt_site_in_rt(pc) || rt_syscall6(SYS_mprotect, (long)page, 4096, PROT_READ | PROT_WRITE, 0, 0, 0))
                return;
        *(volatile unsigned char *)pc = 0xcc;
        rt_syscall6(SYS_mprotect, (long)page, 4096, PROT_READ | PROT_EXEC, 0, 0, 0);
}

bool mark_is_error(uintptr_t pc)
{
        for (uint32_t i = 0; i < rt.n_marks; i++)
                if (rt.down->marks[i].kind == WIRE_MARK_ERROR && rt.down->marks[i].lo == pc)
                        return true;
        return false;
}

bool mark_is_assume(uintptr_t site)
{
        for (uint32_t i = 0; i < rt.n_marks; i++)
                if (rt.down->marks[i].kind == WIRE_MARK_ASSUME && site > rt.down->marks[i].lo &&
                    site <= rt.down->marks[i].hi)
                        return true;
        return false;
}

void mark_init(void)
{
        rt.n_marks = rt.down->n_marks < WIRE_MAX_MARKS ? rt.down->n_marks : WIRE_MAX_MARKS;
        for (uint32_t i = 0; i < rt.n_marks; i++)
                if (rt.down->marks[i].kind == WIRE_MARK_ERROR)
                        trap_call(rt.down->marks[i].lo);
        mark_thread(&threads[0]);
}

static const struct known *look_up(uintptr_t pc)
{
        struct known *k = &cache[(pc * UINT64_C(0x9e3779b97f4a7c15)) >> 54];

        if (RT_LIKELY(k->pc == pc))
                return k;
        *k = (struct known){.pc = pc};
        for (uint32_t i = 0; i < rt.n_marks; i++) {
                const struct wire_mark *m = &rt.down->marks[i];
                if (pc < m->lo || pc >= m->hi)
                        continue;
                k->kinds |= 1u << m->kind;
                if (m->kind == WIRE_MARK_RULE)
                        k->rules |= UINT64_C(1) << m->rule % WIRE_MAX_RULES;
        }
        return k;
}

/* The last rule that matches decides; where none does, a thread that there is a --within for is not preempted. */
static bool by_rules(const struct thread *t)
{
        uint64_t on = t->marks.rules_on & t->marks.rules_mine;
        bool sealed = false;

        if (on)
                return !rt.down->rules[63 - __builtin_clzll(on)].within;
        for (uint64_t left = t->marks.rules_mine; left; left &= left - 1)
                sealed |= rt.down->rules[__builtin_ctzll(left)].within != 0;
        return sealed;
}

/* To be preempted before the first operation there is to be preempted before it went there. */
static void decide(struct thread *t)
{
        bool sealed = t->marks.lock_depth || by_rules(t);

        t->marks.seal_begins = sealed && (!t->marks.sealed || t->marks.seal_begins);
        t->marks.sealed = sealed;
}

void mark_thread(struct thread *t)
{
        const struct wire_down *d = rt.down;

        for (uint32_t i = 0; i < d->n_rules && i < WIRE_MAX_RULES; i++)
                if (d->rules[i].actor == WIRE_NO_ACTOR || d->rules[i].actor == t->id)
                        t->marks.rules_mine |= UINT64_C(1) << i;
        t->marks.sealed = by_rules(t);
}

static void count(uint32_t *depth, const struct known *k, uint32_t kind, bool enters)
{
        if (!(k->kinds >> kind & 1))
                return;
        if (enters)
                ++*depth;
        else if (*depth)
                --*depth;
}

static void pass(struct thread *t, const struct known *k, bool enters)
{
        count(&t->marks.trust_depth, k, WIRE_MARK_TRUST, enters);
        count(&t->marks.lock_depth, k, WIRE_MARK_LOCK, enters);
        count(&t->marks.quiet_depth, k, WIRE_MARK_NO_RACE, enters);
        for (uint64_t left = k->rules; left; left &= left - 1) {
                uint32_t i = (uint32_t)__builtin_ctzll(left);

                if (enters)
                        t->marks.rule_depth[i]++;
                else if (t->marks.rule_depth[i])
                        t->marks.rule_depth[i]--;
                if (t->marks.rule_depth[i])
                        t->marks.rules_on |= UINT64_C(1) << i;
                else
                        t->marks.rules_on &= ~(UINT64_C(1) << i);
        }
        decide(t);
}

void mark_enter(struct thread *t, uintptr_t pc)
{
        const struct known *k = look_up(pc);

        if (RT_LIKELY(!k->kinds))
                return;
        pass(t, k, true);
        if (k->kinds >> WIRE_MARK_ATOMIC & 1)
                rt_atomic_begin(pc);
}

void mark_leave(struct thread *t, uintptr_t pc)
{
        const struct known *k = look_up(pc);

        if (RT_LIKELY(!k->kinds))
                return;
        if (k->kinds >> WIRE_MARK_ATOMIC & 1)
                rt_atomic_end(pc);
        pass(t, k, false);
}

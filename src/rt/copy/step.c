/*
 * One word of a copy, a comparison or a search: its turn, its entry and the access itself.
 *
 * The whole range is checked before the first word (out of bounds), and each word in its turn: what another thread frees in
 * the middle of a copy is freed for the next word.  Whether a word is shared does not change during a run.
 */
#include "rt/copy/step.h"

#include "rt/memory/access_entry.h"
#include "rt/memory/access_part.h"
#include "rt/memory/bytes.h"
#include "rt/memory/heap.h"
#include "rt/memory/memcheck.h"
#include "rt/memory/own.h"
#include "rt/memory/shadow.h"
#include "rt/memory/unsettled.h"
#include "rt/position.h"
#include "rt/sched/arrival.h"
#include "rt/user/invariants.h"
#include "rt/sched/operation.h"
#include "rt/loops/masks.h"
#include "rt/loops/registers.h"
#include "rt/loops/spin.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"
#include "rt/world/modules.h"

bool step_seen(uintptr_t site)
{
        return rt_on() &&
               (RT_LIKELY(rt_site_in_executable(site)) || (!rt_site_in_libc(site) && !rt_site_in_unwinder(site)));
}

bool step_shared(const void *addr)
{
        const uint64_t *s = shadow_peek((uintptr_t)addr);

        return s && (RT_MARK(*s) & 0xffffu) == RT_SHARED;
}

static bool is_part(const struct access_part *p)
{
        return p->addr && p->size;
}

bool step_shared_range(const void *addr, size_t n)
{
        uintptr_t end = (uintptr_t)addr + n;

        for (uintptr_t a = (uintptr_t)addr; a < end; a = (a | 7) + 1)
                if (step_shared((const void *)a))
                        return true;
        return false;
}

static uint32_t size_of(const struct access_part *p)
{
        return p->size < UINT32_MAX ? (uint32_t)p->size : UINT32_MAX;
}

/* Reading a constant is not an event. */
static bool is_constant(const struct access_part *p)
{
        return p->op == OP_READ && rt_is_constant((uintptr_t)p->addr, p->size);
}

/* Takes ownership of what is private. */
static bool is_shared(struct thread *t, const struct access_part *p)
{
        return !is_constant(p) && !op_ignored(t, p->op, (uintptr_t)p->addr, size_of(p)) &&
               shadow_touch(t, (uintptr_t)p->addr, p->size);
}

/* Is nothing to be done at operations of t on private memory?  None of them is checked in this run, as for fast_mark, and
 * nothing waits for the next operation. */
static bool is_quiet(const struct thread *t)
{
        return t->fast_mark == shadow_mark(t) && position_of(t) < t->turn.patience && !torn_open && !t->unsaid &&
               !mm_is_weak() && !(t->section.ignored | t->marks.trust_depth | rt.down->n_ignored);
}

static void account_quiet(struct thread *t, const struct access_part *p, uintptr_t site)
{
        t->pend.op = (uint8_t)p->op;
        t->pend.obj = (uintptr_t)p->addr;
        t->pend.size = size_of(p);
        t->pend.object = NULL;
        t->pend.site = t->stack.via ? t->stack.via : site;
        memory_check(t, p->op, (uintptr_t)p->addr, p->size, site);
}

/* Where nothing is ignored, one shadow look-up for each granule has been made already. */
static void account(struct thread *t, const struct access_part *p, uintptr_t site)
{
        uintptr_t addr = (uintptr_t)p->addr;
        uint32_t size = size_of(p);
        bool whole = !rt.live || watch_is(t) || op_ignored(t, p->op, addr, size);

        if (is_constant(p))
                return;
        op_arrive_counted(t, p->op, addr, whole ? size : 1, NULL, site);
        masks_access(t, p->op, addr, size);
        memory_check(t, p->op, addr, p->size, site);
        if (p->op == OP_WRITE)
                spin_write(t, addr, size);
        else if (t->spin.solo)
                spin_read(t, addr, size);
}

/* ... of a call with shared words.  What is shared is checked again in its turn. */
static void check(struct thread *t, const struct access_part *p, bool shared, uintptr_t site)
{
        if (!shared)
                memory_check(t, p->op, (uintptr_t)p->addr, p->size, site);
        else if (heap_has((uintptr_t)p->addr))
                memory_check_place(t, p->op, (uintptr_t)p->addr, p->size, site);
}

bool step_begin(const struct access_part *part, unsigned n, uint32_t steps, uintptr_t site)
{
        struct thread *t = rt_cur;
        uint32_t shared = 0;
        bool quiet;

        if (own_parts(t, part, n, site)) {
                t->pend.site = t->stack.via ? t->stack.via : site;
                position_step(t, steps ? steps : 1);
                return false;
        }
        for (unsigned i = 0; i < n && rt.live && !watch_is(t); i++)
                if (is_part(&part[i]) && is_shared(t, &part[i]))
                        shared |= 1u << i;
        if (shared) {
                t->pend.site = t->stack.via ? t->stack.via : site; /* where it is if it crashes */
                for (unsigned i = 0; i < n; i++)
                        if (is_part(&part[i]))
                                check(t, &part[i], shared >> i & 1, site);
                return true;
        }
        position_step(t, 1);
        quiet = is_quiet(t);
        for (unsigned i = 0; i < n; i++)
                if (is_part(&part[i]))
                        (quiet ? account_quiet : account)(t, &part[i], site);
        position_step(t, steps ? steps - 1 : 0);
        return false;
}

typedef uint32_t unaligned_u32 __attribute__((aligned(1), may_alias));

/* The bytes of the read, now that it is its turn. */
static uint32_t extent(const uint8_t *p, uint32_t n, const struct step_end *end)
{
        for (uint32_t i = 0; end && i + end->unit <= n; i += end->unit) {
                uint32_t v = end->unit == 1 ? p[i] : *(const unaligned_u32 *)(p + i);

                if (v == end->stop || (!v && !end->raw))
                        return i + end->unit;
        }
        return n;
}

static bool is_direct(const struct thread *t, uint32_t op, const void *addr, uint32_t n)
{
        return !step_shared(addr) && !op_ignored(t, op, (uintptr_t)addr, n);
}

/* Up to a word. */
static inline void move(void *to, const void *from, uint32_t n)
{
        if (n > STEP_BYTES)
                __builtin_unreachable();
        bytes_copy(to, from, n);
}

uint32_t step_read(void *to, const void *from, uint32_t n, const struct step_end *end, uintptr_t site)
{
        struct thread *t = rt_cur;
        uintptr_t addr = (uintptr_t)from;
        enum arrival how = ARRIVE_PRIVATE;
        uint64_t value = 0;

        position_step(t, 1);
        if (!is_direct(t, OP_READ, from, n))
                how = op_arrive_counted(t, OP_READ, addr, n, NULL, site);
        if (memory_is_there(addr)) {
                n = extent(from, n, end);
                move(&value, from, n);
        }
        spin_inside(t, value);
        if (how != ARRIVE_PRIVATE) {
                t->pend.size = n;
                access_read(t, how, addr, n, value);
                memory_check(t, OP_READ, addr, n, site);
        }
        if (how != ARRIVE_PRIVATE || t->spin.solo)
                spin_read(t, addr, n);
        move(to, &value, n);
        return n;
}

/* By one instruction where there is one: what looks at memory from outside sees whole words. */
static void store(void *to, uint64_t value, uint32_t n)
{
        switch (n) {
        case 8: *(volatile bytes_word *)to = value; return;
        case 4: *(volatile uint32_t __attribute__((may_alias)) *)to = (uint32_t)value; return;
        case 2: *(volatile uint16_t __attribute__((may_alias)) *)to = (uint16_t)value; return;
        case 1: *(volatile uint8_t *)to = (uint8_t)value; return;
        }
        move(to, &value, n);
}

void step_write(void *to, const void *from, uint32_t n, uintptr_t site)
{
        struct thread *t = rt_cur;
        uintptr_t addr = (uintptr_t)to;
        enum arrival how = ARRIVE_PRIVATE;
        uint64_t value = 0;

        move(&value, from, n);
        position_step(t, 1);
        if (!is_direct(t, OP_WRITE, to, n))
                how = op_arrive_counted(t, OP_WRITE, addr, n, NULL, site);
        spin_inside(t, 0);
        if (how == ARRIVE_BUFFERED)
                memory_check_place(t, OP_WRITE, addr, n, site);
        if (how != ARRIVE_PRIVATE)
                access_write(t, how, OP_WRITE, addr, n)->value = value;
        if (how != ARRIVE_PRIVATE && how != ARRIVE_BUFFERED)
                memory_check(t, OP_WRITE, addr, n, site);
        spin_write(t, addr, n);
        store(to, value, n);
}

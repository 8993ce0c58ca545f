/* See torn.h.  Invariant: while torn_open is set, the running thread is the one that made the access, and has made no other
 * operation since. */
#include "rt/memory/torn.h"

#include "rt/arch/x86_64/between.h"
#include "rt/memory/access_entry.h"
#include "rt/memory/bytes.h"
#include "rt/memory/heap.h"
#include "rt/memory/memcheck.h"
#include "rt/memory/shadow.h"
#include "rt/copy/step.h"
#include "rt/memory/unsettled.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/arrival.h"
#include "rt/sched/end.h"
#include "rt/sched/pool.h"
#include "rt/trace/entry.h"
#include "rt/user/invariants.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/registers.h"
#include "rt/loops/spin.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

#define MAX_APART 96u /* bytes of code between the two announcements of a copy */

/* The last write that was announced and is not known to be made. */
static struct {
        const struct thread *t;
        uintptr_t addr, site;
        uint32_t size, pos;
        uint8_t bytes[MAX_TORN];
} wrote;

/* Where the word at `at` ends. */
static uint32_t word_end(uintptr_t addr, uint32_t size, uint32_t at)
{
        uint32_t end = at + 8 - (uint32_t)((addr + at) & 7);

        return end < size ? end : size;
}

/* Others have changed something of what was read: the program, which reads it now, is to find what it was. */
static bool put_in(uintptr_t addr, const uint8_t *got, uint32_t size)
{
        bool same = true;

        for (uint32_t i = 0; i < size; i++)
                same = same && ((const uint8_t *)addr)[i] == got[i];
        if (same)
                return false;
        bytes_copy(torn.bytes, (const void *)addr, size);
        bytes_copy((void *)addr, got, size);
        torn.write = false;
        return true;
}

static bool read_words(struct thread *t, uintptr_t addr, uint32_t size, uintptr_t site)
{
        uint8_t got[MAX_TORN];

        position_step(t, -1); /* each word counts itself */
        for (uint32_t at = 0, end; at < size; at = end) {
                end = word_end(addr, size, at);
                step_read(got + at, (const void *)(addr + at), end - at, NULL, site);
                spin_regs[7] = 0; /* only the first word can be the place of a loop */
        }
        return memory_is_there(addr) && put_in(addr, got, size);
}

static void write_first(struct thread *t, uintptr_t addr, uint32_t size, uintptr_t site)
{
        uint32_t at = 0, end = word_end(addr, size, 0);
        struct wire_event *e;
        enum arrival how;

        torn.pos = position_of(t);
        while (!step_shared((const void *)(addr + at)) && end < size) {
                at = end;
                end = word_end(addr, size, at);
                position_step(t, 1);
        }
        how = op_arrive_counted(t, OP_WRITE, addr + at, end - at, NULL, site);
        e = access_write(t, how, OP_WRITE, addr + at, end - at);
        if (rt.flags & WIRE_DETAIL)
                e->weak |= WIRE_WEAK_UNSAID;
        memory_check(t, OP_WRITE, addr, size, site);
        if (rt.flags & (WIRE_DETAIL | WIRE_VALUES))
                t->unsaid = e;
        spin_write(t, addr, size);
        bytes_copy(torn.bytes, (const void *)addr, size);
        position_set(t, torn.pos + torn_words(addr, size) - 1);
        torn.from = end;
        torn.write = true;
}

bool torn_access(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size, uintptr_t site)
{
        if (!rt.live || watch_is(t) || t->section.atomic || (op == OP_WRITE && mm_is_weak()) ||
            op_ignored(t, op, addr, size) || !shadow_touch(t, addr, size))
                return false;
        if (size > MAX_TORN) {
                rt_note_incomplete(REASON_COPY, "plain accesses of more than 512 bytes");
                return false;
        }
        if (op == OP_READ && !read_words(t, addr, size, site))
                return true;
        if (op == OP_WRITE)
                write_first(t, addr, size, site);
        torn.t = t;
        torn.addr = addr;
        torn.size = size;
        torn.site = site;
        torn.via = t->stack.via;
        torn_open = true;
        return true;
}

/* The words of a write behind the first, now that their values are known. */
static void write_rest(struct thread *t)
{
        uint8_t now[MAX_TORN];
        uintptr_t addr = torn.addr, site = torn.site;
        uint32_t size = torn.size, pos = torn.pos, first = torn.from;

        bytes_copy(now, (const void *)addr, size);
        for (uint32_t at = first, end; at < size; at = end) {
                end = word_end(addr, size, at);
                if (step_shared((const void *)(addr + at)))
                        bytes_copy((void *)(addr + at), torn.bytes + at, end - at);
        }
        for (uint32_t at = 0, end, n = 0; at < size; at = end, n++) {
                end = word_end(addr, size, at);
                position_set(t, pos + n - 1);
                if (at >= first && step_shared((const void *)(addr + at)))
                        step_write((void *)(addr + at), now + at, end - at, site);
        }
}

static void settle(struct thread *t)
{
        const struct pending pend = t->pend;
        uint64_t regs[sizeof(spin_regs) / sizeof(spin_regs[0])];
        uintptr_t via = t->stack.via;
        uint32_t pos = position_of(t);
        bool also = t->turn.also_shared, at_point = t->cancel.at_point;

        torn_open = false;
        if (torn.t != t)
                return;
        if (!torn.write) {
                if (memory_is_there(torn.addr))
                        bytes_copy((void *)torn.addr, torn.bytes, torn.size);
                return;
        }
        if (t->unsaid)
                op_note_store(t);
        bytes_copy(regs, spin_regs, sizeof(regs));
        spin_regs[7] = 0;
        t->stack.via = torn.via;
        t->turn.also_shared = t->cancel.at_point = false;
        write_rest(t);
        t->pend = pend;
        t->stack.via = via;
        position_set(t, pos);
        t->turn.also_shared = also;
        t->cancel.at_point = at_point;
        bytes_copy(spin_regs, regs, sizeof(regs));
}

static bool is_unchanged(void)
{
        for (uint32_t i = 0; i < wrote.size; i++)
                if (((const uint8_t *)wrote.addr)[i] != wrote.bytes[i])
                        return false;
        return true;
}

/* The store was announced and not made. */
static _Noreturn void end_early(void)
{
        uint32_t i = ex.n_events;

        while (i > 0 && rt.up->events[i - 1].site != wrote.site)
                i--;
        exec_end_text(WIRE_END_EARLY, i, "");
}

static void made(struct thread *t)
{
        uintptr_t lo, hi;

        if (!rt.down->by_gcc || wrote.t != t)
                return;
        wrote.t = NULL;
        if (memory_is_there(wrote.addr) && is_unchanged() &&
            !code_stores_next(wrote.site, pool_stack_of(t->id, &lo, &hi) && wrote.addr >= lo && wrote.addr < hi))
                end_early();
}

void torn_init_run(void)
{
        torn_settle = settle;
        torn_made = made;
        torn_open = false;
        wrote.t = NULL;
}

void torn_wrote(const struct thread *t, uintptr_t addr, uint32_t size, uintptr_t site)
{
        wrote.t = NULL;
        if ((size > MAX_TORN && !mm_is_weak()) || !memory_is_there(addr))
                return;
        size = size < MAX_TORN ? size : MAX_TORN;
        wrote.t = t;
        wrote.addr = addr;
        wrote.size = size;
        wrote.site = site;
        wrote.pos = position_of(t);
        bytes_copy(wrote.bytes, (const void *)addr, size);
}

void torn_look(struct thread *t, uint32_t size, uintptr_t site)
{
        if (wrote.t != t || wrote.size != size || wrote.pos + 1 != position_of(t) || site - wrote.site > MAX_APART ||
            !memory_is_there(wrote.addr) || !is_unchanged() || code_stores(wrote.site, site))
                return;
        if (mm_is_weak() && rt.down->by_gcc)
                end_early();
        wrote.t = NULL;
        rt_note_incomplete(REASON_COPY, "struct copies, which gcc announces before it makes them (use clang)");
        if (torn_open)
                op_also(t, ARRIVE_INNER, OP_WRITE, torn.addr, torn.size, WIRE_MODE_WRITE, 0);
        torn_open = false;
}

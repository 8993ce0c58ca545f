/*
 * Memory that is not to be touched: blocks that were freed, what lies beside blocks, stacks that have ended.
 *
 * Asked where an access is seen and is not fast: the first touch of a granule in an execution, and every touch of what
 * several threads touch.  So that no later one escapes, `free` makes all touches of the block slow again (shadow_slow),
 * and of the last granule of a block whose size is not a multiple of 8 only the bytes of the block get fast.  Memory is judged in the turn of the
 * access: what another thread frees while this one waits for its turn is freed.
 *
 * The end of a thread writes the part of its stack that other threads touch, so that both orders are explored.
 *
 * Under weak memory a store is judged where it reaches memory, which is when it conflicts with `free`; so is a load that has
 * its value from the own buffer, by that store.
 *
 * Not seen: accesses of code that is not instrumented, beyond mem* and str*; accesses that go past a neighbouring block;
 * blocks that were handed out again; a thread's use of its own frames that have ended.
 */
#include "rt/memory/memcheck.h"

#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/trace/debug.h"
#include "rt/sched/end.h"
#include "rt/sched/failure.h"
#include "rt/user/invariants.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

#define RED_ZONE 128 /* below the stack pointer: belongs to the innermost function */

/* Does an access to these bytes touch the block, which was freed? */
static bool is_freed(const struct heap_block *b, uintptr_t addr, size_t size)
{
        uintptr_t start = (uintptr_t)(b + 1);

        return b && heap_block_freed(b) && addr < start + b->size && addr + size > start;
}

static void check_heap(uint32_t op, uintptr_t addr, size_t size, uintptr_t site)
{
        struct heap_block *b = heap_find(addr);
        uintptr_t start = (uintptr_t)(b + 1), end = b ? start + b->size : 0;

        if (!b || !heap_block_live(b) || addr < start || addr + size > end) {
                bool freed = is_freed(b, addr, size);
                if (freed && mm_covers(rt_cur, addr, size))
                        return;
                rt_fail_heap(freed ? WIRE_FAIL_USE_AFTER_FREE : WIRE_FAIL_OUT_OF_BOUNDS, site, "", addr,
                             size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, op, b);
        }
        if ((end & 7) && addr + size > (end & ~(uintptr_t)7))
                shadow_end(end);
}

static _Noreturn void fail_stack(uint32_t op, uintptr_t addr, size_t size, uintptr_t site, const char *format,
                                 uint32_t id)
{
        char text[96];

        rt_format(text, sizeof text, format, (uint64_t)id);
        rt_fail_heap(WIRE_FAIL_USE_AFTER_FREE, site, text, addr, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, op,
                     NULL);
}

/* The stack of another thread: it must be alive, and so must the frame. */
static void check_stack(uint32_t op, uintptr_t addr, size_t size, uintptr_t site, uint32_t id)
{
        const struct thread *of = &threads[id];
        uintptr_t end;

        if (id >= ex.n_threads || !rt.live)
                return;
        if (of->state == WIRE_T_DONE)
                fail_stack(op, addr, size, site, "on the stack of T%u, which has ended", id);
        if (of->fiber.sp && addr + RED_ZONE < thread_frames(of, &end) && rt.down->isolate != WIRE_ISOLATE_DEBUG)
                fail_stack(op, addr, size, site, "on the stack of T%u, in a function that has returned", id);
}

void memory_check(struct thread *t, uint32_t op, uintptr_t addr, size_t size, uintptr_t site)
{
        uint32_t id;

        if (!heap_has(addr) && !pool_is_near(addr))
                return;
        if (!rt.down->heap_checks || !size || watch_is(t) || t->section.ignored)
                return;
        site = t->stack.via ? t->stack.via : site;
        if (heap_has(addr))
                check_heap(op, addr, size, site);
        else if (pool_stack_at(addr, &id) && id != t->id)
                check_stack(op, addr, size, site, id);
}

void memory_check_place(struct thread *t, uint32_t op, uintptr_t addr, size_t size, uintptr_t site)
{
        if (!heap_has(addr) || !is_freed(heap_find(addr), addr, size))
                memory_check(t, op, addr, size, site);
}

void memory_check_flush(struct thread *b, uintptr_t addr, size_t size)
{
        const struct heap_block *block = rt.down->heap_checks && heap_has(addr) ? heap_find(addr) : NULL;

        if (!is_freed(block, addr, size) || ex.n_failures == WIRE_MAX_FAILURES)
                return;
        rt_record_heap(b, WIRE_FAIL_USE_AFTER_FREE, b->pend.site, "", addr, (uint32_t)size, OP_WRITE, block);
        rt.up->failures[ex.n_failures - 1].actor = b->pend.peer;
        debug_failed(b);
        if (!(rt.flags & WIRE_KEEP_GOING))
                exec_end(WIRE_END_FAILED);
}

/*
 * Call stacks in the trace (WIRE_DETAIL): a tree of frames that all entries of an execution share.
 *
 * A frame is found by its call site and its parent in a hash table of frame numbers.  When the table is full, deeper
 * frames are omitted: a stack then ends at an outer call.
 */
#include "rt/trace/callstack.h"

#include "rt/position.h"
#include "rt/threads.h"
#include "rt/memory/blocks.h"
#include "rt/util.h"

#define SLOTS (WIRE_MAX_FRAMES * 2)

static uint32_t slots[SLOTS]; /* frame numbers, 0: empty */

void callstack_begin(void)
{
        rt.up->n_frames = rt.up->n_locals = rt.up->n_blocks = 0;
        if (!(rt.flags & WIRE_DETAIL))
                return;
        blocks_init_run();
        rt_zero(slots, sizeof slots);
        rt.up->frames[0] = (struct wire_frame){0};
        rt.up->n_frames = 1;
}

static uint32_t frame_of(uint32_t parent, uint64_t site)
{
        struct wire_up *up = rt.up;
        uint64_t hash = (site ^ (uint64_t)parent << 40) * UINT64_C(0x9e3779b97f4a7c15);
        uint32_t i = (uint32_t)(hash >> 40) % SLOTS;

        for (; slots[i]; i = (i + 1) % SLOTS)
                if (up->frames[slots[i]].site == site && up->frames[slots[i]].parent == parent)
                        return slots[i];
        if (up->n_frames >= WIRE_MAX_FRAMES)
                return parent;
        slots[i] = up->n_frames++;
        up->frames[slots[i]] = (struct wire_frame){.site = site, .parent = parent};
        return slots[i];
}

uint32_t callstack_record(const struct thread *t)
{
        uint32_t n = calls_recorded(t), frame = 0;

        for (uint32_t i = 0; i < n; i++)
                frame = frame_of(frame, t->stack.calls[i].site);
        return frame;
}

/* The innermost function of the thread that has the address in its frame; `low` is the top of the stack. */
static bool find_local(const struct thread *t, uintptr_t low, uint64_t addr, struct wire_local *l)
{
        uint32_t n = calls_recorded(t);

        if (!n || addr < low || addr >= t->stack.calls[0].frame)
                return false;
        for (uint32_t i = n; i-- > 0;) {
                if (addr >= t->stack.calls[i].frame)
                        continue;
                *l = (struct wire_local){addr, i + 1 < n ? t->stack.calls[i + 1].site : t->pend.site,
                                         t->stack.calls[i].frame};
                return true;
        }
        return false;
}

void callstack_local(const struct thread *t, uint64_t addr)
{
        struct wire_up *up = rt.up;
        struct wire_local l;
        bool found = false;

        for (uint32_t i = 0; i < ex.n_threads && !found; i++) {
                const struct thread *u = &threads[i];
                uintptr_t low = u == t ? (uintptr_t)__builtin_frame_address(0) : (uintptr_t)u->fiber.sp;
                found = u->state != WIRE_T_UNUSED && u->state != WIRE_T_DONE && find_local(u, low, addr, &l);
        }
        if (!found)
                return;
        for (uint32_t i = 0; i < up->n_locals; i++)
                if (up->locals[i].addr == addr && up->locals[i].base == l.base)
                        return;
        if (up->n_locals < WIRE_MAX_LOCALS)
                up->locals[up->n_locals++] = l;
}

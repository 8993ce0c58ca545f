/*
 * Call stacks in the trace (WIRE_DETAIL): a tree of frames that all entries of an execution share.
 *
 * A frame is found by its call site and its parent in a hash table of frame numbers.  When the table is full, deeper
 * frames are left out: a stack then ends at an outer call.
 */
#include "rt/callstack.h"

#define SLOTS (WIRE_MAX_FRAMES * 2)

static uint32_t slots[SLOTS]; /* frame numbers, 0: empty */

void callstack_begin(void)
{
        rt.up->n_frames = 0;
        if (!(rt.flags & WIRE_DETAIL))
                return;
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
        uint32_t n = t->n_calls < RT_MAX_CALLS ? t->n_calls : RT_MAX_CALLS, frame = 0;

        for (uint32_t i = 0; i < n; i++)
                frame = frame_of(frame, t->calls[i]);
        return frame;
}

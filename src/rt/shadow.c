/*
 * Shadow memory: for every 8 bytes of the program's memory, who touches it and which object lives there.
 *
 * A word is 0 (untouched), an owner (thread + 1), RT_NEW_SHARED, or RT_SHARED; the upper half is the index + 1 of the
 * object at that address.  Ownership is kept from one execution to the next: a granule that two threads touch, be it in
 * different executions, counts as shared.  That logs more than is needed and misses nothing.
 *
 * What turns out to be shared in the middle of an execution is logged from the next one on (RT_NEW_SHARED until then),
 * because half a log would not match the schedule being followed; the explorer runs the schedule again.
 */
#include "rt/core.h"

#define DIR_SIZE  ((size_t)1 << 27) /* 47 address bits */
#define LEAF_SIZE (((size_t)1 << (SHADOW_BITS - 3)) * sizeof(uint32_t))

uint32_t **shadow_dir;

void shadow_init(void)
{
        shadow_dir = rt_map(DIR_SIZE * sizeof *shadow_dir);
}

uint32_t *shadow_at(uintptr_t addr)
{
        size_t i = (addr >> SHADOW_BITS) & (DIR_SIZE - 1);

        if (RT_UNLIKELY(!shadow_dir[i]))
                shadow_dir[i] = rt_map(LEAF_SIZE);
        return &shadow_dir[i][(addr & (((uintptr_t)1 << SHADOW_BITS) - 1)) >> 3];
}

/* A second thread has come to this granule. */
static void found_shared(uint32_t *s, uintptr_t granule)
{
        *s = (*s & 0xffff0000u) | RT_NEW_SHARED;
        if (ex.n_new_shared < WIRE_MAX_SHARED)
                rt.up->new_shared[ex.n_new_shared++] = granule;
        else
                rt_fault("too much shared memory: more than a million words");
}

bool shadow_touch(struct thread *t, uintptr_t addr, size_t size)
{
        uintptr_t g = addr >> 3, last = size ? (addr + size - 1) >> 3 : g;
        bool shared = false;

        for (; g <= last; g++) {
                uint32_t *s = shadow_at(g << 3);
                uint32_t owner = *s & 0xffffu;

                if (owner == RT_SHARED)
                        shared = true;
                else if (owner == 0)
                        *s |= t->tag;
                else if (owner != t->tag && owner != RT_NEW_SHARED)
                        found_shared(s, g);
        }
        return shared;
}

void shadow_apply_shared(void)
{
        uint32_t n = rt.down->n_shared;

        for (; rt.n_shared_applied < n; rt.n_shared_applied++) {
                uint32_t *s = shadow_at((uintptr_t)rt.down->shared[rt.n_shared_applied] << 3);
                *s = (*s & 0xffff0000u) | RT_SHARED;
        }
}

/*
 * Partial store order: a thread has a buffer for each address that it stores to.
 *
 * The explorer keeps the pairs of thread and address, so that a buffer has the same number in all executions; what an
 * execution adds is used from the next one on.
 */

#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/weak/model.h"

/* Places in the table + 1, by thread and address. */
#define NAMES 4096u
static uint16_t names[NAMES];
static uint32_t n_names;

static uint16_t *name_of(uint32_t thread, uint64_t addr)
{
        uint32_t i = (uint32_t)((addr * 0x9e3779b97f4a7c15u + thread * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 40) % NAMES;

        for (; names[i]; i = (i + 1) % NAMES) {
                const struct wire_buffer *b = &rt.up->buffers[names[i] - 1];
                if (b->addr == addr && b->thread == thread)
                        break;
        }
        return &names[i];
}

/* What the explorer knows. */
static void read_names(void)
{
        for (; n_names < rt.down->n_buffers; n_names++) {
                rt.up->buffers[n_names] = rt.down->buffers[n_names];
                *name_of(rt.up->buffers[n_names].thread, rt.up->buffers[n_names].addr) = (uint16_t)(n_names + 1);
        }
        if (rt.up->n_buffers < n_names)
                rt.up->n_buffers = n_names;
}

static bool has_buffer(const struct thread *t, uint64_t addr)
{
        uint16_t *name = name_of(t->id, addr);
        uint32_t n = rt.up->n_buffers;

        if (*name)
                return *name <= rt.down->n_buffers;
        if (pool_size() + n >= WIRE_MAX_THREADS)
                return false;
        rt.up->buffers[n] = (struct wire_buffer){.addr = addr, .thread = t->id};
        rt.up->n_buffers = n_names = n + 1;
        *name = (uint16_t)(n + 1);
        return false;
}

static bool none_left(const struct thread *t, uint64_t addr)
{
        return pool_size() + rt.up->n_buffers >= WIRE_MAX_THREADS && !*name_of(t->id, addr);
}

static uint32_t buffer_of(const struct thread *t, uint64_t addr)
{
        return *name_of(t->id, addr) - 1u;
}

static uint32_t n_buffers(void)
{
        return rt.down->n_buffers;
}

const struct mm_model mm_pso = {
        .release_orders = true,
        .full = REASON_PLACES,
        .init_run = read_names,
        .n_buffers = n_buffers,
        .buffer_of = buffer_of,
        .has_buffer = has_buffer,
        .none_left = none_left,
};

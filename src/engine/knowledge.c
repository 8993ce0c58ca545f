/*
 * What is known of the program, in a stream.
 *
 * Names of threads only grow, and a thread's number is its place among them; so it is with store buffers (pso), whose
 * name is a thread and an address.  Two explorers that find new ones at the same time number them differently; merging
 * keeps our order and adds theirs by name.
 */
#include "engine/knowledge.h"

#include <stdlib.h>
#include <string.h>

#include "program/loops.h"

struct knowledge {
        uint32_t isolate, pool;
        bool forked;
        char isolation[sizeof((struct facts *)0)->isolation];
        struct wire_name *names;
        uint32_t n_names;
        struct wire_buffer *buffers;
        uint32_t n_buffers;
        uint64_t *shared;
        uint32_t n_shared;
        uint64_t *sites;
        uint32_t n_sites;
        struct wire_loop *loops;
        uint32_t n_loops;
        uint64_t *agreed;
        uint32_t n_agreed;
        uint32_t fair_limit, timeout_limit;
};

void knowledge_save(const struct program *p, struct stream *out)
{
        const struct wire_down *d = p->target.down;

        stream_put_u32(out, p->target.isolate);
        stream_put_u32(out, p->target.pool);
        stream_put_u32(out, p->facts->forked);
        stream_put(out, p->facts->isolation, sizeof p->facts->isolation);
        stream_put_array(out, d->names, d->n_names, sizeof *d->names);
        stream_put_array(out, d->buffers, d->n_buffers, sizeof *d->buffers);
        stream_put_array(out, d->shared, d->n_shared, sizeof *d->shared);
        stream_put_array(out, d->sites, d->n_sites, sizeof *d->sites);
        stream_put_array(out, d->loops, d->n_loops, sizeof *d->loops);
        stream_put_array(out, d->agreed, d->n_agreed, sizeof *d->agreed);
        stream_put_u32(out, d->fair_limit);
        stream_put_u32(out, d->timeout_limit);
}

static int read_knowledge(struct knowledge *k, struct stream *in)
{
        k->isolate = stream_get_max(in, WIRE_ISOLATE_FORK);
        k->pool = stream_get_max(in, WIRE_MAX_THREADS - 1);
        k->forked = stream_get_max(in, 1);
        stream_get(in, k->isolation, sizeof k->isolation);
        k->names = stream_get_array(in, WIRE_MAX_THREADS, sizeof *k->names, &k->n_names);
        k->buffers = stream_get_array(in, WIRE_MAX_THREADS, sizeof *k->buffers, &k->n_buffers);
        k->shared = stream_get_array(in, WIRE_MAX_SHARED, sizeof *k->shared, &k->n_shared);
        k->sites = stream_get_array(in, WIRE_MAX_SITES, sizeof *k->sites, &k->n_sites);
        k->loops = stream_get_array(in, WIRE_MAX_LOOPS, sizeof *k->loops, &k->n_loops);
        k->agreed = stream_get_array(in, WIRE_MAX_AGREED, sizeof *k->agreed, &k->n_agreed);
        k->fair_limit = stream_get_u32(in);
        k->timeout_limit = stream_get_u32(in);
        if (in->failed || !k->pool || !k->n_names || k->isolation[sizeof k->isolation - 1])
                return -1;
        for (uint32_t i = 1; i < k->n_names; i++)
                if (k->names[i].parent >= i)
                        return -1;
        for (uint32_t i = 0; i < k->n_buffers; i++)
                if (k->buffers[i].thread >= k->n_names)
                        return -1;
        return 0;
}

static void knowledge_fini(struct knowledge *k)
{
        free(k->names);
        free(k->buffers);
        free(k->shared);
        free(k->sites);
        free(k->loops);
        free(k->agreed);
}

static void take_isolation(struct run *r, const struct knowledge *k)
{
        struct facts *f = r->program->facts;

        r->program->target.isolate = k->isolate;
        r->program->target.pool = k->pool;
        r->doubtful |= f->forked != k->forked;
        f->forked = k->forked;
        memcpy(f->isolation, k->isolation, sizeof k->isolation);
}

/* Places of the code that are points: the order does not matter. */
static void merge_sites(struct wire_down *d, const struct knowledge *k)
{
        for (uint32_t i = 0; i < k->n_sites; i++) {
                uint32_t j = 0;
                while (j < d->n_sites && d->sites[j] != k->sites[i])
                        j++;
                if (j == d->n_sites && j < WIRE_MAX_SITES)
                        d->sites[d->n_sites++] = k->sites[i];
        }
        d->sites_seq++;
}

/* Limits: a limit is more than none. */
static void merge_limits(struct wire_down *d, const struct knowledge *k)
{
        if (k->fair_limit > d->fair_limit)
                d->fair_limit = k->fair_limit;
        if (k->timeout_limit > d->timeout_limit)
                d->timeout_limit = k->timeout_limit;
}

/* Loops whose rounds may have no effect: one that both know, a thread compares its state at if it did for either. */
static void merge_loops(struct wire_down *d, const struct knowledge *k)
{
        for (uint32_t i = 0; i < k->n_loops; i++) {
                uint32_t j = 0;
                while (j < d->n_loops && d->loops[j].site != k->loops[i].site)
                        j++;
                if (j < d->n_loops)
                        d->loops[j].looks |= k->loops[i].looks;
                else if (j < WIRE_MAX_LOOPS)
                        d->loops[d->n_loops++] = k->loops[i];
        }
}

/* The rest of what is known of loops holds for the memory and the threads that were known then. */
static int merge_agreed(struct wire_down *d, const struct knowledge *k)
{
        int e = 0;

        for (uint32_t i = 0; i < k->n_agreed && !e; i++)
                e = loops_agree(d, k->agreed[i] | 1) ? 0 : -1;
        return e;
}

int knowledge_load(struct run *r, struct stream *in)
{
        struct wire_down *d = r->program->target.down;
        struct knowledge k = {0};
        int e = read_knowledge(&k, in);

        if (!e) {
                target_stop(&r->program->target);
                take_isolation(r, &k);
                d->n_names = k.n_names;
                memcpy(d->names, k.names, k.n_names * sizeof *d->names);
                d->n_buffers = k.n_buffers;
                if (k.n_buffers)
                        memcpy(d->buffers, k.buffers, k.n_buffers * sizeof *d->buffers);
                d->n_shared = k.n_shared;
                if (k.n_shared)
                        memcpy(d->shared, k.shared, k.n_shared * sizeof *d->shared);
                d->n_sites = d->n_loops = 0;
                merge_sites(d, &k);
                merge_loops(d, &k);
                loops_forget_wasted(d);
                e = merge_agreed(d, &k);
                merge_limits(d, &k);
        }
        knowledge_fini(&k);
        return e;
}

static uint32_t number_of(struct wire_down *d, uint16_t parent, uint32_t nth)
{
        for (uint32_t i = 1; i < d->n_names; i++)
                if (d->names[i].parent == parent && d->names[i].nth == nth)
                        return i;
        if (d->n_names >= WIRE_MAX_THREADS)
                return UINT32_MAX;
        d->names[d->n_names] = (struct wire_name){.parent = parent, .nth = nth};
        return d->n_names++;
}

static bool add_buffer(struct wire_down *d, uint16_t thread, uint64_t addr)
{
        for (uint32_t i = 0; i < d->n_buffers; i++)
                if (d->buffers[i].thread == thread && d->buffers[i].addr == addr)
                        return true;
        if (d->n_buffers >= WIRE_MAX_THREADS)
                return false;
        d->buffers[d->n_buffers++] = (struct wire_buffer){.addr = addr, .thread = thread};
        return true;
}

static int merge_names(struct wire_down *d, const struct knowledge *k)
{
        uint16_t ours[WIRE_MAX_THREADS] = {0};

        for (uint32_t i = 1; i < k->n_names; i++) {
                uint32_t n = number_of(d, ours[k->names[i].parent], k->names[i].nth);
                if (n == UINT32_MAX)
                        return -1;
                ours[i] = (uint16_t)n;
        }
        for (uint32_t i = 0; i < k->n_buffers; i++)
                if (!add_buffer(d, ours[k->buffers[i].thread], k->buffers[i].addr))
                        return -1;
        return 0;
}

static int by_value(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return x < y ? -1 : x > y;
}

static int merge_shared(struct wire_down *d, const struct knowledge *k)
{
        uint32_t n = 0;

        if (k->n_shared > WIRE_MAX_SHARED - d->n_shared)
                return -1;
        if (k->n_shared)
                memcpy(&d->shared[d->n_shared], k->shared, k->n_shared * sizeof *d->shared);
        d->n_shared += k->n_shared;
        qsort(d->shared, d->n_shared, sizeof *d->shared, by_value);
        for (uint32_t i = 0; i < d->n_shared; i++)
                if (!n || d->shared[n - 1] != d->shared[i])
                        d->shared[n++] = d->shared[i];
        d->n_shared = n;
        return 0;
}

int knowledge_merge(struct run *r, struct stream *in)
{
        struct wire_down *d = r->program->target.down;
        uint32_t names = d->n_names, buffers = d->n_buffers, shared = d->n_shared;
        struct knowledge k = {0};
        int e = read_knowledge(&k, in);

        if (!e) {
                k.pool = k.pool > r->program->target.pool ? k.pool : r->program->target.pool;
                if (k.forked || !r->program->facts->forked)
                        take_isolation(r, &k);
                e = merge_names(d, &k) || merge_shared(d, &k) ? -1 : 0;
                merge_sites(d, &k);
                merge_loops(d, &k);
                merge_limits(d, &k);
                if (names != d->n_names || buffers != d->n_buffers || shared != d->n_shared)
                        loops_forget_wasted(d);
                if (!e && k.n_names == d->n_names && k.n_buffers == d->n_buffers && k.n_shared == d->n_shared)
                        e = merge_agreed(d, &k);
        }
        knowledge_fini(&k);
        return e;
}

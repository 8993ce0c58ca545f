/*
 * Where values are frozen, programs in which every section depends on the one before have hardly any reordering.  What a section
 * changes too early for a check in another one, or too late, shows if it waits.  Those that write most come first, and of these the
 * earliest: most of the other threads is left to come before it.
 */
#include "strategy/predict/postpone.h"

#include <stdlib.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "op/op.h"
#include "trace/race.h"

#define GUESSES 4u /* from one execution */
#define NESTED  8u /* locks held at once that are considered */

static uint32_t writes_of(const struct model *m, const struct model_node *n)
{
        uint32_t writes = 0;

        for (uint32_t i = n->event; i < n->event + n->n_events; i++)
                writes += race_is_access(&m->trace->events[i]) && m->trace->events[i].mode == WIRE_MODE_WRITE;
        return writes;
}

static void count_writes(struct postpone *p, const struct model *m)
{
        vec_need(&p->writes, m->sections.n);
        for (p->writes.n = 0; p->writes.n < m->sections.n;)
                *vec_push(&p->writes) = 0;
        for (uint32_t i = 0; i < m->nodes.n && !late_soon(); i++) {
                uint32_t held = m->nodes.at[i].held, writes = held ? writes_of(m, &m->nodes.at[i]) : 0;

                for (uint32_t k = 0; held && writes && k < NESTED; k++, held = m->held.at[held - 1].next)
                        p->writes.at[m->held.at[held - 1].section] += writes;
        }
}

static uint64_t key_of(uint32_t actor, uint32_t ordinal)
{
        return hash_mix(hash_mix(10, actor), ordinal);
}

/* Most writes first: more than half as many are as many. */
static int by_writes(const void *a, const void *b)
{
        const struct postponed *x = a, *y = b;

        if (x->writes != y->writes)
                return x->writes < y->writes ? -1 : 1;
        return x->section < y->section ? -1 : x->section > y->section;
}

/* The sections that have not waited; `writes` becomes their rank. */
static void collect(struct postpone *p, const struct model *m)
{
        uint32_t most = 1;

        p->list.n = p->counts.n = 0;
        vec_need(&p->list, m->sections.n);
        vec_need(&p->counts, m->width);
        while (p->counts.n < m->width)
                *vec_push(&p->counts) = 0;
        for (uint32_t i = 0; i < m->sections.n; i++) {
                const struct model_node *n = &m->nodes.at[m->sections.at[i].acquire];
                uint32_t ordinal = p->counts.at[n->actor]++;

                if (n->held || !p->writes.at[i] || index_map_find(p->known, key_of(n->actor, ordinal)))
                        continue;
                *vec_push(&p->list) = (struct postponed){.section = i, .writes = p->writes.at[i], .ordinal = ordinal};
                most = p->writes.at[i] > most ? p->writes.at[i] : most;
        }
        for (uint32_t i = 0; i < p->list.n; i++) {
                uint32_t rank = 0;

                for (uint64_t w = p->list.at[i].writes; w * 2 <= most; w *= 2)
                        rank++;
                p->list.at[i].writes = rank;
        }
}

void postpone_read(struct postpone *p, const struct model *m)
{
        if (p->forecasts->queues[QUEUE_SECTIONS].list.n || late_reported())
                return;
        count_writes(p, m);
        collect(p, m);
        if (p->list.n)
                qsort(p->list.at, p->list.n, sizeof *p->list.at, by_writes);
        for (uint32_t i = 0; i < p->list.n && i < GUESSES; i++) {
                uint32_t acquire = m->sections.at[p->list.at[i].section].acquire;

                if (forecasts_postpone(p->forecasts, m, acquire))
                        *index_map_at(p->known, key_of(m->nodes.at[acquire].actor, p->list.at[i].ordinal)) = 1;
        }
}

void postpone_fini(struct postpone *p)
{
        vec_fini(&p->writes);
        vec_fini(&p->counts);
        vec_fini(&p->list);
}

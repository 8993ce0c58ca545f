/* Predictions wait in queues, first in first out. */
#include "strategy/predict/forecast.h"

#include <string.h>

#define ROOM    (UINT64_C(1) << 23) /* decisions in the queues: 128 MiB */
#define GUESSES 256u                /* that wait */

bool question_ask(struct closure *c, const struct question *q, uint32_t *set)
{
        const struct model *m = c->model;

        memset(set, 0, m->width * sizeof *set);
        for (uint32_t i = 0; i < q->n_before; i++)
                model_add_before(m, set, q->before[i]);
        if (q->with != MODEL_NONE)
                model_add(m, set, q->with);
        return closure_close(c, set, q->avoid, q->n_avoid);
}

static uint32_t put_node(const struct model *m, uint32_t node, struct wire_decision *out)
{
        const struct model_node *n = &m->nodes.at[node];
        uint32_t k = 0;

        for (uint32_t i = n->event; i < n->event + n->n_events; i++) {
                const struct wire_event *e = &m->trace->events[i];

                if (e->flags & WIRE_EV_SCHED)
                        out[k++] = (struct wire_decision){.actor = e->actor, .op = e->op, .choice = e->choice};
        }
        return k;
}

/* So many decisions at most. */
static uint64_t size_of(const struct model *m, const struct question *q, const uint32_t *set)
{
        uint64_t n = 0;

        for (uint32_t i = 0; i < m->nodes.n; i++)
                if (model_has(m, set, i))
                        n += m->nodes.at[i].n_events;
        for (uint32_t i = 0; i < q->n_last; i++)
                n += m->nodes.at[q->last[i]].n_events;
        return n;
}

/* Room for so many decisions; NULL: there is none. */
static struct wire_decision *room_for(const struct forecasts *f, uint64_t size)
{
        struct wire_decision *d;

        if (f->room + size > ROOM || size > WIRE_MAX_EVENTS)
                return NULL;
        d = malloc((size + 1) * sizeof *d);
        if (!d)
                memory_out();
        return d;
}

static void put(struct forecasts *f, enum forecast_queue queue, const struct forecast *r)
{
        vec_need(&f->queues[queue].list, 1);
        *vec_push(&f->queues[queue].list) = *r;
        f->room += r->n;
}

bool forecasts_add(struct forecasts *f, const struct model *m, const struct question *q, const uint32_t *set)
{
        struct forecast r = {.kind = q->kind, .pair = q->pair, .site = {q->site[0], q->site[1]}};

        r.decisions = room_for(f, size_of(m, q, set));
        if (!r.decisions)
                return false;
        for (uint32_t i = 0; i < m->nodes.n; i++)
                if (model_has(m, set, i))
                        r.n += put_node(m, i, r.decisions + r.n);
        for (uint32_t i = 0; i < q->n_last; i++) {
                r.n += put_node(m, q->last[i], r.decisions + r.n);
                r.actor[i] = m->nodes.at[q->last[i]].actor;
        }
        f->figures.predicted[q->kind]++;
        put(f, q->kind >= PREDICT_READ ? QUEUE_ORDERS : QUEUE_FAILING, &r);
        return true;
}

bool forecasts_guess(struct forecasts *f, const struct model *m, uint32_t node, uint32_t actor)
{
        struct forecast r = {.kind = PREDICTION_KINDS, .pair = MODEL_NONE};
        uint64_t size = 0;

        for (uint32_t i = 0; i < m->nodes.n; i++)
                if (i < node || m->nodes.at[i].actor == actor)
                        size += m->nodes.at[i].n_events;
        r.decisions = f->queues[QUEUE_GUESSES].list.n < GUESSES ? room_for(f, size) : NULL;
        if (!r.decisions)
                return false;
        for (uint32_t i = 0; i < m->nodes.n; i++)
                if (i < node || m->nodes.at[i].actor == actor)
                        r.n += put_node(m, i, r.decisions + r.n);
        put(f, QUEUE_GUESSES, &r);
        return true;
}

bool forecasts_take(struct forecasts *f, enum forecast_queue queue, struct forecast *out)
{
        uint32_t *next = &f->queues[queue].next;

        if (*next == f->queues[queue].list.n)
                return false;
        *out = f->queues[queue].list.at[*next];
        f->room -= out->n;
        if (++*next == f->queues[queue].list.n)
                *next = f->queues[queue].list.n = 0;
        return true;
}

void forecasts_reset(struct forecasts *f)
{
        struct forecast r;

        for (enum forecast_queue i = 0; i < QUEUES; i++)
                while (forecasts_take(f, i, &r))
                        free(r.decisions);
        f->figures = (struct prediction_figures){0};
}

void forecasts_fini(struct forecasts *f)
{
        forecasts_reset(f);
        for (enum forecast_queue i = 0; i < QUEUES; i++)
                vec_fini(&f->queues[i].list);
}

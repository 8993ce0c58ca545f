/* Predictions wait in two queues, first in first out: a prediction of a failure is run before one of an order. */
#include "strategy/predict/forecast.h"

#include <string.h>

#define ROOM (UINT64_C(1) << 23) /* decisions in the queues: 128 MiB */

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

bool forecasts_add(struct forecasts *f, const struct model *m, const struct question *q, const uint32_t *set)
{
        struct forecast r = {.kind = q->kind, .pair = q->pair};
        uint64_t size = size_of(m, q, set);

        if (f->room + size > ROOM || size > WIRE_MAX_EVENTS)
                return false;
        r.decisions = malloc((size + 1) * sizeof *r.decisions);
        if (!r.decisions)
                memory_out();
        for (uint32_t i = 0; i < m->nodes.n; i++)
                if (model_has(m, set, i))
                        r.n += put_node(m, i, r.decisions + r.n);
        for (uint32_t i = 0; i < q->n_last; i++) {
                r.n += put_node(m, q->last[i], r.decisions + r.n);
                r.site[i] = q->site[i];
                r.actor[i] = m->nodes.at[q->last[i]].actor;
        }
        f->room += r.n;
        f->figures.predicted[q->kind]++;
        if (q->kind == PREDICT_ORDER) {
                if (!vec_reserve(&f->orders, 1))
                        memory_out();
                *vec_push(&f->orders) = r;
        } else {
                if (!vec_reserve(&f->failing, 1))
                        memory_out();
                *vec_push(&f->failing) = r;
        }
        return true;
}

bool forecasts_take(struct forecasts *f, bool failing, struct forecast *out)
{
        uint32_t *next = failing ? &f->next_failing : &f->next_order;

        if (*next == (failing ? f->failing.n : f->orders.n))
                return false;
        *out = failing ? f->failing.at[*next] : f->orders.at[*next];
        ++*next;
        f->room -= out->n;
        if (f->next_failing == f->failing.n)
                f->next_failing = f->failing.n = 0;
        if (f->next_order == f->orders.n)
                f->next_order = f->orders.n = 0;
        return true;
}

void forecasts_reset(struct forecasts *f)
{
        struct forecast r;

        while (forecasts_take(f, true, &r) || forecasts_take(f, false, &r))
                free(r.decisions);
        f->figures = (struct prediction_figures){0};
}

void forecasts_fini(struct forecasts *f)
{
        forecasts_reset(f);
        vec_fini(&f->failing);
        vec_fini(&f->orders);
}

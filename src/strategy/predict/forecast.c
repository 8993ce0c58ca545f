/* Predictions wait in queues, first in first out. */
#include "strategy/predict/forecast.h"

#include <string.h>

#include "op/op.h"

#define ROOM    (UINT64_C(1) << 23) /* decisions in the queues: 128 MiB */
#define GUESSES 256u                /* that wait */

static const enum forecast_queue queue_of[] = {
        [PREDICT_RACE] = QUEUE_RACE,        [PREDICT_DEADLOCK] = QUEUE_DEADLOCK, [PREDICT_WAKEUP] = QUEUE_WAKEUP,
        [PREDICT_FREED] = QUEUE_FREED,      [PREDICT_NULL] = QUEUE_NULL,         [PREDICT_ATOMICITY] = QUEUE_ATOMICITY,
        [PREDICT_VALUE] = QUEUE_VALUES,     [PREDICT_READ] = QUEUE_ORDERS,       [PREDICT_ORDER] = QUEUE_ORDERS,
        [PREDICTION_KINDS] = QUEUE_GUESSES,
};

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

static void put_node(struct forecasts *f, const struct model *m, uint32_t node)
{
        const struct model_node *n = &m->nodes.at[node];

        vec_need(&f->draft, n->n_events);
        for (uint32_t i = n->event; i < n->event + n->n_events; i++) {
                const struct wire_event *e = &m->trace->events[i];

                if (e->flags & WIRE_EV_SCHED)
                        *vec_push(&f->draft) =
                                (struct wire_decision){.actor = e->actor, .op = e->op, .choice = e->choice};
        }
}

/* Is there room for so many nodes?  Each has a decision at least. */
static bool has_room(const struct forecasts *f, uint64_t nodes)
{
        return nodes <= WIRE_MAX_EVENTS && f->room + nodes <= ROOM;
}

static enum forecast_queue queue_for(const struct forecast *f)
{
        return f->section ? QUEUE_SECTIONS : queue_of[f->kind];
}

/* The draft becomes the schedule of a prediction. */
static bool put(struct forecasts *f, struct forecast *r)
{
        enum forecast_queue queue = queue_for(r);

        if (!has_room(f, f->draft.n))
                return false;
        r->n = f->draft.n;
        r->decisions = malloc(((size_t)r->n + 1) * sizeof *r->decisions);
        if (!r->decisions)
                memory_out();
        if (r->n)
                memcpy(r->decisions, f->draft.at, r->n * sizeof *r->decisions);
        vec_need(&f->queues[queue].list, 1);
        *vec_push(&f->queues[queue].list) = *r;
        f->room += r->n;
        return true;
}

bool forecasts_add(struct forecasts *f, const struct model *m, const struct question *q, const uint32_t *set)
{
        struct forecast r = {.kind = q->kind, .pair = q->pair, .site = {q->site[0], q->site[1]}};
        uint64_t left = model_size(m, set);

        if (!has_room(f, left))
                return false;
        f->draft.n = 0;
        for (uint32_t i = 0; left; i++)
                if (model_has(m, set, i)) {
                        put_node(f, m, i);
                        left--;
                }
        for (uint32_t i = 0; i < q->n_last; i++) {
                put_node(f, m, q->last[i]);
                r.actor[i] = m->nodes.at[q->last[i]].actor;
        }
        if (!put(f, &r))
                return false;
        f->figures.predicted[q->kind]++;
        return true;
}

bool forecasts_path(struct forecasts *f, const struct wire_decision *path, uint32_t n, const struct forecast *is)
{
        struct forecast r = *is;

        f->draft.n = 0;
        vec_need(&f->draft, n);
        if (n)
                memcpy(f->draft.at, path, n * sizeof *path);
        f->draft.n = n;
        if (!put(f, &r))
                return false;
        f->figures.predicted[r.kind]++;
        return true;
}

bool forecasts_guess(struct forecasts *f, const struct model *m, uint32_t node, uint32_t actor)
{
        struct forecast r = {.kind = PREDICTION_KINDS, .pair = MODEL_NONE};

        if (f->queues[QUEUE_GUESSES].list.n >= GUESSES || !has_room(f, node))
                return false;
        f->draft.n = 0;
        for (uint32_t i = 0; i < node; i++)
                put_node(f, m, i);
        for (uint32_t i = m->starts.at[actor]; i < m->starts.at[actor + 1]; i++)
                if (m->own.at[i] >= node)
                        put_node(f, m, m->own.at[i]);
        return put(f, &r);
}

static void put_rest(struct forecasts *f, const struct model *m, uint32_t from, uint32_t actor)
{
        for (uint32_t i = m->starts.at[actor]; i < m->starts.at[actor + 1]; i++) {
                uint32_t node = m->own.at[i];

                if (node < from)
                        continue;
                if (m->trace->events[m->nodes.at[node].event].op == OP_JOIN)
                        return;
                put_node(f, m, node);
        }
}

bool forecasts_postpone(struct forecasts *f, const struct model *m, uint32_t node)
{
        struct forecast r = {.kind = PREDICTION_KINDS, .pair = MODEL_NONE, .section = true};
        uint32_t own = m->nodes.at[node].actor;

        if (!has_room(f, m->nodes.n))
                return false;
        f->draft.n = 0;
        for (uint32_t i = 0; i < node; i++)
                put_node(f, m, i);
        if (own)
                put_rest(f, m, node, 0); /* it may create others */
        for (uint32_t i = m->width; --i;)
                if (i != own)
                        put_rest(f, m, node, i);
        return put(f, &r);
}

bool forecasts_take(struct forecasts *f, enum forecast_queue queue, struct forecast *out)
{
        uint32_t *next = &f->queues[queue].next;

        if (*next == f->queues[queue].list.n)
                return false;
        if (queue == QUEUE_ATOMICITY ||
            queue == QUEUE_VALUES) { /* the latest one has most of the other thread in between */
                *out = f->queues[queue].list.at[--f->queues[queue].list.n];
        } else {
                *out = f->queues[queue].list.at[(*next)++];
        }
        f->room -= out->n;
        if (*next == f->queues[queue].list.n)
                *next = f->queues[queue].list.n = 0;
        return true;
}

bool forecasts_take_failing(struct forecasts *f, struct forecast *out)
{
        for (enum forecast_queue i = 0; i < QUEUE_VALUES; i++)
                if (forecasts_take(f, i, out))
                        return true;
        return false;
}

void forecast_save(const struct forecast *f, struct stream *out)
{
        stream_put_u32(out, f->kind);
        stream_put_u32(out, f->pair);
        stream_put_u32(out, f->section);
        for (uint32_t i = 0; i < 2; i++) {
                stream_put_u64(out, f->site[i]);
                stream_put_u32(out, f->actor[i]);
        }
        stream_put_array(out, f->decisions, f->n, sizeof *f->decisions);
}

void forecast_load(struct forecast *f, uint32_t pairs, struct stream *in)
{
        *f = (struct forecast){.kind = stream_get_max(in, PREDICTION_KINDS), .pair = stream_get_u32(in)};
        in->failed |= f->kind == PREDICT_VALUE || (f->pair >= pairs && f->pair != MODEL_NONE);
        f->section = stream_get_max(in, 1);
        for (uint32_t i = 0; i < 2; i++) {
                f->site[i] = stream_get_u64(in);
                f->actor[i] = (uint16_t)stream_get_max(in, UINT16_MAX);
        }
        f->decisions = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *f->decisions, &f->n);
}

void forecasts_save(const struct forecasts *f, struct stream *out)
{
        for (enum forecast_queue q = 0; q < QUEUES; q++) {
                uint32_t next = f->queues[q].next, n = f->queues[q].list.n;

                if (q == QUEUE_VALUES)
                        continue;
                stream_put_u32(out, n - next);
                for (uint32_t i = next; i < n; i++)
                        forecast_save(&f->queues[q].list.at[i], out);
        }
}

void forecasts_load(struct forecasts *f, uint32_t pairs, struct stream *in)
{
        for (enum forecast_queue q = 0; q < QUEUES; q++) {
                uint32_t n = q == QUEUE_VALUES ? 0 : stream_get_count(in, UINT32_MAX, sizeof(uint32_t));
                struct forecast r;

                for (uint32_t i = 0; i < n && !in->failed; i++) {
                        forecast_load(&r, pairs, in);
                        in->failed |= !has_room(f, r.n) || queue_for(&r) != q;
                        vec_need(&f->queues[q].list, 1);
                        *vec_push(&f->queues[q].list) = r;
                        f->room += r.n;
                }
        }
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
        vec_fini(&f->draft);
}

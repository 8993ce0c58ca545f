/* See state.h.  The input is not trusted: whatever is used as an index is checked. */
#include "strategy/mcr/state.h"

#include "op/op.h"

#define MOST_NODES (UINT32_C(1) << 28)
#define MOST_CELLS (UINT32_C(1) << 24)

static void save_seen(const struct seen *s, struct stream *out)
{
        stream_put_u64(out, s->n);
        for (uint64_t i = 0; i < UINT64_C(1) << s->bits; i++)
                if (s->at[i].a || s->at[i].b)
                        stream_put(out, &s->at[i], sizeof s->at[i]);
}

static void load_seen(struct seen *s, struct stream *in)
{
        uint64_t n = stream_get_u64(in);

        for (uint64_t i = 0; i < n && !in->failed; i++) {
                struct hash128 h = {0, 0};
                stream_get(in, &h, sizeof h);
                seen_add(s, h);
        }
}

void state_save(const struct search *s, struct stream *out)
{
        const struct tries *t = &s->machine.tries;

        stream_put_array(out, t->nodes.at, t->nodes.n, sizeof *t->nodes.at);
        stream_put_array(out, t->cells.at, t->cells.n, sizeof *t->cells.at);
        stream_put_array(out, t->threads.at, t->threads.n, sizeof *t->threads.at);
        stream_put_array(out, t->blocks.at, t->blocks.n, sizeof *t->blocks.at);
        stream_put_array(out, t->buffers.at, t->buffers.n, sizeof *t->buffers.at);
        stream_put_u32(out, t->process);
        stream_put_u32(out, (uint32_t)t->inner | (uint32_t)t->mixed << 1);
        stream_put_u32(out, t->orders);
        stream_put_u32(out, (uint32_t)t->unordered | (uint32_t)t->clocked << 1);
        part_save(&s->part, out);
        save_seen(&s->classes, out);
        save_seen(&s->races.seen, out);
}

static bool is_kind(const struct tries *t, uint32_t cell, enum cell_kind kind)
{
        return cell < t->cells.n && t->cells.at[cell].kind == kind;
}

static bool node_valid(const struct tries *t, uint32_t i)
{
        const struct node *n = &t->nodes.at[i];
        bool names_thread = n->kind == NODE_JOIN || n->kind == NODE_TRY || n->kind == NODE_CREATE;

        return n->parent < (i ? i : 1) && n->child < t->nodes.n && n->thread < t->threads.n && n->cell < t->cells.n &&
               n->moved < t->cells.n && n->last_store < (i ? i : 1) &&
               (!n->last_store || (t->nodes.at[n->last_store].flags & NODE_BUFFERED)) && n->kind <= NODE_TEST &&
               op_known(n->op) && (!names_thread || is_kind(t, n->cell, CELL_THREAD)) &&
               (n->kind == NODE_CREATE ? n->root < t->nodes.n : n->root < t->cells.n) &&
               (!(n->flags & NODE_BUFFERED) || is_kind(t, n->buffer, CELL_BUFFER));
}

static bool cell_valid(const struct tries *t, uint32_t i)
{
        const struct cell *c = &t->cells.at[i];

        if (c->kind == CELL_THREAD && (c->key >= t->threads.n || c->init >= t->nodes.n))
                return i == 0; /* the first one is not used */
        if (c->kind == CELL_BUFFER && c->size >= t->threads.n)
                return false;
        for (uint32_t k = 0; k < 3; k++)
                if (c->order[k] >= t->cells.n)
                        return false;
        if (c->kind == CELL_MEMORY && c->order[0] + UINT64_C(7) >= t->cells.n)
                return !c->order[0];
        return c->kind <= CELL_CANCEL && c->last < t->cells.n && c->states < t->nodes.n && c->wait < t->cells.n &&
               c->cancel < t->cells.n && c->flushed < t->cells.n && c->block < t->cells.n;
}

static bool cells_are(const struct tries *t, const uint32_t *at, uint32_t n, enum cell_kind kind, bool or_none)
{
        for (uint32_t i = 0; i < n; i++)
                if (!(or_none && !at[i]) && !is_kind(t, at[i], kind))
                        return false;
        return true;
}

static bool valid(const struct tries *t)
{
        if (t->nodes.n <= TRIES_MAIN || !t->cells.n || !t->threads.n || !t->threads.at[0] ||
            !is_kind(t, t->process, CELL_PROCESS) || !cells_are(t, t->threads.at, t->threads.n, CELL_THREAD, true) ||
            !cells_are(t, t->blocks.at, t->blocks.n, CELL_BLOCK, false) ||
            !cells_are(t, t->buffers.at, t->buffers.n, CELL_BUFFER, false))
                return false;
        for (uint32_t i = 0; i < t->cells.n; i++)
                if (!cell_valid(t, i))
                        return false;
        for (uint32_t i = 0; i < t->nodes.n; i++)
                if (!node_valid(t, i))
                        return false;
        return true;
}

#define LOAD(in, vec, limit) ((vec).at = stream_get_array(in, limit, sizeof *(vec).at, &(vec).n), (vec).room = (vec).n)

static uint32_t count_cells(const struct tries *t, enum cell_kind kind)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < t->cells.n; i++)
                n += t->cells.at[i].kind == kind;
        return n;
}

bool state_load(struct search *s, struct stream *in)
{
        struct tries *t = &s->machine.tries;

        tries_forget(t);
        LOAD(in, t->nodes, MOST_NODES);
        LOAD(in, t->cells, MOST_CELLS);
        LOAD(in, t->threads, WIRE_MAX_THREADS);
        LOAD(in, t->blocks, MOST_CELLS);
        LOAD(in, t->buffers, WIRE_MAX_THREADS);
        t->process = stream_get_u32(in);
        uint32_t inner = stream_get_max(in, 3);
        t->inner = inner & 1;
        t->mixed = inner >> 1;
        t->orders = t->recount = stream_get_max(in, 1);
        uint32_t unordered = stream_get_max(in, 3);
        t->unordered = unordered & 1;
        t->clocked = unordered >> 1;
        t->cancels = count_cells(t, CELL_CANCEL);
        if (in->failed || !valid(t) || !part_load(&s->part, t, in))
                return false;
        load_seen(&s->classes, in);
        load_seen(&s->races.seen, in);
        if (in->failed)
                return false;
        tries_index(t);
        s->machine.now.n = 0;
        machine_grow(&s->machine);
        return true;
}

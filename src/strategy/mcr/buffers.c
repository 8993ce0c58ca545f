/* See buffers.h. */
#include "strategy/mcr/buffers.h"

uint32_t buffers_cell(struct tries *t, uint32_t actor, uint32_t thread)
{
        uint32_t cell = tries_cell(t, CELL_BUFFER, actor), flushed;

        if (cell)
                return cell;
        flushed = tries_cell_make(t, CELL_FLUSHED, thread, 0);
        t->cells.at[tries_thread(t, thread)].flushed = flushed;
        cell = tries_cell_make(t, CELL_BUFFER, actor, 0);
        t->cells.at[cell].flushed = flushed;
        t->cells.at[cell].size = thread;
        if (!vec_reserve(&t->buffers, 1))
                memory_out();
        *vec_push(&t->buffers) = cell;
        return cell;
}

void buffers_enter(struct tries *t, uint32_t node, uint32_t buffer)
{
        struct node *n = &t->nodes.at[node];
        uint32_t s = n->last_store;

        while (s && t->nodes.at[s].buffer != buffer)
                s = t->nodes.at[s].last_store;
        n->buffer = buffer;
        n->number = s ? t->nodes.at[s].number + 1 : 1;
}

uint32_t buffers_pending(const struct tries *t, const uint64_t *now, uint32_t node)
{
        const struct node *n = &t->nodes.at[node];

        return n->serial ? n->serial - (uint32_t)now[t->cells.at[t->threads.at[n->thread]].flushed] : 0;
}

static bool is_pending(const struct node *store, const uint64_t *now)
{
        return store->number > now[store->buffer];
}

uint64_t buffers_view(const struct tries *t, const uint64_t *now, uint32_t node, uint32_t cell)
{
        uint32_t left = buffers_pending(t, now, node), s = t->nodes.at[node].last_store;
        uint64_t v = now[cell], covered = 0;

        for (; left && s; s = t->nodes.at[s].last_store) {
                const struct node *n = &t->nodes.at[s];
                if (!is_pending(n, now))
                        continue;
                left--;
                if (n->cell == cell) {
                        uint64_t takes = n->mask & ~covered;
                        v = (v & ~takes) | (n->value & takes);
                        covered |= takes;
                }
        }
        return v;
}

uint64_t buffers_covers(const struct tries *t, const uint64_t *now, uint32_t node, uint32_t cell)
{
        uint32_t left = buffers_pending(t, now, node);
        uint64_t covered = 0;

        for (uint32_t s = t->nodes.at[node].last_store; left && s; s = t->nodes.at[s].last_store) {
                const struct node *n = &t->nodes.at[s];
                if (!is_pending(n, now))
                        continue;
                left--;
                covered |= n->cell == cell ? n->mask : 0;
        }
        return covered;
}

uint32_t buffers_next(const struct tries *t, const uint64_t *now, uint32_t node, uint32_t buffer, bool ready)
{
        uint32_t left = buffers_pending(t, now, node), next = 0;

        for (uint32_t s = t->nodes.at[node].last_store; left && s; s = t->nodes.at[s].last_store) {
                const struct node *n = &t->nodes.at[s], *it = &t->nodes.at[next];
                if (!is_pending(n, now))
                        continue;
                left--;
                if (n->buffer == buffer && n->number == now[buffer] + 1)
                        next = s;
                else if (next && ready && ((n->cell == it->cell && n->mask & it->mask) || n->serial + 1 < it->behind))
                        return 0;
        }
        return next;
}

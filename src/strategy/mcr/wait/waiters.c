/* See waiters.h. */
#include "strategy/mcr/wait/waiters.h"

#include "op/op.h"

#define WAITS       1u /* in bits 0-1 */
#define OBJECT(v)   ((uint32_t)((v) >> 2))
#define TICKET(v)   ((uint32_t)((v) >> 34))
#define VALUE(c, n) ((uint64_t)(n) << 34 | (uint64_t)(c) << 2 | WAITS)

/* A ticket: those with a higher priority have lower ones, and among equals those who came sooner. */
#define ORDER(ticket)       ((ticket)&0xfffffu)
#define RANKED(order, rank) ((order) | (255u - (rank)) << 20)

uint32_t waiters_cell(const struct tries *t, uint32_t thread)
{
        return t->threads.at[thread] ? t->cells.at[t->threads.at[thread]].wait : 0;
}

const struct node *waiters_before(const struct tries *t, uint32_t at)
{
        const struct node *unlock = &t->nodes.at[t->nodes.at[at].parent], *wait = &t->nodes.at[unlock->parent];

        /* one that ends there has given the wait up */
        return unlock->op == OP_MUTEX_UNLOCK && wait->op == OP_COND_WAIT && unlock->result != TRIES_CANCELLED ? wait
                                                                                                              : NULL;
}

uint32_t waiters_make(struct tries *t, uint32_t thread)
{
        uint32_t cell = tries_cell_make(t, CELL_WAIT, thread, 0), of = tries_thread(t, thread);

        t->cells.at[of].wait = cell;
        return cell;
}

bool waiters_over(const struct tries *t, const uint64_t *now, uint32_t thread)
{
        uint32_t cell = waiters_cell(t, thread);

        return !cell || (now[cell] & 3) != WAITS;
}

bool waiters_has(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread)
{
        uint32_t cell = waiters_cell(t, thread);

        return cell && (now[cell] & 3) == WAITS && (OBJECT(now[cell]) & UINT32_C(0x3fffffff)) == object;
}

uint32_t waiters_from(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread)
{
        for (; thread < t->threads.n; thread++)
                if (waiters_has(t, now, object, thread))
                        return thread + 1;
        return 0;
}

static uint32_t last_ticket(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t rank)
{
        uint32_t order = 0;

        for (uint32_t w = 0; (w = waiters_from(t, now, object, w)) != 0;)
                if (ORDER(TICKET(now[waiters_cell(t, w - 1)])) > order)
                        order = ORDER(TICKET(now[waiters_cell(t, w - 1)]));
        return RANKED(order + 1, rank);
}

uint64_t waiters_signalled(const struct tries *t, uint32_t thread)
{
        return t->cells.at[t->threads.at[thread]].cancel ? WAITERS_SIGNALLED : 0;
}

uint64_t waiters_last(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t rank)
{
        return VALUE(object, last_ticket(t, now, object, rank));
}

static uint32_t policy(const struct tries *t, uint32_t op)
{
        switch (op_object(op)) {
        case OP_OBJ_MUTEX: return t->wakeup[WIRE_PRIM_MUTEX];
        case OP_OBJ_COND: return t->wakeup[WIRE_PRIM_COND];
        case OP_OBJ_SEM: return t->wakeup[WIRE_PRIM_SEM];
        case OP_OBJ_RWLOCK: return t->wakeup[WIRE_PRIM_RWLOCK];
        default: return WIRE_WAKEUP_ARBITRARY;
        }
}

bool waiters_ordered(const struct tries *t, uint32_t op)
{
        return policy(t, op) == WIRE_WAKEUP_FIFO || policy(t, op) == WIRE_WAKEUP_LIFO ||
               policy(t, op) == WIRE_WAKEUP_PRIORITY;
}

bool waiters_ranked(const struct tries *t, uint32_t op)
{
        return policy(t, op) == WIRE_WAKEUP_PRIORITY;
}

uint32_t waiters_next(const struct tries *t, const uint64_t *now, uint32_t op, uint32_t object, uint32_t except)
{
        uint32_t next = 0, ticket = 0;

        for (uint32_t w = 0; (w = waiters_from(t, now, object, w)) != 0;) {
                uint32_t his = TICKET(now[waiters_cell(t, w - 1)]);
                if (w == except + 1 || (next && (policy(t, op) == WIRE_WAKEUP_LIFO ? his < ticket : his > ticket)))
                        continue;
                next = w;
                ticket = his;
        }
        return next;
}

uint32_t waiters_next_with(const struct tries *t, const uint64_t *now, uint32_t op, uint32_t object, uint32_t thread,
                           uint32_t rank)
{
        uint32_t next = waiters_next(t, now, op, object, thread), own = last_ticket(t, now, object, rank);

        if (!next || policy(t, op) == WIRE_WAKEUP_LIFO)
                return thread + 1;
        return TICKET(now[waiters_cell(t, next - 1)]) < own ? next : thread + 1;
}

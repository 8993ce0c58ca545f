/* Waiting in a queue: see queue.h. */
#include "rt/sync/queue.h"

#include "rt/threads.h"

bool queue_before(const struct object *o, const struct thread *a, const struct thread *b)
{
        if (o->policy == WIRE_WAKEUP_LIFO)
                return a->wait.ticket > b->wait.ticket;
        if (o->policy == WIRE_WAKEUP_PRIORITY && a->identity.rank != b->identity.rank)
                return a->identity.rank > b->identity.rank;
        return a->wait.ticket < b->wait.ticket;
}

static void find_next(struct object *o)
{
        const struct thread *first = NULL;

        for (uint32_t i = 0; i < ex.n_threads; i++) {
                const struct thread *t = &threads[i];
                if (t->wait.queued == o && t->state == WIRE_T_READY && (!first || queue_before(o, t, first)))
                        first = t;
        }
        o->state = (o->state & ~OP_NEXT_BITS) | (first ? (uint64_t)(first->id + 1u) << 44 : 0);
}

void queue_join(struct thread *t, struct object *o)
{
        t->wait.queued = o;
        t->wait.ticket = ++o->ticket;
        find_next(o);
}

void queue_leave(struct thread *t, struct object *o)
{
        t->wait.queued = NULL;
        find_next(o);
}

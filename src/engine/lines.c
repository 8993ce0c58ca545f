/*
 * See lines.h.  Invariant: an access of a trace that may come before or after a transaction of another thread is in the table.  Objects
 * count by the lines they lie in.  Not in it are accesses of a thread while all others are still to be created, or were joined: they are
 * ordered with everything that those do.
 */
#include "engine/lines.h"

#include "base/deadline.h"
#include "op/op.h"

#define LINES_MANY UINT32_MAX

void lines_fini(struct lines *l)
{
        ptrmap_fini(&l->at, NULL);
        vec_fini(&l->users);
}

static struct line_users *users_of(struct lines *l, uint64_t line)
{
        uintptr_t i = (uintptr_t)ptrmap_find(&l->at, line);

        if (i)
                return &l->users.at[i - 1];
        if (!vec_reserve(&l->users, 1) || ptrmap_insert(&l->at, line, (void *)((uintptr_t)l->users.n + 1)))
                return NULL;
        *vec_push(&l->users) = (struct line_users){0};
        return &l->users.at[l->users.n - 1];
}

static void add(uint32_t *user, uint32_t owner)
{
        if (*user != owner + 1)
                *user = *user ? LINES_MANY : owner + 1;
}

static bool by_another(uint32_t user, uint32_t owner)
{
        return user && user != owner + 1;
}

/* A plain access that is not a preemption point, or a line of a transaction that was to abort by a conflict. */
static void add_inner(struct lines *l, struct line_users *u, const struct wire_event *e, uint32_t owner)
{
        bool reads = e->mode == WIRE_MODE_READ || e->mode == WIRE_MODE_LINE_READ;

        if (u->points != l->points) {
                u->points = l->points;
                u->inner_reader = u->inner_writer = u->tried_reader = u->tried_writer = 0;
        }
        if (e->op == OP_TXN_LINE) {
                add(reads ? &u->tried_reader : &u->tried_writer, owner);
                l->shared |= by_another(u->inner_writer, owner) || (!reads && by_another(u->inner_reader, owner));
        } else if (op_has(e->op, OPF_PLAIN) && !(e->flags & (WIRE_EV_SCHED | WIRE_EV_SECTION))) {
                add(reads ? &u->inner_reader : &u->inner_writer, owner);
                l->shared |= by_another(u->tried_writer, owner) || (!reads && by_another(u->tried_reader, owner));
        }
}

static bool add_access(struct lines *l, const struct wire_event *e, uint32_t owner, bool most, uint32_t line_size)
{
        uint64_t last = (e->obj + (e->size ? e->size - 1 : 0)) / line_size;

        for (uint64_t line = e->obj / line_size; line <= last && !late_soon(); line++) {
                struct line_users *u = users_of(l, line);

                if (!u)
                        return false;
                if (most)
                        add_inner(l, u, e, owner);
                if (e->op != OP_TXN_LINE)
                        add(e->mode == WIRE_MODE_READ ? &u->reader : &u->writer, owner);
        }
        return true;
}

bool lines_learn(struct lines *l, const struct trace *t, bool offered, uint64_t points, uint32_t known,
                 uint32_t line_size)
{
        uint32_t others = 0; /* threads that were created and not joined */
        bool most = points >= l->points;

        if (!l->on || points != l->last)
                known = 0;
        l->last = points;
        l->shared &= points <= l->points;
        l->points = most ? points : l->points;
        l->on |= offered;
        for (uint32_t i = 0; i < t->n_events && l->on && !late_soon(); i++) {
                const struct wire_event *e = &t->events[i];

                others += e->op == OP_CREATE;
                others -= e->op == OP_JOIN && !(e->flags & (WIRE_EV_FAILED | WIRE_EV_LAST)) && others;
                if (i >= known && others && e->mode != WIRE_MODE_NONE && e->obj != WIRE_OBJ_TXN &&
                    !add_access(l, e, trace_owner(t, e->actor), most, line_size))
                        return false;
        }
        return true;
}

bool lines_conflict(const struct lines *l, const struct wire_txn_read *reads, uint32_t n, uint32_t owner,
                    uint32_t line_size)
{
        for (uint32_t i = 0; i < n; i++) {
                uint64_t last = (reads[i].obj + (reads[i].size ? reads[i].size - 1 : 0)) / line_size;

                for (uint64_t line = reads[i].obj / line_size; line <= last; line++) {
                        uintptr_t k = (uintptr_t)ptrmap_find(&l->at, line);
                        const struct line_users *u = k ? &l->users.at[k - 1] : NULL;

                        if (u && (by_another(u->writer, owner) ||
                                  (reads[i].mode != WIRE_MODE_LINE_READ && by_another(u->reader, owner))))
                                return true;
                }
        }
        return false;
}

/* Deadlines: see timed.h. */
#include "rt/sync/timed.h"

#include <errno.h>

#include "rt/notes.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/world/time.h"

static struct timed_row *row_of(struct wait_state *w, uintptr_t site)
{
        struct timed_row *r;

        for (uint32_t i = 0; i < WAIT_ROWS && i < w->n_rows; i++)
                if (w->rows[i].site == site)
                        return &w->rows[i];
        r = &w->rows[w->n_rows++ % WAIT_ROWS];
        *r = (struct timed_row){.site = site};
        return r;
}

/* Follows from what the thread itself has done, like all that decides what it waits for. */
bool timed_explored(struct thread *t, uintptr_t site)
{
        uint32_t limit = rt.flags & WIRE_FAIR && !rt.segments ? rt.down->timeout_limit : 0;
        struct timed_row *r;

        if (rt.down->timeouts != WIRE_TIMEOUTS_EXPLORE)
                return false;
        r = t->wait.row = row_of(&t->wait, site);
        r->n = r->out ? r->n : 0;
        r->out = false;
        if (!limit || r->n < limit)
                return true;
        rt.stuck = true;
        rt_note_incomplete(REASON_TIMEOUT_ROUNDS, NULL);
        return false;
}

void timed_count(struct thread *t)
{
        struct timed_row *r = t->wait.row;

        rt.up->timeouts++;
        if (!r)
                return;
        r->out = true;
        if (++r->n > rt.up->timeout_row)
                rt.up->timeout_row = r->n;
}

int timed_begin(struct thread *t, struct timed *d, clockid_t clock, const struct timespec *ts, uintptr_t site)
{
        int err = rt_deadline(clock, ts, &d->at, site);

        d->looks = !err && (timed_explored(t, site) || d->at <= t->clock.vtime);
        return err;
}

enum arrival timed_arrive(struct thread *t, const struct timed *d, uint32_t looks, uint32_t waits, struct object *o,
                          uintptr_t site)
{
        enum arrival how;

        if (!d || rt.down->timeouts == WIRE_TIMEOUTS_NEVER || d->looks)
                return op_arrive(t, d && d->looks ? looks : waits, o->addr, 8, o, site);
        t->wait.deadline = d->at;
        how = op_arrive(t, waits, o->addr, 8, o, site);
        t->wait.deadline = RT_NO_DEADLINE;
        return how;
}

int timed_pass(struct thread *t, struct wire_event *e, const struct timed *d)
{
        speculation_kernel(t); /* it was contended */
        if (t->wait.let_go && e)
                e->flags |= WIRE_EV_LAST;
        t->wait.let_go = false;
        if (d->at > t->clock.vtime)
                t->clock.vtime = d->at;
        timed_count(t);
        return ETIMEDOUT;
}

int timed_out(struct thread *t, enum arrival how, struct object *o, const struct timed *d)
{
        struct wire_event *e = op_log(t, how, WIRE_MODE_READ, o->state);

        e->flags |= WIRE_EV_FAILED;
        if (how != ARRIVE_PRIVATE)
                spin_read(t, o->addr, 8);
        return timed_pass(t, e, d);
}

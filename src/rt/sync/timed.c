/* Deadlines: see timed.h. */
#include "rt/sync/timed.h"

#include <errno.h>

#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/world/time.h"

int timed_begin(struct thread *t, struct timed *d, clockid_t clock, const struct timespec *ts, uintptr_t site)
{
        int err = rt_deadline(clock, ts, &d->at, site);

        d->looks = !err && (rt.down->timeouts == WIRE_TIMEOUTS_EXPLORE || d->at <= t->clock.vtime);
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
        if (t->wait.let_go && e)
                e->flags |= WIRE_EV_LAST;
        t->wait.let_go = false;
        if (d->at > t->clock.vtime)
                t->clock.vtime = d->at;
        rt.up->timeouts++;
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

/*
 * Waiting, as the model knows it: mutexes, semaphores, read-write locks and spinlocks, with deadlines and in queues.
 */
#include "state.h"

void take_mutex(struct state *s, int t, int m)
{
        s->owner[m] = (int8_t)(t + 1);
        s->depth[m]++;
}

void drop_mutex(struct state *s, int m)
{
        if (--s->depth[m] == 0)
                s->owner[m] = 0;
}

/* A thread that ends must hold nothing. */
void end_thread(struct state *s, int t)
{
        bool holds = s->spin == t + 1;
        for (int m = 0; m < N_MUTEXES; m++)
                holds |= s->owner[m] == t + 1;
        for (int l = 0; l < N_RWLOCKS; l++)
                holds |= s->rw[l].writer == t + 1 || (s->rw[l].held >> (2 * t) & 3) != 0;
        s->t[t].status = holds ? S_FAILED : S_DONE;
        s->t[t].failure = holds ? FAIL_MISUSE : 0;
}

void take_rw(struct state *s, const struct instruction *i, int t)
{
        if (writes(i->code))
                s->rw[i->obj].writer = (int8_t)(t + 1);
        else
                read_lock(s, t, i->obj, 1);
}

/* The thread takes, or gives back, the lock for reading. */
void read_lock(struct state *s, int t, int l, int delta)
{
        s->rw[l].readers = (int8_t)(s->rw[l].readers + delta);
        s->rw[l].held = (int16_t)(s->rw[l].held + delta * (1 << (2 * t)));
}

bool acquires(enum code code)
{
        switch (code) {
        case C_LOCK: case C_LOCK_CHECKED: case C_TIMEDLOCK: case C_RELOCK: case C_TRELOCK: case C_SEM_WAIT:
        case C_SEM_TIMED: case C_RD: case C_WR: case C_TIMEDRD: case C_TIMEDWR: case C_SPINLOCK:
                return true;
        default:
                return false;
        }
}

bool is_sem(enum code code)
{
        return code == C_SEM_WAIT || code == C_SEM_TIMED;
}

bool is_rw(enum code code)
{
        return code == C_RD || code == C_WR || code == C_TIMEDRD || code == C_TIMEDWR;
}

bool writes(enum code code)
{
        return code == C_WR || code == C_TIMEDWR || code == C_TRYWR;
}

/* It holds the lock already, and is told so or may have it again. */
static bool has_it(const struct state *s, const struct instruction *i, int t)
{
        if (is_rw(i->code))
                return s->rw[i->obj].writer == t + 1;
        if (is_sem(i->code) || i->code == C_SPINLOCK || i->code == C_RELOCK || i->code == C_TRELOCK)
                return false;
        return i->obj >= 2 && s->owner[i->obj] == t + 1;
}

bool is_free(const struct state *s, const struct instruction *i)
{
        if (is_rw(i->code) || i->code == C_TRYRD || i->code == C_TRYWR)
                return s->rw[i->obj].writer == 0 && (writes(i->code) ? s->rw[i->obj].readers == 0 : i->obj == 0 || s->rw[i->obj].waiting == 0);
        if (is_sem(i->code))
                return s->sem[i->obj] > 0;
        return i->code == C_SPINLOCK ? s->spin == 0 : s->owner[i->obj] == 0;
}

/* Under the policy others can tell that it waits; writers of a lock that prefers them always. */
static bool queues(const struct compiled *c, const struct instruction *i)
{
        if (is_rw(i->code))
                return i->obj == 1 && writes(i->code);
        return i->code != C_SPINLOCK && c->settings->policy != ARBITRARY;
}

static bool same_queue(const struct instruction *a, const struct instruction *b)
{
        return a->obj == b->obj && is_sem(a->code) == is_sem(b->code) && is_rw(a->code) == is_rw(b->code);
}

/* Does a thread wait in the queue of this instruction?  With t: before that thread. */
bool queue_before(const struct state *s, const struct compiled *c, const struct instruction *i, int t)
{
        for (int u = 0; u < MAX_THREADS; u++) {
                if (!s->t[u].queued || s->t[u].status != S_RUNS || u == t ||
                    !same_queue(i, &c->code[u][s->t[u].pc]))
                        continue;
                if (t < 0 || (c->settings->policy == FIFO ? s->t[u].ticket < s->t[t].ticket
                                                          : s->t[u].ticket > s->t[t].ticket))
                        return true;
        }
        return false;
}

/* The second of two steps, or the only one: may it have the lock? */
static bool obtains(const struct state *s, const struct compiled *c, int t)
{
        const struct instruction *i = &c->code[t][s->t[t].pc];
        if ((i->code == C_RELOCK || i->code == C_TRELOCK) && !s->t[t].signalled && !s->t[t].cancelled && !s->t[t].leaving)
                return false;
        if (!is_rw(i->code) && queues(c, i) && queue_before(s, c, i, t))
                return false;
        return has_it(s, i, t) || is_free(s, i);
}

bool has_deadline(const struct state *s, const struct instruction *i, int t)
{
        return i->code == C_TIMEDLOCK || i->code == C_SEM_TIMED || i->code == C_TIMEDRD || i->code == C_TIMEDWR ||
               (i->code == C_TIMEDJOIN && s->t[i->obj].status != S_DONE) ||
               (i->code == C_TRELOCK && !s->t[t].signalled && !s->t[t].leaving);
}

bool can_acquire(const struct state *s, const struct compiled *c, int t)
{
        const struct instruction *i = &c->code[t][s->t[t].pc];
        bool back = i->code == C_RELOCK || i->code == C_TRELOCK;
        if (has_deadline(s, i, t) && c->settings->timeouts == EXPLORE)
                return true;
        if (queues(c, i) && !s->t[t].queued)
                return !back || s->t[t].signalled || s->t[t].cancelled;
        return obtains(s, c, t);
}

void join_queue(struct state *s, int t)
{
        int8_t last = 0;
        for (int u = 0; u < MAX_THREADS; u++)
                if (s->t[u].ticket > last)
                        last = s->t[u].ticket;
        s->t[t].ticket = (int8_t)(last + 1);
        s->t[t].queued = 1;
}

bool passes_on(const struct state *s, const struct instruction *i, int t)
{
        return (i->code == C_RELOCK || i->code == C_TRELOCK) && s->t[t].cancelled && !s->t[t].leaving &&
               !s->t[t].queued && s->t[t].signalled == 1;
}

void acquire(struct state *s, const struct compiled *c, int t, int answer)
{
        const struct instruction *i = &c->code[t][s->t[t].pc];
        int64_t *tmp = &s->t[t].tmp;
        bool got = obtains(s, c, t), back = i->code == C_RELOCK || i->code == C_TRELOCK;

        bool waits = !s->t[t].signalled && c->settings->timeouts != EXPLORE && s->t[t].cancelled;
        if (i->code == C_TRELOCK && !s->t[t].signalled && !waits) { /* it times out, and wants the mutex next */
                s->t[t].waits = s->t[t].ticket = 0;
                s->t[t].signalled = 3;
                s->t[t].leaving = s->t[t].cancelled;
                return;
        }
        if (back && s->t[t].cancelled && s->t[t].signalled != 3 && !s->t[t].leaving) {
                if (passes_on(s, i, t) && s->t[answer].waits == i->value + 1) {
                        s->t[answer].waits = s->t[answer].ticket = 0;
                        s->t[answer].signalled = 1;
                }
                s->t[t].waits = 0;
                s->t[t].leaving = 1;
        }
        if (queues(c, i) && !s->t[t].queued && !has_it(s, i, t) && (!got || (!is_rw(i->code) && queue_before(s, c, i, -1)))) {
                join_queue(s, t);
                s->rw[i->obj & 1].waiting += is_rw(i->code);
                return;
        }
        if (s->t[t].queued && is_rw(i->code))
                s->rw[i->obj].waiting--;
        s->t[t].queued = s->t[t].ticket = 0;
        s->t[t].pc++;
        *tmp = back ? (s->t[t].signalled == 3 ? 6 : 5) : !got || (has_it(s, i, t) && (is_rw(i->code) || i->obj == 3));
        if (back)
                s->t[t].signalled = 0;
        else if (*tmp)
                return;
        if (is_rw(i->code))
                take_rw(s, i, t);
        else if (is_sem(i->code))
                s->sem[i->obj]--;
        else if (i->code == C_SPINLOCK)
                s->spin = (int8_t)(t + 1);
        else
                take_mutex(s, t, i->obj);
        if (s->t[t].leaving)
                end_thread(s, t);
        s->t[t].leaving = 0;
}


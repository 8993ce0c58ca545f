/* The pool of steps. */
#include "explore/wakeup.h"

#include <string.h>

#include "op/op.h"

/* A try that failed, a signal that found no waiter, and an operation of a plugin that left the state as it was only read.
 * What is not named here may do anything. */
enum wakeup_sure wakeup_sure_of(uint32_t op, const struct wire_access *a, uint32_t n)
{
        if (n > 1)
                return op == OP_COND_WAIT && n == 2 ? WAKEUP_SURE : WAKEUP_GUESS;
        switch (op) {
        case OP_READ:
        case OP_WRITE:
        case OP_LOAD:
        case OP_STORE:
        case OP_RMW:
        case OP_FREE:
        case OP_OBSERVE:
        case OP_CREATE:
        case OP_JOIN:
        case OP_EXIT:
        case OP_CHOOSE:
        case OP_PREEMPT:
        case OP_MUTEX_LOCK:
        case OP_MUTEX_UNLOCK:
        case OP_MUTEX_RELOCK:
        case OP_SEM_WAIT:
        case OP_SEM_POST:
        case OP_SEM_GETVALUE:
        case OP_MUTEX_QUEUE:
        case OP_MUTEX_REQUEUE:
        case OP_MUTEX_TURN:
        case OP_SEM_QUEUE:
        case OP_SEM_TURN:
        case OP_SEM_HAND:
        case OP_SPIN_LOCK:
        case OP_SPIN_UNLOCK:
        case OP_STREAM_LOCK:
        case OP_STREAM_UNLOCK:
        case OP_STREAM_USE:
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_WRLOCK:
        case OP_RWLOCK_UNLOCK:
        case OP_RWLOCK_QUEUE:
        case OP_RWLOCK_RDTURN:
        case OP_RWLOCK_WRTURN: return WAKEUP_SURE;
        case OP_CAS:
        case OP_MUTEX_TRYLOCK:
        case OP_SEM_TRYWAIT:
        case OP_MUTEX_TIMEDLOCK:
        case OP_SEM_TIMEDWAIT:
        case OP_SPIN_TRYLOCK:
        case OP_STREAM_TRYLOCK:
        case OP_RWLOCK_TRYWRLOCK:
        case OP_RWLOCK_TIMEDWRLOCK:
        case OP_COND_SIGNAL:
        case OP_COND_BROADCAST: return n && a->mode == WIRE_MODE_WRITE ? WAKEUP_SURE : WAKEUP_PLACE;
        default:
                if (op < OP_USER)
                        return WAKEUP_GUESS;
                return n && a->mode != WIRE_MODE_READ ? WAKEUP_SURE : WAKEUP_PLACE;
        }
}

uint32_t wakeup_add(struct wakeup *w, uint16_t actor, uint8_t op, const struct wire_access *acc, uint32_t n,
                    enum wakeup_sure sure)
{
        struct wakeup_step s = {.actor = actor, .op = op, .sure = (uint8_t)sure, .n_acc = n};
        uint32_t i = w->unused;

        if (n > 1) {
                s.many = malloc(n * sizeof *acc);
                if (!s.many)
                        return 0;
                memcpy(s.many, acc, n * sizeof *acc);
        } else if (n) {
                s.one = *acc;
        }
        if (i) {
                w->unused = w->steps.at[i].next;
        } else {
                if (!vec_reserve(&w->steps, 2)) {
                        if (n > 1)
                                free(s.many);
                        return 0;
                }
                w->steps.n += w->steps.n == 0; /* number 0 is none */
                i = w->steps.n++;
        }
        w->steps.at[i] = s;
        return i;
}

void wakeup_drop(struct wakeup *w, uint32_t step)
{
        struct wakeup_step *s = &w->steps.at[step];

        if (s->n_acc > 1)
                free(s->many);
        s->n_acc = 0;
        s->child = 0;
        s->next = w->unused;
        w->unused = step;
}

void wakeup_drop_list(struct wakeup *w, uint32_t list)
{
        while (list) { /* the children are put in front of what is left to do */
                uint32_t child = w->steps.at[list].child, next = w->steps.at[list].next;

                wakeup_drop(w, list);
                list = child ? child : next;
                if (!child || !next)
                        continue;
                while (w->steps.at[child].next)
                        child = w->steps.at[child].next;
                w->steps.at[child].next = next;
        }
}

void wakeup_fini(struct wakeup *w)
{
        for (uint32_t i = 1; i < w->steps.n; i++)
                if (w->steps.at[i].n_acc > 1)
                        free(w->steps.at[i].many);
        vec_fini(&w->steps);
        w->unused = 0;
}

void wakeup_save(const struct wakeup *w, struct stream *out)
{
        stream_put_u32(out, w->unused);
        stream_put_u32(out, w->steps.n);
        for (uint32_t i = 1; i < w->steps.n; i++) {
                const struct wakeup_step *s = &w->steps.at[i];
                uint32_t head[] = {s->next, s->child, s->actor, s->op, s->sure};

                stream_put(out, head, sizeof head);
                stream_put_array(out, wakeup_footprint(s), s->n_acc, sizeof s->one);
        }
}

static bool load_step(struct wakeup_step *s, struct stream *in)
{
        uint32_t head[5], n;
        struct wire_access *acc;

        stream_get(in, head, sizeof head);
        acc = stream_get_array(in, 1u << 28, sizeof *acc, &n);
        *s = (struct wakeup_step){.next = head[0], .child = head[1], .actor = (uint16_t)head[2], .op = (uint8_t)head[3],
                                  .sure = (uint8_t)head[4], .n_acc = acc ? n : 0};
        if (n > 1 && acc) {
                s->many = acc;
        } else {
                if (acc)
                        s->one = *acc;
                free(acc);
        }
        if (in->failed || head[2] >= WIRE_MAX_THREADS || head[3] >= OP_COUNT || head[4] > WAKEUP_SURE)
                return false;
        for (uint32_t i = 0; i < s->n_acc; i++)
                if (wakeup_footprint(s)[i].mode > WIRE_MODE_COMMUTE || wakeup_footprint(s)[i].op >= OP_COUNT)
                        return false;
        return true;
}

/* One more place that leads to step i.  Every step has one at most, so no list has a circle in it. */
static bool refer(uint8_t *seen, uint32_t i, uint32_t n)
{
        if (i == 0)
                return true;
        return i < n && !seen[i]++;
}

bool wakeup_load(struct wakeup *w, struct stream *in, const uint32_t *roots, uint32_t n_roots, uint32_t root)
{
        uint32_t unused = stream_get_u32(in), n = stream_get_max(in, 1u << 28);
        uint8_t *seen = calloc(n + 1, 1);
        bool ok = seen != NULL && !in->failed;

        wakeup_fini(w);
        for (uint32_t i = 0; i < n && ok; i++) {
                ok = vec_reserve(&w->steps, 1);
                if (!ok)
                        break;
                memset(vec_push(&w->steps), 0, sizeof *w->steps.at);
                ok = i == 0 || load_step(&w->steps.at[i], in);
        }
        for (uint32_t i = 1; i < n && ok; i++)
                ok = refer(seen, w->steps.at[i].next, n) && refer(seen, w->steps.at[i].child, n);
        for (uint32_t i = 0; i < n_roots && ok; i++)
                ok = refer(seen, roots[i], n);
        ok = ok && refer(seen, root, n) && refer(seen, unused, n);
        w->unused = unused;
        free(seen);
        return ok;
}

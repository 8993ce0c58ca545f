/* The steps of the model: which thread can make one, and what it does to the state. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* A place where a thread that is to be cancelled ends. */
static bool is_point(enum code code)
{
        return code == C_PIPE_WRITE || code == C_PIPE_READ || code == C_POLL || code == C_TESTCANCEL || code == C_JOIN ||
               code == C_SEM_WAIT || code == C_SEM_TIMED || code == C_WAIT || code == C_TWAIT;
}

/* Running. */

static int64_t load(const struct state *s, struct place at)
{
        const unsigned char *from = s->x + at.cell * 8 + at.index * at.size;
        int64_t v = 0;
        memcpy(&v, from, at.size);
        return at.size == 8 ? v : (int64_t)((uint64_t)v << (64 - 8 * at.size)) >> (64 - 8 * at.size);
}

static void store(struct state *s, struct place at, int64_t v)
{
        memcpy(s->x + at.cell * 8 + at.index * at.size, &v, at.size);
}

bool model_can_step(const struct state *s, const struct compiled *c, int t)
{
        if (s->t[t].status != S_RUNS)
                return false;
        const struct instruction *i = &c->code[t][s->t[t].pc];
        if (acquires(i->code))
                return (s->t[t].cancelled && is_point(i->code)) || can_acquire(s, c, t);
        if (s->t[t].cancelled && is_point(i->code))
                return true;
        switch (i->code) {
        case C_LEAVE:
                return s->t[t].met;
        case C_SPIN:
                return load(s, i->at) != 0;
        case C_JOIN:
                return s->t[i->obj].status == S_DONE;
        case C_PIPE_READ:
                return s->n_pipe > 0;
        case C_FUTEX_RETURN:
                return s->t[t].signalled;
        case C_TIMEDJOIN:
                return c->settings->timeouts == EXPLORE || s->handle[i->obj] || s->t[i->obj].status == S_DONE;
        case C_ROBUST:
                return s->robust == 0 || s->lost;
        case C_POLL:
                return i->value == 0 || s->n_pipe > 0 || (i->value == 2 && c->settings->timeouts == EXPLORE);
        default:
                return true;
        }
}

static void misuse(struct state *s, int t)
{
        s->t[t].status = S_FAILED;
        s->t[t].failure = FAIL_MISUSE;
}

/* Handles of threads, and the robust mutex. */
static void perform_end(struct state *s, int t, const struct instruction *i)
{
        int64_t *tmp = &s->t[t].tmp;
        switch (i->code) {
        case C_CLAIM: case C_DETACH:
                if (s->handle[i->obj])
                        misuse(s, t);
                else
                        s->handle[i->obj] = i->code == C_CLAIM ? 1 : 2;
                break;
        case C_TRYJOIN: case C_TIMEDJOIN:
                *tmp = s->t[i->obj].status == S_DONE ? 7 : 8;
                if (s->handle[i->obj])
                        misuse(s, t);
                else if (*tmp == 7)
                        s->handle[i->obj] = 1;
                break;
        case C_ROBUST:
                *tmp = s->lost ? 9 : s->died ? 6 : 5;
                if (!s->lost)
                        s->robust = (int8_t)(t + 1);
                break;
        case C_CONSISTENT:
                s->died = 0;
                break;
        case C_ROBUST_UNLOCK:
                s->robust = 0;
                s->lost |= s->died;
                break;
        case C_ABANDON:
                s->robust = 0;
                s->died = 1;
                break;
        default:
                break;
        }
}

static void fail(struct state *s, int t, enum fail why)
{
        s->t[t].status = S_FAILED;
        s->t[t].failure = (int8_t)why;
}

/* What a thread has read of the slot is in its tmp: a swap + 1, and, above 8 bits, the value of its block. */
static void perform_heap(struct state *s, int t, const struct instruction *i)
{
        int64_t *tmp = &s->t[t].tmp;
        int old = (int)(*tmp & 255) - 1;
        switch (i->code) {
        case C_PEEK:
                *tmp = 3;
                if (s->block)
                        fail(s, t, FAIL_USED);
                break;
        case C_REUSE:
                if (s->block)
                        fail(s, t, FAIL_FREED);
                s->block = 1;
                break;
        case C_SLOT_READ:
                *tmp = s->slot;
                break;
        case C_SLOT_WRITE:
                s->slot = (int8_t)(i->obj + 1);
                s->swapped[i->obj] = 1;
                s->value[i->obj] = (int8_t)i->value;
                break;
        case C_OLD_READ:
                if (old >= 0 && s->swapped[old] == 2)
                        fail(s, t, FAIL_USED);
                else if (old >= 0)
                        *tmp |= (int64_t)s->value[old] << 8;
                break;
        case C_OLD_FREE:
                if (old >= 0 && s->swapped[old] == 2)
                        fail(s, t, FAIL_FREED);
                else if (old >= 0)
                        s->swapped[old] = 2;
                *tmp >>= 8;
                break;
        default:
                break;
        }
}

static void perform_call(struct state *s, int t, const struct instruction *i, int answer)
{
        int64_t *tmp = &s->t[t].tmp;
        switch (i->code) {
        case C_FUTEX_WAIT:
                *tmp = load(s, i->at) == i->value ? 0 : 9;
                s->t[t].waits = (int8_t)(*tmp ? 0 : FUTEXES + i->at.cell);
                s->t[t].signalled = 0;
                s->t[t].pc += *tmp != 0;
                break;
        case C_FUTEX_RETURN:
                s->t[t].signalled = 0;
                break;
        case C_FUTEX_WAKE:
                *tmp = 0;
                for (int u = 0; u < MAX_THREADS; u++)
                        if (s->t[u].waits == FUTEXES + i->at.cell && (i->value > 1 || u == answer)) {
                                s->t[u].waits = 0;
                                s->t[u].signalled = 1;
                                ++*tmp;
                        }
                break;
        case C_REQUEUE:
                *tmp = 0;
                for (int u = 0; u < MAX_THREADS; u++)
                        if (s->t[u].waits == FUTEXES + i->at.cell) {
                                bool woken = i->value == 1 && u == answer;
                                s->t[u].waits = (int8_t)(woken ? 0 : FUTEXES + i->from.cell);
                                s->t[u].signalled = woken;
                                ++*tmp;
                        }
                break;
        case C_POLL:
                *tmp = s->n_pipe > 0 ? 8 : 7;
                break;
        case C_PIPE_WRITE:
                s->pipe[s->n_pipe++] = (int8_t)i->value;
                break;
        case C_PIPE_READ:
                *tmp = s->pipe[0];
                memmove(s->pipe, s->pipe + 1, PIPE - 1);
                s->pipe[PIPE - 1] = 0;
                s->n_pipe--;
                break;
        case C_CANCEL:
                s->t[i->obj].cancelled = 1;
                break;
        default:
                break;
        }
}

/* The step without its answers: those of signal and choose are given. */
void model_perform(struct state *s, const struct compiled *c, int t, int answer)
{
        const struct instruction *i = &c->code[t][s->t[t].pc];
        int64_t *tmp = &s->t[t].tmp, old;
        if (acquires(i->code) && !(s->t[t].cancelled && is_point(i->code))) {
                acquire(s, c, t, answer);
                return;
        }
        s->t[t].pc++;
        if (s->t[t].cancelled && is_point(i->code)) {
                end_thread(s, t);
                return;
        }
        perform_call(s, t, i, answer);
        perform_end(s, t, i);
        perform_heap(s, t, i);
        switch (i->code) {
        case C_READ:
                *tmp = load(s, i->at);
                break;
        case C_WRITE:
                store(s, i->at, i->value);
                break;
        case C_WRITE_SUM:
                store(s, i->at, *tmp + i->value);
                break;
        case C_ADD: case C_XCHG:
                *tmp = load(s, i->at);
                store(s, i->at, i->code == C_ADD ? *tmp + i->value : i->value);
                break;
        case C_CAS:
                *tmp = load(s, i->at) == i->value;
                if (*tmp)
                        store(s, i->at, i->value2);
                break;
        case C_TRYLOCK:
                *tmp = !((s->owner[i->obj] == 0 && !queue_before(s, c, i, -1)) ||
                         (i->obj == 2 && s->owner[i->obj] == t + 1));
                if (!*tmp)
                        take_mutex(s, t, i->obj);
                break;
        case C_TRYRD: case C_TRYWR:
                *tmp = !is_free(s, i);
                if (!*tmp)
                        take_rw(s, i, t);
                break;
        case C_RWUNLOCK:
                if (s->rw[i->obj].writer == t + 1)
                        s->rw[i->obj].writer = 0;
                else if (s->rw[i->obj].held >> (2 * t) & 3)
                        read_lock(s, t, i->obj, -1);
                else
                        misuse(s, t);
                break;
        case C_SPINTRY:
                *tmp = s->spin != 0;
                if (!*tmp)
                        s->spin = (int8_t)(t + 1);
                break;
        case C_SPINUNLOCK:
                s->spin = 0;
                break;
        case C_ARRIVE:
                s->arrived |= (int8_t)(1 << t);
                if (__builtin_popcount((unsigned)s->arrived) == BARRIER) {
                        for (int u = 0; u < MAX_THREADS; u++)
                                if (s->arrived >> u & 1)
                                        s->t[u].met = u == answer ? 2 : 1;
                        s->arrived = 0;
                }
                break;
        case C_LEAVE:
                *tmp = s->t[t].met == 2 ? 7 : 8;
                s->t[t].met = 0;
                break;
        case C_UNLOCK:
                drop_mutex(s, i->obj);
                break;
        case C_WAIT: case C_TWAIT:
                drop_mutex(s, i->value);
                if (answer == 1) {
                        s->spurious[i->obj]++;
                        s->t[t].signalled = 2;
                        break;
                }
                join_queue(s, t);
                s->t[t].queued = 0;
                s->t[t].waits = (int8_t)(i->obj + 1);
                s->t[t].signalled = 0;
                break;
        case C_SIGNAL: case C_BROADCAST:
                for (int u = 0; u < MAX_THREADS; u++)
                        if (s->t[u].waits == i->obj + 1 && (i->code == C_BROADCAST || u == answer)) {
                                s->t[u].waits = s->t[u].ticket = 0;
                                s->t[u].signalled = i->code == C_BROADCAST ? 2 : 1;
                        }
                break;
        case C_SEM_TRYWAIT:
                *tmp = s->sem[i->obj] > 0 && !queue_before(s, c, &(struct instruction){.code = C_SEM_WAIT, .obj = i->obj}, -1) ? 0 : -1;
                s->sem[i->obj] -= *tmp == 0;
                break;
        case C_SEM_POST:
                s->sem[i->obj]++;
                break;
        case C_SEM_VALUE:
                *tmp = s->sem[i->obj];
                break;
        case C_BOX:
                old = s->box;
                if (i->value >= 0)
                        s->box = i->value;
                *tmp = old;
                break;
        case C_CHOOSE:
                *tmp = answer;
                break;
        case C_RESULT:
                s->r[t] = (int64_t)s->t[t].h;
                break;
        case C_SPAWN:
                s->t[i->obj].status = S_RUNS;
                s->t[i->obj].h = 1;
                break;
        case C_RETURN:
                for (int k = 0; k < N_CELLS; k++)
                        s->seen_x[k] = load(s, (struct place){(uint8_t)k, 8, 0});
                memcpy(s->seen_r, s->r, sizeof(s->r));
                s->observed = 1;
                s->exit_status = !i->obj && c->p->status_value >= 0 && *tmp == c->p->status_value;
                break;
        case C_LEFT:
                s->t[t].status = S_EXITED;
                break;
        case C_ATEXIT:
                s->registered[s->n_registered++] = (int8_t)i->obj;
                break;
        case C_POP:
                s->t[t].pc = i->target;
                if (s->n_registered) {
                        s->t[t].pc = s->registered[--s->n_registered] ? i->value : i->obj;
                        s->registered[s->n_registered] = 0;
                }
                break;
        case C_KEY:
                s->t[t].keyed = 1;
                break;
        case C_KEYED:
                *tmp = s->t[t].keyed;
                break;
        case C_SEE: case C_SEE_CONST:
                s->t[t].h = s->t[t].h * 16 + (uint64_t)(i->code == C_SEE ? *tmp : i->value);
                break;
        case C_UNLESS:
                if (*tmp != i->value)
                        s->t[t].pc = i->target;
                break;
        case C_GOTO:
                s->t[t].pc = i->target;
                break;
        case C_FAIL_IF:
                if (*tmp == i->value) {
                        s->t[t].status = S_FAILED;
                        s->t[t].failure = (int8_t)i->obj;
                }
                break;
        case C_ASSUME_NOT:
                if (*tmp == i->value)
                        s->t[t].status = S_ASSUME;
                break;
        case C_END:
                end_thread(s, t);
                break;
        default: /* waiting is all that they do */
                break;
        }
}

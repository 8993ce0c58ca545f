/*
 * What a program may do, found without heddle: the tree is compiled to a few instructions per thread, and every
 * reachable state of their interleavings is visited once.
 *
 * An instruction that other threads can notice is one step; local ones belong to the step before them.  Loops that wait
 * for a value are a single instruction that is enabled when the value is there.  Nothing here knows about dependence,
 * so a wrong rule in heddle, of dependence or of enabledness, cannot be repeated here.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STATES (1u << 17)
#define FUTEXES    10 /* the queue of cell 0 */

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

static bool can_step(const struct state *s, const struct compiled *c, int t)
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

/* What a thread has read of the slot stands in its tmp: a swap + 1, and, above 8 bits, the value of its block. */
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
static void perform(struct state *s, const struct compiled *c, int t, int answer)
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
                s->exit_status = c->p->status_value >= 0 && *tmp == c->p->status_value;
                s->t[t].status = S_EXITED;
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

/* Visiting every state once. */

struct visited {
        struct state *states;
        uint32_t n, *table; /* index + 1 */
};

#define TABLE (4u * MAX_STATES)

static bool visit(struct visited *v, const struct state *s)
{
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        const uint64_t *words = (const uint64_t *)(const void *)s;
        _Static_assert(sizeof(*s) % 8 == 0, "a state is hashed by words");
        for (size_t i = 0; i < sizeof(*s) / 8; i++)
                hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
        uint32_t at = (uint32_t)(hash % TABLE);
        for (; v->table[at]; at = (at + 1) % TABLE)
                if (memcmp(&v->states[v->table[at] - 1], s, sizeof(*s)) == 0)
                        return true;
        if (v->n == MAX_STATES)
                return false;
        v->states[v->n++] = *s;
        v->table[at] = v->n;
        return true;
}

/* Whom thread t waits for, or -1. */
static int waits_for(const struct state *s, const struct compiled *c, int t)
{
        const struct instruction *i = &c->code[t][s->t[t].pc];
        if (s->t[t].status != S_RUNS)
                return -1;
        if (i->code == C_JOIN)
                return i->obj;
        if (i->code == C_SPINLOCK)
                return s->spin - 1;
        if (i->code == C_ROBUST)
                return s->robust - 1;
        if (i->code == C_TIMEDJOIN)
                return i->obj;
        if (is_rw(i->code))
                return s->rw[i->obj].writer - 1;
        if (!acquires(i->code) || is_sem(i->code) ||
            ((i->code == C_RELOCK || i->code == C_TRELOCK) && !s->t[t].signalled))
                return -1;
        return s->owner[i->obj] - 1;
}

/* A deadlock.  Reports tell one with a cycle by its cycle alone, so only the others are told apart here. */
static void note_stuck(const struct state *s, const struct compiled *c, struct behaviour *b)
{
        unsigned bits = 0;
        for (int t = 0; t < MAX_THREADS; t++) {
                int at = t;
                for (int n = 0; at >= 0 && n < MAX_THREADS; n++)
                        at = waits_for(s, c, at);
                if (at >= 0)
                        return;
                bits |= (unsigned)(s->t[t].status == S_RUNS) << t;
        }
        b->stuck[bits] = true;
}

/* The end of an execution that did not fail: blocks that are there and not in the slot are lost.  What a thread that waits
 * has on its stack is not known. */
static void note_lost(const struct state *s, bool waits, struct behaviour *b)
{
        for (int i = 0; i < MAX_SWAPS; i++) {
                bool lost = s->swapped[i] == 1 && s->slot != i + 1;
                *(lost ? &b->lost : &b->kept) |= UINT64_C(1) << i;
                if (lost && waits)
                        b->known = false;
        }
        b->fails[FAIL_LEAK] = (b->lost & b->kept) != 0;
}

/* No thread can go on: what has come of it? */
static void finish(const struct state *s, const struct compiled *c, struct behaviour *b)
{
        bool failed = false, assumed = false, waits = false, spins = false, exited = s->t[0].status == S_EXITED;
        for (int t = 0; t < MAX_THREADS; t++) {
                failed |= s->t[t].status == S_FAILED;
                assumed |= s->t[t].status == S_ASSUME;
                waits |= s->t[t].status == S_RUNS;
                spins |= s->t[t].status == S_RUNS && c->code[t][s->t[t].pc].code == C_SPIN;
                if (s->t[t].status == S_FAILED)
                        b->fails[(int)s->t[t].failure] = true;
        }
        if (exited && s->exit_status)
                b->fails[FAIL_STATUS] = true;
        if (waits && !exited && !failed && !assumed) {
                b->fails[spins ? FAIL_LIVELOCK : FAIL_DEADLOCK] = true;
                if (!spins)
                        note_stuck(s, c, b);
        }
        if (!failed && !assumed && (exited ? !s->exit_status : !waits))
                note_lost(s, waits, b);
        if (!exited) /* an assumption that fails beside the exit may as well come after it */
                return;
        struct observed o;
        memcpy(o.x, s->seen_x, sizeof(o.x));
        memcpy(o.r, s->seen_r, sizeof(o.r));
        for (int i = 0; i < b->n; i++)
                if (memcmp(&b->seen[i], &o, sizeof(o)) == 0)
                        return;
        if (b->n < MAX_OBSERVED)
                b->seen[b->n++] = o;
        else
                b->known = false;
}

/* Is it an answer to the question that instruction i of thread t asks? */
static bool possible(const struct state *s, const struct compiled *c, const struct instruction *i, int t, int answer)
{
        bool waiter = false, before = false, futex = i->code == C_FUTEX_WAKE || i->code == C_REQUEUE;
        int queue;
        switch (i->code) {
        case C_WAIT: case C_TWAIT:
                return answer == 0 || s->spurious[i->obj] < c->settings->spurious;
        case C_ARRIVE:
                if (__builtin_popcount((unsigned)s->arrived) + 1 < BARRIER)
                        return answer == 0;
                return answer == t || (s->arrived >> answer & 1);
        case C_SIGNAL: case C_FUTEX_WAKE: case C_REQUEUE: case C_RELOCK: case C_TRELOCK:
                if (futex ? i->value != 1 : i->code != C_SIGNAL && !passes_on(s, i, t))
                        return answer == 0;
                queue = futex ? FUTEXES + i->at.cell : (i->code == C_SIGNAL ? i->obj : i->value) + 1;
                for (int u = 0; u < MAX_THREADS; u++) {
                        bool waits = s->t[u].waits == queue;
                        waiter |= waits;
                        before |= waits && !futex && (c->settings->policy == FIFO   ? s->t[u].ticket < s->t[answer].ticket
                                            : c->settings->policy == LIFO ? s->t[u].ticket > s->t[answer].ticket
                                                                          : false);
                }
                return waiter ? s->t[answer].waits == queue && !before : answer == 0;
        default:
                return true;
        }
}

static bool expand(struct visited *v, const struct compiled *c, const struct state *from, int t);

/* One step of a thread, with everything local that follows.  What follows in an atomic section may have several answers. */
static bool advance(struct visited *v, const struct compiled *c, struct state *s, int t, int answer)
{
        perform(s, c, t, answer);
        while (s->t[t].status == S_RUNS) {
                const struct instruction *i = &c->code[t][s->t[t].pc];
                if (i->glued && i->code < C_LOCAL)
                        return expand(v, c, s, t);
                if (i->code < C_LOCAL || (i->code == C_ATOMIC && !i->glued))
                        break;
                perform(s, c, t, 0);
        }
        return visit(v, s);
}

/* Every successor of a state by thread t. */
static bool expand(struct visited *v, const struct compiled *c, const struct state *from, int t)
{
        const struct instruction *i = &c->code[t][from->t[t].pc];
        bool futex = (i->code == C_FUTEX_WAKE || i->code == C_REQUEUE) && i->value == 1, back = passes_on(from, i, t);
        int answers = i->code == C_CHOOSE                                                ? i->value
                      : i->code == C_SIGNAL || i->code == C_ARRIVE || futex || back ? MAX_THREADS
                      : i->code == C_WAIT || i->code == C_TWAIT                          ? 2
                                                                                         : 1;
        bool ok = true;
        for (int a = 0; a < answers && ok; a++) {
                struct state s = *from;
                if (possible(&s, c, i, t, a))
                        ok = advance(v, c, &s, t, a);
        }
        return ok;
}

/* --timeouts stuck: whose deadline passes when nobody can go on; -1: nobody's. */
static int first_deadline(const struct state *s, const struct compiled *c)
{
        int first = -1;
        for (int t = 0; t < MAX_THREADS && c->settings->timeouts == STUCK; t++) {
                const struct instruction *i = &c->code[t][s->t[t].pc];
                if (s->t[t].status == S_RUNS && has_deadline(s, i, t) &&
                    (first < 0 || i->value2 < c->code[first][s->t[first].pc].value2))
                        first = t;
        }
        return first;
}

void program_model(const struct program *p, int index, const bool drop[MAX_NODES], struct behaviour *b)
{
        static struct compiled c;
        static struct visited v;
        struct state s;
        bool ok = true;

        code_compile(&c, p, index, drop);
        c.settings = settings_of(index);
        memset(b, 0, sizeof(*b));
        b->known = c.known;
        if (!v.states) {
                v.states = malloc(MAX_STATES * sizeof(*v.states));
                v.table = malloc(TABLE * sizeof(*v.table));
                if (!v.states || !v.table)
                        abort();
        }
        v.n = 0;
        memset(v.table, 0, TABLE * sizeof(*v.table));
        memset(&s, 0, sizeof(s));
        s.t[0].status = S_RUNS;
        s.t[0].h = 1;
        for (int i = 0; i < 2; i++) {
                s.x[i * 8] = (unsigned char)p->init[i];
                s.sem[i] = p->sem[i];
        }
        if (b->known)
                ok = visit(&v, &s);
        for (uint32_t at = 0; at < v.n && ok; at++) {
                bool moved = false;
                for (int t = 0; t < MAX_THREADS && ok; t++)
                        if (can_step(&v.states[at], &c, t)) {
                                moved = true;
                                ok = expand(&v, &c, &v.states[at], t);
                        } else if (v.states[at].t[t].status == S_RUNS) {
                                b->blocks |= c.code[t][v.states[at].t[t].pc].code != C_JOIN &&
                                             c.code[t][v.states[at].t[t].pc].code != C_TIMEDJOIN;
                        }
                int late = moved ? -1 : first_deadline(&v.states[at], &c);
                if (late >= 0)
                        ok = expand(&v, &c, &v.states[at], late);
                else if (!moved)
                        finish(&v.states[at], &c, b);
        }
        b->known &= ok;
}

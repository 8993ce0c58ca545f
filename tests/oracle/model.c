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

/* The thread that thread t waits for, or -1. */
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

/* A deadlock.  Reports tell one with a cycle by its cycle alone, so only the others are distinguished here. */
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

/* All threads are blocked: what has come of it? */
static void finish(const struct state *s, const struct compiled *c, struct behaviour *b)
{
        bool failed = false, assumed = false, waits = false, spins = false, exited = false;
        for (int t = 0; t < MAX_THREADS; t++) {
                failed |= s->t[t].status == S_FAILED;
                exited |= s->t[t].status == S_EXITED;
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
        if (!s->observed) /* a handler that fails, and an assumption that fails beside the exit, may as well come after it */
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
        model_perform(s, c, t, answer);
        while (s->t[t].status == S_RUNS) {
                const struct instruction *i = &c->code[t][s->t[t].pc];
                if (i->glued && i->code < C_LOCAL)
                        return expand(v, c, s, t);
                if (i->code < C_LOCAL || (i->code == C_ATOMIC && !i->glued))
                        break;
                model_perform(s, c, t, 0);
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

/* --timeouts stuck: the thread whose deadline passes when none can continue; -1: none. */
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

/* The thread waits until a deadline that has passed for some thread.  Whether it has for this one, which then waits for nobody, depends
 * on clocks, of which nothing is known here. */
static bool may_be_late(const struct state *s, const struct compiled *c, int t)
{
        const struct instruction *i = &c->code[t][s->t[t].pc];
        return has_deadline(s, i, t) && i->value2 < s->passed;
}

/* No thread can continue, and a deadline passes. */
static bool time_out(struct visited *v, const struct compiled *c, const struct state *from, int t)
{
        struct state s = *from;
        int passed = c->code[t][s.t[t].pc].value2 + 1;
        if (s.passed < passed)
                s.passed = (int8_t)passed;
        return expand(v, c, &s, t);
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
                        if (model_can_step(&v.states[at], &c, t)) {
                                moved = true;
                                ok = expand(&v, &c, &v.states[at], t);
                        } else if (v.states[at].t[t].status == S_RUNS) {
                                b->blocks |= c.code[t][v.states[at].t[t].pc].code != C_JOIN &&
                                             c.code[t][v.states[at].t[t].pc].code != C_TIMEDJOIN;
                                b->known &= !may_be_late(&v.states[at], &c, t);
                        }
                int late = moved ? -1 : first_deadline(&v.states[at], &c);
                if (late >= 0)
                        ok = time_out(&v, &c, &v.states[at], late);
                else if (!moved)
                        finish(&v.states[at], &c, b);
        }
        b->known &= ok;
}

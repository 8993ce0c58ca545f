/*
 * All behaviours of a program, by a search of all interleavings of steps and flushes.  Shares nothing with heddle.
 *
 * A transaction is one step: it commits when nothing of its thread is pending, or aborts with the memory as it was.  A conflict is
 * possible if another thread has accessed a line of the transaction, one of both writing, since the thread's last step.
 *
 * Under sc, the executions are told apart by their Mazurkiewicz traces: the sum of the hashes of all steps, each a hash of what it
 * depends on.  An abort by a conflict depends on the accesses of others that conflict with its lines, and not on other aborts.  A
 * trace that is met again is searched again if others have done more since the last step of a thread that is at a transaction.  Under
 * tso and pso, and where there are too many traces, executions are told apart by their states.
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define PENDING 12
#define LIMIT   400000
#define N_PARTS (CELLS + MUTEXES)

enum { EXPLICIT = 1, RETRY = 2, CONFLICT = 4, NESTED = 32 };
#define STARTED UINT32_MAX

struct state {
        int32_t x[CELLS];
        uint32_t h[MAX_THREADS];
        int8_t pc[MAX_THREADS], tries[MAX_THREADS], n[MAX_THREADS];
        int8_t owner[MUTEXES];                            /* thread + 1 */
        uint8_t read[MAX_THREADS], written[MAX_THREADS];  /* lines, by others since the last step of the thread */
        struct {
                int8_t at, value;
        } pending[MAX_THREADS][PENDING];
};

struct trace {
        uint64_t all, thread[MAX_THREADS], write[N_PARTS];
        uint64_t reads[N_PARTS], conflict_reads[N_PARTS], conflict_writes[N_PARTS]; /* since then */
};

/* What a step accesses: cells and mutexes, as bits. */
struct touched {
        unsigned read, written;
        bool conflict; /* lines of an abort, which does nothing to them */
        bool own;      /* it aborts by itself: told apart from an abort from outside with the same status */
};

struct search {
        const struct program *p;
        struct behaviour *b;
        enum memory memory;
        bool stm;
        uint64_t *seen;
        size_t n_seen;
};

#define SLOTS (LIMIT * 4)

static uint64_t mix(uint64_t a, uint64_t b)
{
        uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0xd6e8feb86659fd93));

        z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
        z = (z ^ z >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        return z ^ z >> 32;
}

static bool is_new(struct search *s, uint64_t key)
{
        size_t i = key % SLOTS;

        key += !key;
        while (s->seen[i] && s->seen[i] != key)
                i = (i + 1) % SLOTS;
        if (s->seen[i])
                return false;
        s->seen[i] = key;
        s->n_seen++;
        return true;
}

static uint64_t state_key(const struct state *s)
{
        uint64_t k = 1;
        const unsigned char *at = (const unsigned char *)s;

        for (size_t i = 0; i < sizeof(*s); i++)
                k = mix(k, at[i]);
        return k;
}

/* The lines of parts: cells may share one. */
static uint8_t lines(const struct program *p, unsigned parts)
{
        unsigned cells = parts & ((1u << CELLS) - 1);

        return (uint8_t)(p->packed && cells ? (parts | ((1u << CELLS) - 1)) : parts);
}

static int32_t load(const struct state *s, int t, int at)
{
        for (int i = s->n[t]; i-- > 0;)
                if (s->pending[t][i].at == at)
                        return s->pending[t][i].value;
        return s->x[at];
}

static bool is_pending(const struct state *s, int t, int at)
{
        bool found = false;

        for (int i = 0; i < s->n[t]; i++)
                found |= s->pending[t][i].at == at;
        return found;
}

static void fold(struct state *s, int t, uint32_t v)
{
        s->h[t] = s->h[t] * 31 + v + 1;
}

/* What a thread accessed: a step of it, or a flush of what is pending. */
static void account(const struct search *s, struct state *st, struct trace *tr, int t, bool step, struct touched a, uint64_t what)
{
        uint64_t e = mix(tr->thread[t], what);

        for (int i = 0; i < N_PARTS; i++) {
                bool writes = a.written >> i & 1;

                if (!writes && !(a.read >> i & 1))
                        continue;
                e = mix(e, tr->write[i]);
                if (writes)
                        e = mix(e, tr->reads[i]);
                if (writes && !a.conflict)
                        e = mix(e, tr->conflict_reads[i]);
                if (!a.conflict)
                        e = mix(e, tr->conflict_writes[i]);
        }
        for (int i = 0; i < N_PARTS; i++) {
                bool writes = a.written >> i & 1;

                if (!writes && !(a.read >> i & 1))
                        continue;
                if (a.conflict) {
                        *(writes ? &tr->conflict_writes[i] : &tr->conflict_reads[i]) += e;
                } else if (writes) {
                        tr->write[i] = e;
                        tr->reads[i] = tr->conflict_reads[i] = tr->conflict_writes[i] = 0;
                } else {
                        tr->reads[i] += e;
                }
        }
        tr->thread[t] = e;
        tr->all += e;
        for (int o = 0; o < s->p->n_threads; o++) {
                if (o != t && !a.conflict) {
                        st->read[o] |= lines(s->p, a.read);
                        st->written[o] |= lines(s->p, a.written);
                } else if (o == t && step) {
                        st->read[o] = st->written[o] = 0;
                }
        }
}

/* Runs a transaction on `st`; its status, and what it touched. */
static uint32_t run(const struct search *s, struct state *st, int t, struct touched *a)
{
        const struct op *o = &s->p->threads[t].ops[st->pc[t]], *end = &s->p->threads[t].ops[o->to - 1];
        uint32_t nested = 0;

        for (int i = 0; i < CELLS; i++)
                st->x[i] = load(st, t, i); /* it sees what is pending; if it commits, nothing is */
        st->n[t] = 0;
        for (o++; o < end; o++) {
                unsigned cell = 1u << o->at, mutex = 1u << (CELLS + o->at);

                switch (o->kind) {
                case OP_INC:
                case OP_ADD:
                case OP_LOAD:
                case OP_ABORT:
                case OP_CALL: a->read |= a->written & cell ? 0 : cell; break;
                default: break;
                }
                switch (o->kind) {
                case OP_LOAD: fold(st, t, (uint32_t)st->x[o->at]); break;
                case OP_ADD:
                        fold(st, t, (uint32_t)st->x[o->at]); /* fall through */
                case OP_INC:
                        st->x[o->at]++;
                        a->written |= cell;
                        break;
                case OP_STORE:
                        st->x[o->at] = o->value;
                        a->written |= cell;
                        break;
                case OP_LOCK:
                        a->read |= mutex;
                        if (st->owner[o->at])
                                return nested;
                        a->written |= mutex;
                        break;
                case OP_TEST: fold(st, t, 1); break;
                case OP_MALLOC: fold(st, t, 5); break;
                case OP_ABORT:
                        if (st->x[o->at] == o->value)
                                return EXPLICIT | nested | (uint32_t)o->code << 24;
                        break;
                case OP_CALL:
                        if (st->x[o->at] == o->value)
                                return nested;
                        break;
                case OP_NEST: nested = NESTED; break;
                case OP_UNNEST: nested = 0; break;
                default: break;
                }
        }
        return STARTED;
}

static void search(struct search *s, const struct state *st, const struct trace *tr);

static void abort_with(struct search *s, struct state st, struct trace tr, int t, uint32_t status, struct touched a)
{
        const struct op *o = &s->p->threads[t].ops[st.pc[t]];

        account(s, &st, &tr, t, true, a, mix((uint64_t)st.pc[t] * 8 + (uint64_t)st.tries[t], mix(status, a.own)));
        if (o->tested)
                fold(&st, t, status);
        if (++st.tries[t] == o->tries) {
                st.tries[t] = 0;
                st.pc[t] = (int8_t)o->to;
        }
        search(s, &st, &tr);
}

static void begin(struct search *s, const struct state *st, const struct trace *tr, int t)
{
        const struct op *o = &s->p->threads[t].ops[st->pc[t]];
        struct state after = *st;
        struct trace trace = *tr;
        struct touched a = {0}, none = {0};
        uint32_t status = run(s, &after, t, &a);
        struct touched around = {lines(s->p, a.read), lines(s->p, a.written), .conflict = true};
        bool conflict = (st->written[t] & (around.read | around.written)) || (st->read[t] & around.written);

        if (!s->stm) {
                abort_with(s, *st, *tr, t, RETRY, none);
                if (o->tested)
                        abort_with(s, *st, *tr, t, 0, none);
        } else if (conflict) {
                abort_with(s, *st, *tr, t, CONFLICT, around);
        }
        if (o->tested && conflict)
                abort_with(s, *st, *tr, t, CONFLICT | RETRY, around);
        if (status != STARTED) {
                a.written = 0;
                a.own = true;
                for (int i = 0; i < CELLS; i++)
                        a.read &= is_pending(st, t, i) ? ~(1u << i) : ~0u;
                abort_with(s, *st, *tr, t, status, a);
        } else if (!st->n[t]) {
                account(s, &after, &trace, t, true, a, (uint64_t)st->pc[t] * 8 + (uint64_t)st->tries[t]);
                after.tries[t] = 0;
                after.pc[t] = (int8_t)s->p->threads[t].ops[o->to - 1].to;
                search(s, &after, &trace);
        }
}

static void flush(struct search *s, const struct state *st, const struct trace *tr, int t)
{
        for (int i = 0; i < st->n[t]; i++) {
                struct state after = *st;
                struct trace trace = *tr;
                struct touched a = {.written = 1u << st->pending[t][i].at};
                bool first = true;

                for (int k = 0; k < i; k++)
                        first &= s->memory == PSO && st->pending[t][k].at != st->pending[t][i].at;
                if (!first)
                        continue;
                after.x[st->pending[t][i].at] = st->pending[t][i].value;
                memmove(&after.pending[t][i], &after.pending[t][i + 1], (size_t)(st->n[t] - i - 1) * sizeof(after.pending[t][0]));
                after.n[t]--;
                memset(&after.pending[t][after.n[t]], 0, sizeof(after.pending[t][0]));
                account(s, &after, &trace, t, false, a, 0);
                search(s, &after, &trace);
        }
}

/* A step outside of transactions; false: the thread has to wait. */
static bool perform(const struct search *s, struct state *st, int t, struct touched *a)
{
        const struct op *o = &s->p->threads[t].ops[st->pc[t]];
        unsigned cell = 1u << o->at, mutex = 1u << (CELLS + o->at);

        if (st->n[t] && (o->kind == OP_ADD || o->kind == OP_FENCE || o->kind == OP_LOCK || o->kind == OP_UNLOCK))
                return false;
        switch (o->kind) {
        case OP_LOAD:
                fold(st, t, (uint32_t)load(st, t, o->at));
                a->read = is_pending(st, t, o->at) ? 0 : cell; /* memory is not accessed */
                break;
        case OP_STORE:
                if (s->memory == SC) {
                        st->x[o->at] = o->value;
                        a->written = cell;
                } else {
                        st->pending[t][st->n[t]].at = (int8_t)o->at;
                        st->pending[t][st->n[t]++].value = (int8_t)o->value;
                }
                break;
        case OP_ADD:
                fold(st, t, (uint32_t)st->x[o->at]++);
                a->read = a->written = cell;
                break;
        case OP_LOCK:
                if (st->owner[o->at])
                        return false;
                st->owner[o->at] = (int8_t)(t + 1);
                a->written = mutex;
                break;
        case OP_UNLOCK:
                st->owner[o->at] = 0;
                a->written = mutex;
                break;
        case OP_TEST: fold(st, t, 0); break;
        default: break;
        }
        st->pc[t]++;
        return true;
}

/* What others have done decides whether a transaction aborts by a conflict. */
static uint64_t trace_key(const struct search *s, const struct state *st, const struct trace *tr)
{
        uint64_t k = tr->all;

        for (int t = 0; t < s->p->n_threads; t++) {
                const struct op *o = &s->p->threads[t].ops[st->pc[t]];

                if (st->pc[t] < s->p->threads[t].n && o->kind == OP_BEGIN && (s->stm || o->tested))
                        k = mix(mix(mix(k, (uint64_t)t), st->read[t]), st->written[t]);
        }
        return k;
}

static void search(struct search *s, const struct state *st, const struct trace *tr)
{
        bool done = true;
        struct outcome o = {.traces = 1};

        if (s->n_seen > LIMIT)
                s->b->all = false;
        if (!s->b->all || !is_new(s, s->b->counted ? trace_key(s, st, tr) : state_key(st)))
                return;
        for (int t = 0; t < s->p->n_threads; t++) {
                struct state after = *st;
                struct trace trace = *tr;
                struct touched a = {0};

                done &= st->pc[t] == s->p->threads[t].n && !st->n[t];
                flush(s, st, tr, t);
                if (st->pc[t] == s->p->threads[t].n)
                        continue;
                if (s->p->threads[t].ops[st->pc[t]].kind == OP_BEGIN) {
                        begin(s, st, tr, t);
                } else if (perform(s, &after, t, &a)) {
                        account(s, &after, &trace, t, true, a, (uint64_t)st->pc[t] * 8);
                        search(s, &after, &trace);
                }
        }
        if (done) {
                memcpy(o.r, st->h, sizeof(o.r));
                memcpy(o.x, st->x, sizeof(o.x));
                behaviour_add(s->b, &o);
        }
}

static void search_all(struct search *s)
{
        struct state st;
        struct trace tr;

        memset(&st, 0, sizeof(st));
        memset(&tr, 0, sizeof(tr));
        for (int t = 0; t < s->p->n_threads; t++)
                tr.thread[t] = (uint64_t)t + 1;
        tr.all = 1;
        s->b->all = true;
        s->n_seen = 0;
        memset(s->seen, 0, SLOTS * sizeof(*s->seen));
        search(s, &st, &tr);
}

void model_run(struct behaviour *b, const struct program *p, enum memory memory, bool stm)
{
        struct search s = {.p = p, .b = b, .memory = memory, .stm = stm, .seen = malloc(SLOTS * sizeof(uint64_t))};

        if (!s.seen)
                abort();
        b->counted = memory == SC;
        search_all(&s);
        if (!b->all && b->counted) {
                free(b->outcomes);
                *b = (struct behaviour){0};
                search_all(&s);
        }
        free(s.seen);
}

/*
 * The operational definition of sc, tso and pso, run exhaustively.  Written from the definitions in tests/memory/README.md
 * (Huang, thesis 2019, 3.2.1; x86-TSO of Owens, Sarkar, Sewell; SPARC's PSO), and from nothing else.
 *
 * A state is the memory, and for each thread its place, its registers and its buffered stores in program order.  A step
 * is one operation of a thread, or the flush of one buffered store.  Whatever must find the buffer empty is not enabled
 * before, so that a drain is made of ordinary flushes.
 *
 * Two executions are equivalent when they have the same program order, reads-from and coherence (Shasha and Snir), byte
 * by byte.  That triple is summed into a 128-bit fingerprint as it arises, a sum because the order in which unrelated
 * parts of it arise does not matter; the fingerprint is part of the state.  So each trace is met, each state is expanded
 * once, and traces are counted at the final states.  Two traces with one fingerprint are not to be expected.
 */
#include "model.h"
#include "words.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const memory_names[N_MEMORIES] = {"sc", "tso", "pso"};

#define BUFFER (MAX_OPS + 8) /* pending stores of one thread */

struct stored {
        uint64_t value;
        uint8_t off, size;
        uint8_t writer;  /* event that stored it */
        uint8_t epoch;   /* release fences of its thread before it */
        uint8_t release; /* it stays behind all that precedes it */
        uint8_t pad[3];
};

struct print {
        uint64_t a, b;
};

struct state {
        uint64_t r[MAX_REGS];
        struct print trace;
        uint8_t buffered[MAX_THREADS];
        uint8_t staged[MAX_THREADS][MEMORY]; /* bytes that an operation under way has read */
        uint8_t words[MAX_THREADS];          /* ... and how many words of it are done */
        uint8_t pc[MAX_THREADS], epoch[MAX_THREADS], created[MAX_THREADS];
        uint8_t m[MEMORY];
        uint8_t writer[MEMORY];                  /* of each byte, 0 at first */
        uint8_t length[MEMORY];                  /* how many writes it had */
        uint8_t owner[MUTEXES], locked[MUTEXES]; /* thread + 1; how often it was locked */
        struct stored buffer[MAX_THREADS][BUFFER];
};

struct run {
        const struct program *p;
        enum memory memory;
        struct behaviours *b;
        uint64_t limit;
        struct seen {
                struct print key;
                double paths; /* from here */
        } * seen;
        uint64_t room; /* of seen; a power of two */
};

static uint64_t mix(uint64_t h, uint64_t v)
{
        h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
        h *= UINT64_C(0xbf58476d1ce4e5b9);
        return h ^ h >> 32;
}

static struct print print_of(const void *data, size_t n)
{
        struct print k = {0x243f6a8885a308d3, 0x13198a2e03707344};
        const char *at = data;
        for (size_t i = 0; i < n; i += 8) {
                uint64_t v = 0;
                memcpy(&v, at + i, n - i < 8 ? n - i : 8);
                k.a = mix(k.a, v);
                k.b = mix(k.b + 0x452821e638d01377, v);
        }
        return k;
}

static struct print print_of_state(const struct state *s)
{
        struct print k = print_of(s, offsetof(struct state, buffer));
        for (int t = 0; t < MAX_THREADS; t++) {
                struct print more = print_of(s->buffer[t], s->buffered[t] * sizeof(struct stored));
                k.a = mix(k.a, more.a);
                k.b = mix(k.b, more.b);
        }
        return k;
}

/* One more element of the triple. */
static void note(struct state *s, uint64_t what, uint64_t who, uint64_t where, uint64_t value)
{
        uint64_t words[4] = {what, who, where, value};
        struct print k = print_of(words, sizeof(words));
        s->trace.a += k.a;
        s->trace.b += k.b;
}

/* The name of the operation that a thread is at, never 0. */
static uint8_t event_of(const struct state *s, int t)
{
        return (uint8_t)(1 + t * MAX_OPS + s->pc[t]);
}

static uint8_t byte(const struct stored *w, int i)
{
        return (uint8_t)(w->value >> 8 * i);
}

/* Memory as thread t sees it: its newest store of each byte, or what is there.  Tells the writer too. */
static uint8_t byte_of(const struct state *s, int t, int off, uint8_t *writer)
{
        for (int i = s->buffered[t] - 1; i >= 0; i--) {
                const struct stored *w = &s->buffer[t][i];
                if (off >= w->off && off < w->off + w->size) {
                        *writer = w->writer;
                        return byte(w, off - w->off);
                }
        }
        *writer = s->writer[off];
        return s->m[off];
}

static uint64_t view(const struct state *s, int t, int off, int size)
{
        uint64_t v = 0;
        uint8_t writer;
        for (int i = 0; i < size; i++)
                v |= (uint64_t)byte_of(s, t, off + i, &writer) << 8 * i;
        return v;
}

static uint64_t load(struct state *s, int t, int off, int size)
{
        uint8_t writer;
        for (int i = 0; i < size; i++) {
                byte_of(s, t, off + i, &writer);
                note(s, 1, event_of(s, t), (uint64_t)(off + i), writer);
        }
        return view(s, t, off, size);
}

/* A store reaches memory: it is the next in the coherence order of its bytes. */
static void write_memory(struct state *s, const struct stored *w)
{
        for (int i = 0; i < w->size; i++) {
                int at = w->off + i;
                s->m[at] = byte(w, i);
                s->writer[at] = w->writer;
                note(s, 2, w->writer, (uint64_t)at, s->length[at]++);
        }
}

static void store_part(const struct run *r, struct state *s, int t, const struct op *o, uint64_t value, bool at_once,
                       int off, int size)
{
        struct stored w = {.value = low(value, size),
                           .off = (uint8_t)off,
                           .size = (uint8_t)size,
                           .writer = event_of(s, t),
                           .epoch = s->epoch[t],
                           .release = o->order == RELEASE || o->kind == OP_SPINUNLOCK};
        if (at_once || r->memory == SC)
                write_memory(s, &w);
        else
                s->buffer[t][s->buffered[t]++] = w;
}

static void store(const struct run *r, struct state *s, int t, const struct op *o, uint64_t value, bool at_once)
{
        store_part(r, s, t, o, value, at_once, o->off, o->size);
}

/* May the i-th buffered store of t go to memory next? */
static bool may_flush(const struct run *r, const struct state *s, int t, int i)
{
        const struct stored *w = &s->buffer[t][i];
        if (r->memory == TSO)
                return i == 0;
        for (int j = 0; j < i; j++) {
                const struct stored *e = &s->buffer[t][j];
                if (w->release || e->epoch != w->epoch || (e->off < w->off + w->size && w->off < e->off + e->size))
                        return false;
        }
        return true;
}

static void flush(struct state *s, int t, int i)
{
        struct stored w = s->buffer[t][i];
        int after = --s->buffered[t] - i;
        memmove(&s->buffer[t][i], &s->buffer[t][i + 1], (size_t)after * sizeof(w));
        memset(&s->buffer[t][s->buffered[t]], 0, sizeof(w));
        if (s->buffered[t] == 0)
                s->epoch[t] = 0; /* epochs are only compared with each other */
        write_memory(s, &w);
}

static bool drains(const struct op *o)
{
        switch (o->kind) {
        case OP_STORE:
        case OP_FENCE: return o->order == SEQ_CST;
        case OP_LOAD:
        case OP_AWAIT:
        case OP_SET:
        case OP_COPY:
        case OP_COMPARE:
        case OP_SPINUNLOCK:
        case OP_JOIN: return false;
        default: return true; /* RMWs, mutexes, create */
        }
}

static bool ended(const struct run *r, const struct state *s, int t)
{
        return s->created[t] && s->pc[t] == r->p->threads[t].n && s->buffered[t] == 0;
}

static bool enabled(const struct run *r, const struct state *s, int t)
{
        if (!s->created[t] || s->pc[t] == r->p->threads[t].n)
                return false;
        const struct op *o = &r->p->threads[t].ops[s->pc[t]];
        if (drains(o) && s->buffered[t])
                return false;
        switch (o->kind) {
        case OP_LOCK: return !s->owner[o->off];
        case OP_SPINLOCK: return view(s, t, o->off, 4) == 0;
        case OP_AWAIT: return view(s, t, o->off, o->size) == low(o->value, o->size);
        case OP_JOIN: return ended(r, s, o->off);
        default: return true;
        }
}

static void update(const struct run *r, struct state *s, int t, const struct op *o, uint64_t value)
{
        uint64_t old = load(s, t, o->off, o->size);
        s->r[o->reg] = old;
        if (o->kind == OP_ADD)
                value += old;
        if (o->kind != OP_CAS || old == low(o->expected, o->size))
                store(r, s, t, o, value, true);
}

/* Passes over operations whose condition does not hold. */
static void settle(const struct run *r, struct state *s, int t)
{
        const struct thread *th = &r->p->threads[t];
        while (s->pc[t] < th->n) {
                const struct op *o = &th->ops[s->pc[t]];
                if (o->if_reg == NO_REG || s->r[o->if_reg] == o->if_value)
                        return;
                s->pc[t]++;
        }
}

/* The first difference of what was read of two ranges: 1, less; 2, greater; 0: none yet. */
static uint64_t difference(const struct state *s, int t, const struct op *o, const int read[2])
{
        const uint8_t *a = s->staged[t] + o->off, *b = s->staged[t] + (int)o->value;
        for (int i = 0; i < read[0] && i < read[1]; i++)
                if (a[i] != b[i])
                        return a[i] < b[i] ? 1 : 2;
        return 0;
}

/* One word of an operation; true: that was the last. */
static bool step_word(const struct run *r, struct state *s, int t, const struct op *o)
{
        struct word w;
        uint64_t v = 0;
        if (!word_of(o, s->words[t]++, &w))
                abort();
        if (!w.write) {
                v = load(s, t, w.off, w.size);
                memcpy(&s->staged[t][w.off], &v, (size_t)w.size);
        } else if (o->kind == OP_STORE) {
                v = o->from == NO_REG ? o->value : s->r[o->from];
                store_part(r, s, t, o, v << 8 * (8 - w.at % 8) % 64 | v >> 8 * (w.at % 8), false, w.off, w.size);
        } else if (o->kind == OP_SET) {
                store_part(r, s, t, o, (o->value & 255) * UINT64_C(0x0101010101010101), false, w.off, w.size);
        } else {
                memcpy(&v, &s->staged[t][(int)o->value + w.at], (size_t)w.size);
                store_part(r, s, t, o, v, false, w.off, w.size);
        }
        if (o->kind == OP_COMPARE) {
                int read[2] = {0, 0}; /* of each range */
                for (int k = 0; k < s->words[t] && word_of(o, k, &w); k++)
                        read[w.off - w.at != o->off] = w.at + w.size;
                s->r[o->reg] = difference(s, t, o, read);
                if (s->r[o->reg])
                        return true;
        }
        if (word_of(o, s->words[t], &w))
                return false;
        if (o->kind == OP_LOAD) {
                uint64_t halves[2] = {0, 0};
                memcpy(halves, &s->staged[t][o->off], (size_t)o->size);
                s->r[o->reg] = halves[0] + 3 * halves[1];
        }
        return true;
}

static void step(const struct run *r, struct state *s, int t)
{
        const struct op *o = &r->p->threads[t].ops[s->pc[t]];
        uint64_t value = o->from == NO_REG ? o->value : s->r[o->from];
        if (has_words(o)) {
                if (!step_word(r, s, t, o))
                        return;
                s->words[t] = 0;
                memset(s->staged[t], 0, sizeof(s->staged[t]));
                s->pc[t]++;
                settle(r, s, t);
                return;
        }
        switch (o->kind) {
        case OP_STORE: store(r, s, t, o, value, o->order == SEQ_CST); break;
        case OP_LOAD: s->r[o->reg] = load(s, t, o->off, o->size); break;
        case OP_AWAIT: load(s, t, o->off, o->size); break;
        case OP_FENCE:
                if ((o->order == RELEASE || o->order == ACQ_REL) && r->memory == PSO && s->buffered[t])
                        s->epoch[t]++;
                break;
        case OP_LOCK:
                s->owner[o->off] = (uint8_t)(t + 1);
                note(s, 3, event_of(s, t), (uint64_t)o->off, s->locked[o->off]++);
                break;
        case OP_UNLOCK: s->owner[o->off] = 0; break;
        case OP_SPINLOCK:
                load(s, t, o->off, o->size);
                store(r, s, t, o, 1, true);
                break;
        case OP_SPINUNLOCK: store(r, s, t, o, 0, false); break;
        case OP_CREATE:
                s->created[o->off] = 1;
                settle(r, s, o->off);
                break;
        case OP_JOIN: break;
        default: update(r, s, t, o, value); break;
        }
        s->pc[t]++;
        settle(r, s, t);
}

/* The end of an execution. */
static void finish(struct run *r, const struct state *s)
{
        struct behaviours *b = r->b;
        struct outcome o = {0};
        for (int t = 0; t < r->p->n_threads; t++) {
                if (s->created[t] && !ended(r, s, t)) {
                        b->stuck++;
                        return;
                }
        }
        b->traces++;
        memcpy(o.r, s->r, sizeof(o.r));
        memcpy(o.m, s->m, sizeof(o.m));
        int at = 0, order = 1;
        while (at < b->n && (order = memcmp(&b->outcomes[at], &o, offsetof(struct outcome, traces))) < 0)
                at++;
        if (order != 0 || at == b->n) {
                if (b->n == b->room) {
                        b->room = b->room ? 2 * b->room : 16;
                        if (!(b->outcomes = realloc(b->outcomes, (size_t)b->room * sizeof(o))))
                                abort();
                }
                memmove(&b->outcomes[at + 1], &b->outcomes[at], (size_t)(b->n++ - at) * sizeof(o));
                b->outcomes[at] = o;
        }
        b->outcomes[at].traces++;
}

static struct seen *slot_of(struct run *r, struct print key)
{
        for (uint64_t i = key.a & (r->room - 1);; i = (i + 1) & (r->room - 1)) {
                struct seen *e = &r->seen[i];
                if ((e->key.a == key.a && e->key.b == key.b) || (!e->key.a && !e->key.b))
                        return e;
        }
}

/* All that can follow this state; how many executions that is. */
static double explore(struct run *r, const struct state *s)
{
        struct print key = print_of_state(s);
        struct seen *e = slot_of(r, key);
        struct state next;
        double paths = 0;
        if (e->key.a || e->key.b)
                return e->paths;
        if (r->b->states == r->limit) {
                r->b->all = false;
                return 0;
        }
        r->b->states++;
        e->key = key;
        for (int t = 0; t < r->p->n_threads; t++) {
                if (enabled(r, s, t)) {
                        next = *s;
                        step(r, &next, t);
                        paths += explore(r, &next);
                }
                for (int i = 0; i < s->buffered[t]; i++) {
                        if (may_flush(r, s, t, i)) {
                                next = *s;
                                flush(&next, t, i);
                                paths += explore(r, &next);
                        }
                }
        }
        if (paths == 0 && r->b->all) {
                finish(r, s);
                paths = 1;
        }
        e->paths = paths;
        return paths;
}

void model_run(struct behaviours *b, const struct program *p, enum memory memory, uint64_t limit)
{
        struct run r = {.p = p, .memory = memory, .b = b, .limit = limit, .room = 64};
        struct state s;
        while (r.room < 2 * limit)
                r.room *= 2;
        if (!(r.seen = calloc(r.room, sizeof(*r.seen))))
                abort();
        memset(&s, 0, sizeof(s));
        b->all = true;
        s.created[0] = 1;
        settle(&r, &s, 0);
        b->paths = explore(&r, &s);
        free(r.seen);
}

void model_choose_program(struct program *p, uint64_t seed, int index)
{
        for (int variant = 0; variant < 16; variant++) {
                struct behaviours sc = {0}, pso = {0};
                program_generate(p, seed, index, variant);
                model_run(&sc, p, SC, MODEL_STATES);
                model_run(&pso, p, PSO, MODEL_STATES);
                bool good = !pso.stuck && (index % 3 == 0 || variant > 8 || sc.traces != pso.traces);
                behaviours_fini(&sc);
                behaviours_fini(&pso);
                if (good)
                        break;
        }
}

void behaviours_fini(struct behaviours *b)
{
        free(b->outcomes);
        memset(b, 0, sizeof(*b));
}

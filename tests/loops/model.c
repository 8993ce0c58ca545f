/* The states of a program, all of them: what ends, what fails, and from where nothing ends. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#define STATES 60000u
#define SLOTS  (1u << 18)
#define EDGES  (STATES * THREADS * (1 + VARIABLES))
#define BUFFER 8u

enum memory memory;

struct state {
        uint8_t vars[VARIABLES];
        uint8_t held[LOCKS];
        uint8_t at[THREADS];
        uint8_t regs[THREADS][REGISTERS];
        uint8_t failed; /* a thread's assertion */
        uint8_t n_stores[THREADS];
        uint8_t stores[THREADS][BUFFER]; /* that wait: variable << 4 | value */
};

struct edge {
        uint32_t from, to;
        bool changes; /* a variable, or a thread ends, or a store reaches memory */
};

static struct state states[STATES];
static uint32_t slots[SLOTS], n_states;
static struct edge edges[EDGES];
static uint32_t n_edges;
static bool marked[STATES];

static uint32_t find(const struct state *s)
{
        const uint8_t *bytes = (const uint8_t *)s;
        uint64_t h = 14695981039346656037u;

        for (size_t i = 0; i < sizeof *s; i++)
                h = (h ^ bytes[i]) * 1099511628211u;
        for (uint32_t i = (uint32_t)(h >> 20) % SLOTS;; i = (i + 1) % SLOTS) {
                if (slots[i] && !memcmp(&states[slots[i] - 1], s, sizeof *s))
                        return slots[i] - 1;
                if (slots[i])
                        continue;
                if (n_states == STATES)
                        return UINT32_MAX;
                states[n_states] = *s;
                slots[i] = ++n_states;
                return n_states - 1;
        }
}

/* Runs a thread up to its next access. */
static void settle(const struct program *p, struct behaviour *b, struct state *s, uint32_t t)
{
        for (;;) {
                const struct code *c = &p->code[t][s->at[t]];
                uint8_t *r = s->regs[t];
                bool go = false;

                switch (c->op) {
                case SET: r[c->to] = c->more ? r[c->var] : c->value; break;
                case ADD: r[c->to] = (uint8_t)(r[c->to] + c->value); break;
                case IF_EQUAL: go = r[c->to] == c->value; break;
                case IF_OTHER: go = r[c->to] != c->value; break;
                case IF_SAME: go = r[c->to] == r[c->value]; break;
                case GO: go = true; break;
                case ASSERT:
                        if (r[c->to] == c->value) {
                                b->failed |= 1u << c->more;
                                s->failed = 1;
                                s->at[t] = (uint8_t)(p->n[t] - 1);
                                return;
                        }
                        break;
                default: return;
                }
                s->at[t] = go ? c->target : (uint8_t)(s->at[t] + 1);
        }
}

/* What the thread sees: its last store that waits, or memory. */
static uint8_t seen(const struct state *s, uint32_t t, uint32_t var)
{
        for (uint32_t i = s->n_stores[t]; i-- > 0;)
                if (s->stores[t][i] >> 4 == var)
                        return s->stores[t][i] & 15;
        return s->vars[var];
}

static void store(struct state *s, uint32_t t, uint32_t var, uint8_t value)
{
        if (memory == SC)
                s->vars[var] = value;
        else
                s->stores[t][s->n_stores[t]++] = (uint8_t)(var << 4 | value);
}

/* Store i of the thread reaches memory; false: it stays behind another one. */
static bool flush(struct state *s, uint32_t t, uint32_t i)
{
        uint8_t *b = s->stores[t];

        for (uint32_t k = 0; k < i; k++)
                if (memory == TSO || b[k] >> 4 == b[i] >> 4)
                        return false;
        s->vars[b[i] >> 4] = b[i] & 15;
        memmove(b + i, b + i + 1, --s->n_stores[t] - i);
        b[s->n_stores[t]] = 0;
        return true;
}

/* Can the thread perform this now?  All but loads and stores waits until its stores are in memory. */
static bool enabled(const struct code *c, const struct state *s, uint32_t t)
{
        switch (c->op) {
        case END: return false;
        case LOAD: return true;
        case STORE:
        case STORE_REGISTER: return s->n_stores[t] < BUFFER;
        case LOCK: return !s->n_stores[t] && !s->held[c->var];
        default: return !s->n_stores[t];
        }
}

static void access(const struct code *c, struct state *s, uint32_t t)
{
        uint8_t *v = &s->vars[c->var % VARIABLES], *r = s->regs[t], old = seen(s, t, c->var % VARIABLES);

        switch (c->op) {
        case LOCK: s->held[c->var] = 1; break;
        case TRY:
                r[c->to] = s->held[c->var];
                s->held[c->var] = 1;
                break;
        case UNLOCK: s->held[c->var] = 0; break;
        case LOAD: r[c->to] = old; break;
        case STORE: store(s, t, c->var, c->value); break;
        case STORE_NOW: *v = c->value; break;
        case STORE_REGISTER: store(s, t, c->var, r[c->to]); break;
        case EXCHANGE:
                r[c->to] = old;
                *v = c->value;
                break;
        case CAS:
                r[c->to] = old == c->value;
                *v = old == c->value ? c->more : old;
                break;
        case CAS_TO:
                r[c->to] = old == r[0];
                if (old == r[0])
                        *v = c->value;
                else
                        r[0] = old;
                break;
        case CAS_NEXT:
                r[c->to] = old == r[0];
                if (old == r[0])
                        *v = (uint8_t)((r[0] + 1) & 3);
                else if (c->value)
                        r[0] = old;
                break;
        default: break;
        }
        s->at[t]++;
}

static void add_outcome(struct behaviour *b, const struct state *s)
{
        for (uint32_t i = 0; i < b->n_outcomes; i++)
                if (!memcmp(b->outcomes[i], s->vars, VARIABLES))
                        return;
        if (b->n_outcomes == OUTCOMES)
                b->too_large = true;
        else
                memcpy(b->outcomes[b->n_outcomes++], s->vars, VARIABLES);
}

static bool ended(const struct program *p, const struct state *s)
{
        for (uint32_t t = 0; t < p->n_threads; t++)
                if (p->code[t][s->at[t]].op != END || s->n_stores[t])
                        return false;
        return true;
}

static void add_edge(struct behaviour *b, uint32_t from, const struct state *to, bool changes)
{
        edges[n_edges] = (struct edge){from, find(to), changes};
        if (edges[n_edges].to == UINT32_MAX)
                b->too_large = true;
        else
                n_edges++;
}

/* All that follow a state. */
static void expand(const struct program *p, struct behaviour *b, uint32_t i)
{
        for (uint32_t t = 0; t < p->n_threads; t++) {
                struct state s = states[i];
                const struct code *c = &p->code[t][s.at[t]];
                bool changes;

                for (uint32_t k = 0; k < states[i].n_stores[t]; k++) {
                        struct state next = states[i];

                        if (flush(&next, t, k))
                                add_edge(b, i, &next, true);
                }
                if (!enabled(c, &s, t))
                        continue;
                access(c, &s, t);
                settle(p, b, &s, t);
                changes = memcmp(s.vars, states[i].vars, VARIABLES) || p->code[t][s.at[t]].op == END;
                add_edge(b, i, &s, changes);
                if (b->too_large)
                        return;
        }
}

/* Is there a state, no thread of which has failed, that leads to no marked one? */
static bool some_unmarked(const struct program *p)
{
        bool more = true;

        while (more) {
                more = false;
                for (uint32_t i = n_edges; i-- > 0;)
                        if (marked[edges[i].to] && !marked[edges[i].from])
                                marked[edges[i].from] = more = true;
        }
        for (uint32_t i = 0; i < n_states; i++)
                if (!marked[i] && !states[i].failed && !ended(p, &states[i]))
                        return true;
        return false;
}

void behaviour_find(const struct program *p, struct behaviour *b)
{
        struct state s = {0};

        memset(b, 0, sizeof *b);
        memset(slots, 0, sizeof slots);
        n_states = n_edges = 0;
        memcpy(s.vars, p->first, VARIABLES);
        for (uint32_t t = 0; t < p->n_threads; t++)
                settle(p, b, &s, t);
        find(&s);
        for (uint32_t i = 0; i < n_states && !b->too_large; i++) {
                if (ended(p, &states[i]) && !states[i].failed)
                        add_outcome(b, &states[i]);
                expand(p, b, i);
        }
        if (b->too_large)
                return;
        memset(marked, 0, sizeof marked);
        for (uint32_t i = 0; i < n_edges; i++)
                marked[edges[i].from] |= edges[i].changes;
        b->livelock = some_unmarked(p);
        for (uint32_t i = 0; i < n_states; i++)
                marked[i] = ended(p, &states[i]);
        b->endless = some_unmarked(p);
}

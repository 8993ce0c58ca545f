/*
 * How many interleavings a program has, before it is run: paths through the grid of the threads' positions.
 *
 * Each thread is flattened to the chain of visible events of its longest path.  Mutexes and semaphores are functions of
 * the positions, so the states in which a lock or a semaphore disables a thread are known exactly; waits on condition
 * variables are taken to be woken at once, and a trylock to succeed.  The figure is an estimate, meant to keep a search
 * without any reduction short.
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CHAIN  40
#define MAX_STATES 400000

enum step { STEP_PLAIN, STEP_LOCK, STEP_UNLOCK, STEP_SEM_WAIT, STEP_SEM_POST, STEP_CREATE, STEP_JOIN };

struct chain {
        struct {
                enum step step;
                int obj;
        } at[MAX_CHAIN];
        int n;
};

struct grid {
        struct chain chains[MAX_THREADS];
        const struct program *p;
        int dims[MAX_THREADS];
        double *count; /* paths from a state to the end, < 0: not computed */
        double factor; /* answers of heddle_choose */
        bool blocks, deadlocks;
};

static void step(struct chain *c, enum step step, int obj)
{
        if (c->n < MAX_CHAIN) {
                c->at[c->n].step = step;
                c->at[c->n++].obj = obj;
        }
}

static void plain(struct chain *c, int n)
{
        while (n-- > 0)
                step(c, STEP_PLAIN, 0);
}

static void flatten(struct grid *g, struct chain *c, const struct node *list);

static void flatten_handlers(struct grid *g, struct chain *c)
{
        for (int i = 0; i < g->p->n_handlers; i++) {
                plain(c, 1);
                flatten(g, c, g->p->handler[i]);
        }
}

/* The longer of the two branches. */
static void flatten_branch(struct grid *g, struct chain *c, const struct node *n)
{
        struct chain a = *c, b = *c;
        flatten(g, &a, n->body);
        flatten(g, &b, n->alt);
        *c = a.n >= b.n ? a : b;
}

static void flatten_node(struct grid *g, struct chain *c, const struct node *n)
{
        switch (n->kind) {
        case K_INC: case K_COPY: case K_MEMCPY: case K_REUSE:
                plain(c, 2);
                break;
        case K_PUT: case K_SWAP:
                plain(c, 4);
                break;
        case K_TAKE: case K_ONCE:
                plain(c, 3);
                break;
        case K_CAS: case K_IF: case K_SEM_TRYWAIT: case K_SEM_TIMEDWAIT: case K_CHOOSE_IF:
                if (n->kind == K_CHOOSE_IF)
                        g->factor *= 2;
                plain(c, 1);
                flatten_branch(g, c, n);
                break;
        case K_ATOMIC: {
                struct chain inside = {.n = 0};
                flatten(g, &inside, n->body); /* its choices count */
                plain(c, 1);
                break;
        }
        case K_LOCK:
                step(c, STEP_LOCK, n->obj);
                flatten(g, c, n->body);
                step(c, STEP_UNLOCK, n->obj);
                break;
        case K_CROSS:
                step(c, STEP_LOCK, n->obj);
                step(c, STEP_LOCK, n->obj2);
                step(c, STEP_UNLOCK, n->obj);
                flatten(g, c, n->body);
                step(c, STEP_UNLOCK, n->obj2);
                break;
        case K_TRYLOCK: case K_TIMEDLOCK: case K_SPINTRY: case K_SPINLOCK:
        case K_RDLOCK: case K_WRLOCK: case K_TRYRDLOCK: case K_TRYWRLOCK: case K_TIMEDRDLOCK: case K_TIMEDWRLOCK:
                plain(c, 2);
                flatten_branch(g, c, n);
                break;
        case K_WAIT_LOOP: case K_WAIT_NAKED:
                step(c, STEP_LOCK, n->obj2);
                plain(c, n->kind == K_WAIT_LOOP);
                step(c, STEP_UNLOCK, n->obj2);
                step(c, STEP_LOCK, n->obj2);
                plain(c, n->kind == K_WAIT_LOOP);
                step(c, STEP_UNLOCK, n->obj2);
                g->blocks = true;
                break;
        case K_TIMEDWAIT:
                plain(c, 5);
                break;
        case K_BARRIER:
                g->factor *= 2;
                plain(c, 2);
                break;
        case K_SPIN:
                plain(c, 3);
                g->blocks = true;
                break;
        case K_SEM_WAIT:
                step(c, STEP_SEM_WAIT, n->obj);
                break;
        case K_SEM_POST:
                step(c, STEP_SEM_POST, n->obj);
                break;
        case K_MALLOC: /* without --fail-malloc no thread notices */
                break;
        case K_CHOOSE:
                g->factor *= n->value;
                plain(c, 1);
                break;
        case K_SPAWN:
                step(c, STEP_CREATE, n->obj);
                break;
        case K_ROBUST:
                plain(c, 2 + n->value);
                flatten(g, c, n->body);
                break;
        case K_POLL: case K_REQUEUE:
                g->blocks |= n->kind == K_POLL;
                plain(c, 1);
                break;
        case K_JOIN:
                plain(c, n->value != 0);
                step(c, STEP_JOIN, n->obj);
                break;
        case K_KEY:
                flatten(g, c, g->p->destructor);
                break;
        case K_QUIT:
                flatten_handlers(g, c);
                break;
        case K_DETACH: case K_EXIT: case K_YIELD:
                break;
        default:
                plain(c, 1);
        }
}

static void flatten(struct grid *g, struct chain *c, const struct node *list)
{
        for (; list; list = list->next)
                flatten_node(g, c, list);
}

/* How often thread t has done a step on an object, up to its position. */
static int done(const struct grid *g, const int *pos, int t, enum step step, int obj)
{
        int n = 0;
        for (int i = 0; i < pos[t]; i++)
                n += g->chains[t].at[i].step == step && g->chains[t].at[i].obj == obj;
        return n;
}

static bool started(const struct grid *g, const int *pos, int t)
{
        for (int parent = 0; parent < MAX_THREADS; parent++)
                if (done(g, pos, parent, STEP_CREATE, t))
                        return true;
        return t == 0;
}

static bool enabled(const struct grid *g, const int *pos, int t)
{
        enum step step = g->chains[t].at[pos[t]].step;
        int obj = g->chains[t].at[pos[t]].obj;
        int n = step == STEP_SEM_WAIT ? g->p->sem[obj] : 0;

        if (step == STEP_JOIN)
                return pos[obj] == g->chains[obj].n;
        for (int u = 0; u < MAX_THREADS; u++) {
                if (step == STEP_LOCK && !(u == t && obj >= 2))
                        n += done(g, pos, u, STEP_LOCK, obj) - done(g, pos, u, STEP_UNLOCK, obj);
                else if (step == STEP_SEM_WAIT)
                        n += done(g, pos, u, STEP_SEM_POST, obj) - done(g, pos, u, STEP_SEM_WAIT, obj);
        }
        return step == STEP_LOCK ? n == 0 : step == STEP_SEM_WAIT ? n > 0 : true;
}

static double paths(struct grid *g, int *pos)
{
        size_t key = 0;
        for (int t = 0; t < MAX_THREADS; t++)
                key = key * (size_t)g->dims[t] + (size_t)pos[t];
        if (g->count[key] >= 0)
                return g->count[key];

        double sum = 0;
        bool waits = false, moved = false;
        for (int t = 0; t < MAX_THREADS; t++) {
                if (pos[t] == g->chains[t].n || !started(g, pos, t))
                        continue;
                if (enabled(g, pos, t)) {
                        pos[t]++;
                        sum += paths(g, pos);
                        pos[t]--;
                        moved = true;
                } else if (g->chains[t].at[pos[t]].step != STEP_JOIN) {
                        waits = true;
                }
        }
        g->blocks |= waits;
        g->deadlocks |= waits && !moved;
        return g->count[key] = moved ? sum : 1;
}

void program_estimate(const struct program *p, struct estimate *e)
{
        struct grid g = {.p = p, .factor = 1};
        int pos[MAX_THREADS] = {0};
        double states = 1;

        for (int t = 0; t < MAX_THREADS; t++) {
                if (p->threads[t].used) {
                        flatten(&g, &g.chains[t], p->threads[t].first);
                        if (t == 0)
                                flatten_handlers(&g, &g.chains[t]);
                        plain(&g.chains[t], 1); /* its result; for main, the final observation */
                }
                g.dims[t] = g.chains[t].n + 1;
                states *= g.dims[t];
        }
        memset(e, 0, sizeof(*e));
        e->interleavings = 1e30;
        if (states > MAX_STATES)
                return;
        g.count = malloc((size_t)states * sizeof(*g.count));
        if (!g.count)
                return;
        for (size_t i = 0; i < (size_t)states; i++)
                g.count[i] = -1;
        e->interleavings = paths(&g, pos) * g.factor;
        e->blocks = g.blocks;
        e->deadlocks = g.deadlocks;
        free(g.count);
}

bool program_creates(const struct program *p, int t, const bool drop[MAX_NODES])
{
        for (int i = 0; i < p->n_nodes; i++)
                if (p->nodes[i].kind == K_SPAWN && p->nodes[i].obj == t)
                        return !drop[p->nodes[i].id];
        return false;
}

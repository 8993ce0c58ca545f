/*
 * Draws a program.  The same seed and index give the same program on every machine: the numbers come from splitmix64
 * and nothing else.
 *
 * A program has a theme (memory, locks, condition variables, semaphores, heap, or all of them), so that the few
 * operations it has meet each other; a draw with too many interleavings is thrown away and drawn again, smaller.
 */
#include "program.h"
#include "settings.h"
#include "weights.h"

#include <string.h>

struct draw {
        struct program *p;
        uint64_t state;
        enum theme theme;
        int cells;      /* cells in use */
        bool mixed;     /* accesses of different sizes meet */
        int mutexes;    /* mutexes in use: 1 or 2, more with the recursive and the checking one */
        int depth;
        int thread;     /* whose operations are drawn */
        int created;    /* so many are created by main */
        bool late;      /* what is drawn runs at the end of the program or of a thread */
        int section;    /* the depth of the section under way, 0: none */
};

static uint64_t next(struct draw *d)
{
        uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return z ^ (z >> 31);
}

static int below(struct draw *d, int n)
{
        return (int)(next(d) % (uint64_t)n);
}

static bool percent(struct draw *d, int n)
{
        return below(d, 100) < n;
}

static struct node *node(struct draw *d, enum kind kind)
{
        struct program *p = d->p;
        if (p->n_nodes == MAX_NODES)
                return NULL;
        struct node *n = &p->nodes[p->n_nodes];
        memset(n, 0, sizeof(*n));
        n->kind = kind;
        n->id = p->n_nodes++;
        return n;
}

static struct place place(struct draw *d)
{
        struct place at = {(uint8_t)below(d, d->cells), 4, 0};
        if (d->mixed) {
                at.size = (uint8_t)(1 << below(d, 4));
                /* The low half of the cell, so that the sizes meet often. */
                at.index = (uint8_t)below(d, at.size < 4 ? 4 / at.size : 8 / at.size);
        } else if (percent(d, 10)) {
                at.index = 1; /* the neighbour in the same cell */
        }
        return at;
}

static int weight(const struct draw *d, int k)
{
        bool ends = k == K_EXIT || k == K_ATEXIT || k == K_QUIT || k == K_KEY;
        return d->theme != THEME_EXIT ? weights[k][d->theme] : d->late && ends ? 0 : exit_weights[k];
}

static enum kind draw_kind(struct draw *d)
{
        int sum = 0;
        for (int k = 0; k < K_COUNT; k++)
                sum += weight(d, k);
        int left = below(d, sum), k = 0;
        while ((left -= weight(d, k)) >= 0)
                k++;
        return (enum kind)k;
}

static struct node *draw_list(struct draw *d, int length);

/* What atomic sections are made of: choices before, between and after accesses, and now and then something to wait for. */
static enum kind draw_section_kind(struct draw *d)
{
        static const uint8_t kinds[] = {K_CHOOSE, K_CHOOSE, K_CHOOSE, K_CHOOSE_IF, K_CHOOSE_IF, K_CHOOSE_IF, K_CHOOSE_IF,
                                        K_MALLOC, K_MALLOC, K_INC, K_INC, K_INC, K_INC, K_READ, K_READ, K_READ, K_WRITE,
                                        K_WRITE, K_WRITE, K_IF, K_IF, K_CAS, K_SIGNAL, K_SIGNAL, K_BROADCAST, K_SEM_POST,
                                        K_LOCK, K_SEM_WAIT};
        return (enum kind)kinds[below(d, sizeof(kinds))];
}

/* What threads do while they hold a lock, so that some are blocked and others not. */
static enum kind draw_wait_kind(struct draw *d)
{
        static const uint8_t kinds[] = {K_LOCK, K_LOCK, K_LOCK, K_SEM_WAIT, K_SEM_POST, K_SEM_POST, K_SIGNAL, K_BARRIER};
        return (enum kind)kinds[below(d, sizeof(kinds))];
}

/* May this kind stand inside a body?  What may end the thread or wait for its own mutex may not. */
static bool leaf_only(enum kind k)
{
        return k == K_EXIT || k == K_WAIT_LOOP || k == K_WAIT_NAKED || k == K_SPIN || k == K_TIMEDWAIT || k == K_DETACH_SELF;
}

static int draw_mutex(struct draw *d)
{
        if (percent(d, 6))
                return 2 + below(d, 2);
        return below(d, d->mutexes);
}

static void draw_bodies(struct draw *d, struct node *n)
{
        bool locks = n->kind == K_TIMEDLOCK || (n->kind >= K_RDLOCK && n->kind <= K_SPINTRY);
        bool two = n->kind == K_CAS || n->kind == K_IF || n->kind == K_TRYLOCK || n->kind == K_SEM_TRYWAIT ||
                   n->kind == K_SEM_TIMEDWAIT || (locks && n->kind != K_SPINLOCK);

        d->depth++;
        if (n->kind == K_ATOMIC && (d->theme == THEME_SECTION || d->theme == THEME_BLOCK)) {
                int outer = d->section;
                d->section = d->depth;
                n->body = draw_list(d, 1 + below(d, 3));
                d->section = outer;
        } else if (n->kind == K_ATOMIC) {
                for (int i = 0; i < 2; i++) {
                        struct node *b = node(d, i ? K_READ : K_INC);
                        if (b) {
                                b->at = place(d);
                                b->next = n->body;
                                n->body = b;
                        }
                }
        } else if (locks || n->kind == K_LOCK || n->kind == K_ROBUST || n->kind == K_TRYLOCK || n->kind == K_IF || n->kind == K_CHOOSE_IF ||
                   (percent(d, 50) && (n->kind == K_CAS || n->kind == K_SEM_TRYWAIT || n->kind == K_SEM_TIMEDWAIT || n->kind == K_CROSS))) {
                n->body = draw_list(d, n->kind == K_LOCK || locks ? 1 + percent(d, 40) : 1);
                if (two && percent(d, 30))
                        n->alt = draw_list(d, 1);
        }
        d->depth--;
}

/* What runs later than where it is drawn. */
static struct node *draw_late(struct draw *d)
{
        int depth = d->depth;
        d->late = true;
        d->depth = 0;
        struct node *list = draw_list(d, 1 + percent(d, 40));
        d->late = false;
        d->depth = depth;
        return list;
}

/* There are only so many of each. */
static void draw_end(struct draw *d, struct node *n)
{
        struct program *p = d->p;
        if (n->kind == K_ATEXIT && p->n_handlers < N_HANDLERS) {
                n->obj = p->n_handlers++;
                p->handler[n->obj] = draw_late(d);
        } else if (n->kind == K_QUIT && !p->quits) {
                p->quits = true;
        } else if (n->kind == K_KEY && d->thread) {
                if (!p->uses_key)
                        p->destructor = draw_late(d);
                p->uses_key = true;
        } else {
                n->kind = K_READ;
        }
}

static struct node *draw_node(struct draw *d)
{
        enum kind k = draw_kind(d);
        while ((d->depth > 0 && leaf_only(k)) || (d->thread == 0 && (k == K_SPIN || k == K_DETACH_SELF)) || (k == K_CANCEL && d->thread != 0 && (d->theme != THEME_CANCEL || d->thread < 2)))
                k = draw_kind(d);
        if (d->section && d->depth == d->section)
                k = draw_section_kind(d);
        else if (d->depth == 2 && d->theme == THEME_BLOCK && percent(d, 65))
                k = draw_wait_kind(d);
        else if (d->depth >= 2)
                k = percent(d, 50) ? K_READ : K_WRITE;
        struct node *n = node(d, k);
        if (!n)
                return NULL;
        n->at = place(d);
        n->from = place(d);
        n->value = k == K_CHOOSE ? 2 + percent(d, 30) : k == K_IF || k == K_CAS ? below(d, 2) : 1 + below(d, 3);
        n->value2 = 1 + below(d, 3);
        switch (k) {
        case K_LOCK: case K_TRYLOCK: case K_TIMEDLOCK:
                n->obj = draw_mutex(d);
                break;
        case K_CROSS:
                n->obj = below(d, 2);
                n->obj2 = 1 - n->obj;
                break;
        case K_RDLOCK: case K_WRLOCK: case K_TRYRDLOCK: case K_TRYWRLOCK: case K_TIMEDRDLOCK: case K_TIMEDWRLOCK:
        case K_RWUNLOCK:
                n->obj = percent(d, 25);
                break;
        case K_BARRIER:
                d->p->uses_barrier = true;
                break;
        case K_TIMEDWAIT: case K_WAIT_LOOP: case K_WAIT_NAKED: case K_SIGNAL: case K_BROADCAST:
                n->obj = percent(d, 10); /* mostly the first condition variable and its mutex */
                break;
        case K_SEM_WAIT: case K_SEM_TRYWAIT: case K_SEM_TIMEDWAIT: case K_SEM_POST: case K_SEM_VALUE:
                n->obj = percent(d, 15);
                d->p->uses_sem = true;
                break;
        case K_SWAP:
                n->obj = d->p->n_swaps < MAX_SWAPS ? d->p->n_swaps++ : -1;
                n->kind = n->obj < 0 ? K_READ : K_SWAP;
                break;
        case K_PEEK: case K_REUSE:
                d->p->uses_block = true;
                break;
        case K_PIPE_WRITE: case K_PIPE_READ:
                d->p->uses_pipe = true;
                break;
        case K_FUTEX_WAIT: case K_FUTEX_WAKE:
                n->at = (struct place){(uint8_t)below(d, d->cells), 4, 0};
                n->value = k == K_FUTEX_WAKE ? (percent(d, 70) ? 1 : 100) : percent(d, 15);
                break;
        case K_CANCEL: /* a thread that has been created before the one that asks for it */
                n->obj = d->theme != THEME_CANCEL ? 1 : 1 + below(d, d->thread ? d->thread - 1 : d->created);
                break;
        case K_ATEXIT: case K_QUIT: case K_KEY:
                draw_end(d, n);
                break;
        case K_DETACH_SELF:
                d->p->detaches = true;
                break;
        case K_ROBUST: /* value: it is made consistent; value2: the thread ends with it */
                n->value = percent(d, 60);
                n->value2 = d->thread && d->depth == 0 && percent(d, 35);
                d->p->uses_robust = true;
                break;
        case K_POLL: /* without waiting, without a limit, with a limit */
                n->value = below(d, 3);
                d->p->uses_pipe = true;
                break;
        case K_REQUEUE:
                n->at = (struct place){0, 4, 0};
                n->from = (struct place){1, 4, 0};
                n->value = percent(d, 70);
                break;
        case K_ASSERT: case K_ASSUME: case K_ABORT_IF:
                n->value = percent(d, 12) ? 0 : 1 + below(d, 3); /* the value that must not be */
                break;
        default:
                break;
        }
        draw_bodies(d, n);
        return n;
}

static struct node *draw_list(struct draw *d, int length)
{
        struct node *first = NULL, **tail = &first;
        while (length-- > 0) {
                struct node *n = draw_node(d);
                if (!n)
                        break;
                *tail = n;
                tail = &n->next;
        }
        return first;
}

static void append(struct node **list, struct node *n)
{
        while (*list)
                list = &(*list)->next;
        *list = n;
}

/* A waiter, or the one who sets what it waits for: lock { flag = 1; } signal, in one of its orders. */
static struct node *draw_cond(struct draw *d, bool waiter)
{
        struct node *n;
        if (waiter) {
                n = node(d, percent(d, 55) ? K_WAIT_LOOP : percent(d, 50) ? K_WAIT_NAKED : K_TIMEDWAIT);
                if (n) {
                        n->at = (struct place){0, 4, 0};
                        n->value2 = 1 + below(d, 3);
                }
                return n;
        }
        struct node *set = node(d, percent(d, 90) ? K_WRITE : K_STORE);
        struct node *signal = node(d, percent(d, 65) ? K_SIGNAL : K_BROADCAST);
        if (!set || !signal)
                return NULL;
        set->at = (struct place){0, 4, 0};
        set->value = 1;
        if (percent(d, 20)) { /* without the lock: the signal may be lost */
                set->next = signal;
                return set;
        }
        n = node(d, K_LOCK);
        if (!n)
                return NULL;
        n->body = set;
        *(percent(d, 50) ? &set->next : &n->next) = signal;
        return n;
}

/* A reader or a writer that meets the others while it has the lock, and mostly before, too. */
static struct node *draw_reader(struct draw *d)
{
        struct node *before = percent(d, 70) ? node(d, percent(d, 60) ? K_LOCK : K_SEM_POST) : NULL;
        struct node *n = node(d, percent(d, 65) ? K_RDLOCK : K_WRLOCK), *list = before;

        if (!n)
                return NULL;
        d->p->uses_sem |= before && before->kind == K_SEM_POST;
        d->depth = 2;
        if (before && before->kind == K_LOCK)
                before->body = percent(d, 60) ? draw_list(d, 1) : NULL;
        n->obj = percent(d, 15);
        n->body = percent(d, 70) ? draw_list(d, 1) : NULL;
        d->depth = 0;
        append(&list, n);
        return list;
}

static void draw_thread(struct draw *d, int t, int length)
{
        struct node *list = NULL;
        d->depth = 0;
        d->thread = t;
        if (d->theme == THEME_COND) {
                list = draw_cond(d, t == 1 || (t > 1 && percent(d, 35)));
                struct node *more = draw_list(d, length - 2);
                if (percent(d, 50)) {
                        append(&list, more);
                } else {
                        append(&more, list);
                        list = more;
                }
        } else if (d->theme == THEME_BLOCK && t && percent(d, 70)) {
                list = draw_reader(d);
                append(&list, percent(d, 30) ? draw_list(d, 1) : NULL);
        } else {
                list = draw_list(d, length);
        }
        append(&d->p->threads[t].first, list);
        d->p->threads[t].used = true;
}

static struct node *thread_node(struct draw *d, enum kind kind, int t)
{
        struct node *n = node(d, kind);
        if (n)
                n->obj = t;
        return n;
}

/* A loop that waits needs another thread that touches what it waits for, or it is not a loop that waits for others. */
static void spin_partner(struct draw *d, struct node **list)
{
        struct program *p = d->p;
        for (int i = 0, n = p->n_nodes; i < n; i++) {
                if (p->nodes[i].kind != K_SPIN)
                        continue;
                struct node *partner = node(d, percent(d, 70) ? K_STORE : K_LOAD);
                if (partner) {
                        partner->at = p->nodes[i].at;
                        partner->value = 1;
                        append(list, partner);
                }
        }
}

/* Who creates whom: main creates 1 .. workers; with `chain` the last is created by the one before it. */
static void draw_program(struct draw *d, int workers, int length, bool main_acts, bool chain, bool detached)
{
        struct program *p = d->p;
        struct node **first = &p->threads[0].first;
        p->threads[0].used = true;
        d->created = chain && workers > 1 ? workers - 1 : workers;

        for (int t = 1; t <= workers; t++) {
                int parent = chain && t == workers && t > 1 ? t - 1 : 0;
                if (parent && percent(d, 50))
                        draw_thread(d, parent, 1);
                append(&p->threads[parent].first, thread_node(d, K_SPAWN, t));
                draw_thread(d, t, 1 + below(d, length));
        }
        if (main_acts)
                draw_thread(d, 0, 1 + below(d, length > 2 ? 2 : length));
        spin_partner(d, first);
        for (int t = 1; t <= workers; t++) {
                int parent = chain && t == workers && t > 1 ? t - 1 : 0;
                bool leave = detached && t == workers && !p->quits;
                struct node *last = thread_node(d, leave ? K_DETACH : K_JOIN, t);
                if (last && (d->theme == THEME_OTHER || d->theme == THEME_CANCEL) && !leave) {
                        /* whether a request during a join with a deadline comes too late, POSIX leaves open */
                        last->value = percent(d, 50) ? 1 + (d->theme == THEME_OTHER && below(d, 2)) : 0;
                        last->value2 = 1 + below(d, 3);
                }
                append(&p->threads[parent].first, last);
        }
        if (percent(d, 15)) {
                d->depth = 2;
                append(first, draw_list(d, 1));
        }
}

/* What kind of program it is comes from `kind`, the rest from `state`, so that drawing again does not favour the kinds
 * that are small. */
static void draw_attempt(struct draw *d, uint64_t kind, uint64_t state, int length, bool other, enum mix mix)
{
        static const uint8_t themes[] = {THEME_MEMORY, THEME_MEMORY, THEME_MEMORY, THEME_LOCK, THEME_LOCK,
                                         THEME_LOCK, THEME_LOCK, THEME_COND, THEME_COND, THEME_COND, THEME_COND,
                                         THEME_SEM, THEME_SEM, THEME_SEM, THEME_HEAP, THEME_HEAP, THEME_MIX, THEME_MIX,
                                         THEME_CALL, THEME_CALL, THEME_CALL, THEME_RW, THEME_RW, THEME_RW};
        struct program *p = d->p;
        memset(p, 0, sizeof(*p));
        d->state = kind;
        d->theme = (enum theme)themes[below(d, sizeof(themes))];
        if (other)
                d->theme = THEME_OTHER;
        if (mix != MIX_ALL)
                d->theme = mix == MIX_CANCEL ? THEME_CANCEL : mix == MIX_SECTIONS ? THEME_SECTION : mix == MIX_EXITS ? THEME_EXIT : THEME_BLOCK;
        d->mixed = percent(d, 20);
        d->cells = 1 + (percent(d, 60) || d->theme == THEME_COND || other) + percent(d, 15);
        d->mutexes = 1 + (d->theme != THEME_COND && percent(d, 60));
        int number = below(d, 100);
        int workers = number < 57 ? 2 : number < 90 ? 3 : number < 94 ? 4 : 1;
        if (d->theme == THEME_SECTION || d->theme == THEME_BLOCK) /* what is lost is lost between two others */
                workers = number < 20 ? 2 : number < 75 ? 3 : 4;
        bool main_acts = workers == 1 || percent(d, d->theme == THEME_CANCEL ? 90 : d->theme == THEME_CALL ? 60 : 22), chain = percent(d, 7), detached = percent(d, 6);

        d->state = state;
        for (int i = 0; i < N_SEMS; i++)
                p->sem[i] = below(d, 10) < 6 ? 0 : 1 + percent(d, 20);
        for (int i = 0; i < 2; i++)
                p->init[i] = d->theme != THEME_COND && percent(d, 10) ? 1 : 0;
        p->status_value = percent(d, 3) ? below(d, 3) : -1;
        draw_program(d, workers, length, main_acts, chain, detached);
}

/* A program that always does the same tells little: nine of ten of those are thrown away. */
static bool interesting(struct draw *d, const struct program *p, int index)
{
        static const bool none[MAX_NODES];
        static struct behaviour b;
        if (percent(d, 10))
                return true;
        program_model(p, index, none, &b);
        int n = b.n;
        for (int i = 0; i < FAIL_COUNT; i++)
                n += b.fails[i];
        return !b.known || n > 1;
}

static bool cancels(const struct program *p)
{
        for (int i = 0; i < p->n_nodes; i++)
                if (p->nodes[i].kind == K_CANCEL)
                        return true;
        return false;
}

void program_generate(struct program *p, uint64_t seed, int index, double limit, enum mix mix)
{
        struct estimate e;
        struct draw d = {.p = p}, again = {.p = p};
        uint64_t kind = 0;

        d.state = seed * UINT64_C(0xd1342543de82ef95) + (uint64_t)index * UINT64_C(0x2545f4914f6cdd1d);
        if (percent(&d, 12))
                limit *= 10; /* a few that are larger */
        if (mix == MIX_BLOCKS && index % 4)
                limit *= 20000; /* most are compared without dfs */
        for (int attempt = 0;; attempt++) {
                if (attempt % 60 == 0)
                        kind = next(&d);
                draw_attempt(&again, kind, next(&d), 4 - attempt % 60 / 15, index % 8 == 3 || index % 8 == 4, mix);
                program_estimate(p, &e);
                if (cancels(p) && settings_of(index)->policy != ARBITRARY)
                        continue; /* a thread in a queue cannot be cancelled */
                if (mix == MIX_CANCEL && settings_of(index)->policy == ARBITRARY && !cancels(p))
                        continue;
                if (e.interleavings <= limit && e.interleavings >= 3 && interesting(&d, p, index))
                        return;
        }
}

/* See search.h. */
#include "strategy/mcr/search.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "op/op.h"

/* In a node number: it is the last one. */
#define RECENT_DONE UINT32_C(0x80000000)

void search_init(struct search *s, uint64_t max_states)
{
        *s = (struct search){.steps = 0};
        machine_init(&s->machine);
        seen_init(&s->states, max_states);
        seen_init(&s->classes, UINT64_MAX);
        seen_init(&s->races, UINT64_MAX);
}

void search_fini(struct search *s)
{
        machine_fini(&s->machine);
        seen_fini(&s->states);
        seen_fini(&s->classes);
        seen_fini(&s->races);
        vec_fini(&s->frames);
        vec_fini(&s->ends);
        part_fini(&s->part);
}

/* From the first state, with none entered. */
static void restart(struct search *s)
{
        uint64_t max = s->states.max;

        machine_undo(&s->machine, 0, 0);
        s->frames.n = s->ends.n = 0;
        s->begun = false;
        seen_fini(&s->states);
        seen_init(&s->states, max);
}

void search_order(struct search *s)
{
        s->machine.tries.orders = s->machine.tries.recount = true;
}

static uint32_t kind_of(const struct search *s, uint32_t thread)
{
        uint32_t node = machine_node(&s->machine, thread);

        return node ? s->machine.tries.nodes.at[node].kind : (uint32_t)NODE_END;
}

static uint32_t n_threads(const struct search *s)
{
        return s->machine.tries.threads.n;
}

/* Is the thread the only one that needs to take a step?  It is inside an atomic section, or it may join, which commutes with
 * everything. */
static bool is_only(struct search *s, uint32_t thread, bool section)
{
        struct machine *m = &s->machine;

        if (section)
                return m->tries.nodes.at[machine_node(m, thread)].flags & NODE_FORCED;
        return kind_of(s, thread) == NODE_JOIN && machine_enabled(m, thread);
}

/* Enters the state of the machine; chain: within one of this target, whose step led to `was` before the last flush. */
static void enter(struct search *s, bool chain, uint32_t target, struct chain_result was)
{
        struct search_frame f = {
                .changes = s->machine.changes.n, .path = s->machine.path.n, .chain = chain, .was = was};
        const struct tries *t = &s->machine.tries;

        for (uint32_t i = 0; i < 2 * n_threads(s) && !f.only && !chain; i++) {
                f.thread = i % n_threads(s);
                f.only = is_only(s, f.thread, i < n_threads(s));
        }
        f.thread = f.only ? f.thread : chain ? target : 0;
        f.target = chain ? target : 0;
        f.raced = chain; /* the same operations come next as before it */
        f.ends = s->ends.n;
        f.n_ends = s->wants_races && !t->orders && (t->buffers.n || t->inner) ? n_threads(s) : 0;
        if (!vec_reserve(&s->frames, 1) || !vec_reserve(&s->ends, f.n_ends))
                memory_out();
        for (uint32_t i = 0; i < f.n_ends; i++)
                *vec_push(&s->ends) = 0;
        *vec_push(&s->frames) = f;
}

/* Otherwise what is not known comes next in the path. */
static bool knows_all(struct search *s)
{
        for (uint32_t i = 0; i < n_threads(s); i++) {
                if (machine_knows(&s->machine, i))
                        continue;
                if (kind_of(s, i) != NODE_UNKNOWN)
                        machine_plan(&s->machine, i);
                return false;
        }
        return true;
}

/* Does the step of the target lead to the same with fewer flushes?  Then the others may come after it. */
static bool is_late(struct search *s, const struct search_frame *f)
{
        struct chain_result r = chains_result(&s->machine, f->target);

        for (; r.known && f->chain; f--)
                if (f->was.known && f->was.value == r.value)
                        return true;
        return false;
}

/* Moves a frame on to the next thread that may take a step; false: there is none. */
static bool find_step(struct search *s, struct search_frame *f)
{
        for (; f->thread < n_threads(s); f->thread++) {
                if (!f->choice && (!machine_enabled(&s->machine, f->thread) || (f->chain && is_late(s, f)))) {
                        if (f->only || f->chain)
                                return false;
                        continue;
                }
                if (f->choice < machine_choices(&s->machine, f->thread))
                        return true;
                if (f->only || f->chain)
                        return false;
                f->choice = 0;
        }
        return false;
}

/* A flush that is the only one needed in a chain of this target; false: there is none. */
static bool find_lone(struct search *s, struct search_frame *f, uint32_t target)
{
        uint32_t i = f->buffer ? s->machine.tries.buffers.n : chains_first(&s->machine, target);

        f->lone = i < s->machine.tries.buffers.n;
        f->buffer = f->lone ? i : f->buffer;
        return f->lone;
}

/* The same for buffers.  Without a thread that may take another step, all of them flush. */
static bool find_flush(struct search *s, struct search_frame *f)
{
        struct machine *m = &s->machine;
        uint32_t n = m->tries.buffers.n;

        if (f->lone) { /* it was taken */
                f->lone = false;
                if (f->chain || !f->lives)
                        return false;
                f->target++;
                f->buffer = 0;
        }
        for (; s->chains && f->target < n_threads(s); f->target++) {
                if (f->chain || chains_may_end(m, f->target)) {
                        f->lives = true;
                        if (find_lone(s, f, f->target))
                                return true;
                        f->buffer = chains_next(m, f->target, f->buffer);
                        if (f->chain || f->buffer < n)
                                return f->buffer < n;
                }
                f->buffer = 0;
        }
        if (s->chains && !f->lives && find_lone(s, f, CHAINS_END))
                return true;
        for (; f->buffer < n && !f->lives; f->buffer++)
                if (machine_may_flush(m, m->tries.buffers.at[f->buffer]))
                        return true;
        return false;
}

static bool writes(const struct node *n)
{
        return n->kind == NODE_WRITE || n->kind == NODE_UPDATE || n->kind == NODE_FREE;
}

static bool accesses(const struct node *n)
{
        return n->kind == NODE_READ || n->op == OP_FUTEX_WAIT || writes(n);
}

bool search_are_race(const struct tries *t, const struct node *a, const struct node *b)
{
        if (!accesses(a) || !accesses(b) || !(writes(a) || writes(b)) || !((a->flags | b->flags) & NODE_PLAIN))
                return false;
        if (a->kind == NODE_FREE || b->kind == NODE_FREE)
                return (a->kind == NODE_FREE ? a->cell : t->cells.at[a->cell].block) ==
                       (b->kind == NODE_FREE ? b->cell : t->cells.at[b->cell].block);
        return a->cell == b->cell && (a->mask & b->mask);
}

/* Are the two a data race, in an order that has not been run? */
static bool is_new_race(struct search *s, const struct node *a, const struct node *b)
{
        struct hash128 key = {hash_mix(hash_draw(a->site), b->site),
                              hash_mix(hash_draw(b->site), a->site) ^ (uint64_t)a->op << 8 ^ b->op};

        if (!search_are_race(&s->machine.tries, a, b) || seen_has(&s->races, key))
                return false;
        s->race = key;
        return true;
}

/* A data race between the next operations of two threads in this state: they are added to the path. */
static bool find_race(struct search *s)
{
        struct machine *m = &s->machine;

        for (uint32_t i = 0; i < n_threads(s); i++) {
                const struct node *a = &m->tries.nodes.at[machine_node(m, i)];
                for (uint32_t j = 0; accesses(a) && j < n_threads(s); j++) {
                        if (i == j || !is_new_race(s, a, &m->tries.nodes.at[machine_node(m, j)]))
                                continue;
                        machine_plan(m, i);
                        machine_plan(m, j);
                        return true;
                }
        }
        return false;
}

/* The operations that a thread has performed since its last point, that one included, and since it last created a thread, from
 * the last: *at becomes the one before it; false: there is none. */
static bool recent(const struct tries *t, uint32_t *at)
{
        const struct node *n;

        if (*at & RECENT_DONE)
                return false;
        *at = t->nodes.at[*at].parent;
        n = &t->nodes.at[*at];
        if (!*at || n->kind == NODE_CREATE)
                return false;
        *at |= n->flags & NODE_POINT ? RECENT_DONE : 0;
        return true;
}

/* Is it a store that has not reached memory?  It takes part in a race when it does. */
static bool is_delayed(const struct machine *m, const struct node *n)
{
        return (n->flags & NODE_BUFFERED) && n->number > m->now.at[n->buffer];
}

/* It reaches memory, after those that come before it. */
static void bring(struct machine *m, const struct node *n)
{
        const struct tries *t = &m->tries;

        while (is_delayed(m, n)) {
                uint32_t buffer = n->buffer;
                for (uint32_t i = 0; i < t->buffers.n && !machine_may_flush(m, buffer); i++)
                        buffer = t->cells.at[t->buffers.at[i]].size == n->thread ? t->buffers.at[i] : buffer;
                if (!machine_may_flush(m, buffer))
                        return;
                machine_flush(m, buffer);
        }
}

/* A data race between an access that was performed and one of a thread's step from here, in an order that has not been run: the
 * path shows it. */
static bool plan_race(struct search *s, const struct node *a, const struct node *b, uint32_t thread, uint32_t choice)
{
        struct machine *m = &s->machine;
        bool forward = is_new_race(s, a, b);

        if (!forward && (!is_delayed(m, a) || !is_new_race(s, b, a)))
                return false;
        if (forward)
                bring(m, a);
        if (machine_step(m, thread, choice) == MACHINE_UNSEEN)
                return true;
        bring(m, forward ? a : b);
        bring(m, forward ? b : a);
        return true;
}

/* The same, of two stores that are delayed. */
static bool plan_stores(struct search *s, const struct node *a, const struct node *b)
{
        struct machine *m = &s->machine;

        if (!is_delayed(m, a) || !is_delayed(m, b) || !is_new_race(s, a, b))
                return false;
        bring(m, a);
        bring(m, b);
        return true;
}

/* With store buffers stores are not points, nor are accesses in blocks.  Without clocks in the states, what one thread has done
 * since its last point is compared with what another has done since its own, and with its step from here. */
static bool find_recent_race(struct search *s, const struct search_frame *f)
{
        struct machine *m = &s->machine;
        const struct tries *t = &m->tries;

        for (uint32_t i = 0; i < f->n_ends; i++) {
                for (uint32_t a = machine_node(m, i); recent(t, &a);) {
                        const struct node *one = &t->nodes.at[a & ~RECENT_DONE];
                        for (uint32_t j = 0; accesses(one) && j < f->n_ends; j++) {
                                for (uint32_t b = s->ends.at[f->ends + j]; b && i != j && recent(t, &b);)
                                        if (plan_race(s, one, &t->nodes.at[b & ~RECENT_DONE], j, 0))
                                                return true;
                                for (uint32_t b = f->chain ? 0 : machine_node(m, j); b && i != j && recent(t, &b);)
                                        if (plan_stores(s, one, &t->nodes.at[b & ~RECENT_DONE]))
                                                return true;
                        }
                }
        }
        return false;
}

/* A data race between an access of the last step and one of another thread that did not happen before it. */
static bool find_unordered(struct search *s, const struct search_frame *f)
{
        struct machine *m = &s->machine;
        const struct tries *t = &m->tries;

        for (uint32_t i = 0; i < m->performed.n; i++) {
                const struct machine_access *b = &m->performed.at[i];
                for (uint32_t u = 0; u < n_threads(s); u++) {
                        uint32_t known = orders_known(&m->orders, b->clock, u);
                        uint32_t a = u == b->thread ? 0 : t->nodes.at[machine_node(m, u)].parent;
                        for (; a && t->nodes.at[a].accesses >= known; a = t->nodes.at[a].parent) {
                                const struct node *one = &t->nodes.at[a], *two = &t->nodes.at[b->node];
                                if (!orders_counts(t, one) || one->kind == NODE_FREE)
                                        continue;
                                if (is_new_race(s, one, two) || (is_delayed(m, one) && is_new_race(s, two, one))) {
                                        machine_undo(m, f->changes, f->path);
                                        return plan_race(s, one, two, f->thread, f->choice);
                                }
                        }
                }
        }
        return false;
}

/* The same of delayed stores before the first step: of threads that were created there. */
static bool find_begun(struct search *s)
{
        struct machine *m = &s->machine;
        const struct tries *t = &m->tries;

        for (uint32_t i = 0; i < m->performed.n; i++) {
                const struct machine_access *b = &m->performed.at[i];
                for (uint32_t k = 0; k < i; k++) {
                        const struct machine_access *a = &m->performed.at[k];
                        const struct node *one = &t->nodes.at[a->node], *two = &t->nodes.at[b->node];
                        if (a->thread != b->thread && one->accesses >= orders_known(&m->orders, b->clock, a->thread) &&
                            (plan_stores(s, one, two) || plan_stores(s, two, one)))
                                return true;
                }
        }
        return false;
}

/* The state is one in which no thread may take a step. */
static enum search_answer end(struct search *s)
{
        const struct machine *m = &s->machine;

        if (!part_has(&s->part, &m->tries, m->now.at))
                return SEARCH_OVER;
        s->ended = machine_class_end(&m->tries, m->now.at, s->end);
        if (!seen_has(&s->classes, machine_class(&m->tries, m->now.at)))
                return SEARCH_CLASS;
        if (s->wants_ends && !seen_has(&s->classes, s->ended))
                return SEARCH_END;
        return SEARCH_OVER;
}

/* What tells a state from others: within a chain its target, too. */
static struct hash128 state(const struct machine *m, bool chain, uint32_t target)
{
        struct hash128 h = m->hash;

        if (chain)
                h.a ^= hash_draw(target + 1);
        return h;
}

/* One step from the last state; SEARCH_OVER: the search continues. */
static enum search_answer advance(struct search *s)
{
        struct search_frame *f = &s->frames.at[s->frames.n - 1];
        struct machine *m = &s->machine;

        if (!knows_all(s))
                return SEARCH_STATE;
        if (s->wants_races && !f->raced && !f->only) {
                if (find_race(s))
                        return SEARCH_RACE;
                f->raced = true;
        }
        bool step = find_step(s, f), left = false, chain = false;
        uint32_t target = 0;
        struct chain_result was = {0, false};
        if (!step && (f->only || !find_flush(s, f))) {
                enum search_answer a = f->moved || f->chain ? SEARCH_OVER : end(s);
                if (a != SEARCH_OVER)
                        return a;
                if (find_recent_race(s, f))
                        return SEARCH_RACE;
                s->ends.n = f->ends;
                if (--s->frames.n)
                        machine_undo(m, s->frames.at[s->frames.n - 1].changes, s->frames.at[s->frames.n - 1].path);
                return SEARCH_OVER;
        }
        s->steps++;
        s->work += 1 + (uint64_t)n_threads(s) * n_threads(s) / 16;
        f->moved = true;
        if (!step) {
                chain = f->lives;
                target = f->target;
                was = chain ? chains_result(m, target) : was;
                machine_flush(m, m->tries.buffers.at[f->buffer++]);
        } else {
                bool unseen = machine_step(m, f->thread, f->choice) == MACHINE_UNSEEN;
                left = part_left(&s->part, &m->tries, m->now.at); /* others explore it */
                if (!left && unseen)
                        return SEARCH_STEP;
                if (!left && s->wants_races && m->tries.orders && find_unordered(s, f))
                        return SEARCH_RACE;
        }
        f->choice += step;
        if (step && f->thread < f->n_ends)
                s->ends.at[f->ends + f->thread] = machine_node(m, f->thread);
        if (!left && seen_add(&s->states, state(m, chain, target)))
                enter(s, chain, target, was);
        else
                machine_undo(m, f->changes, f->path);
        return SEARCH_OVER;
}

static enum search_answer begin(struct search *s)
{
        machine_undo(&s->machine, 0, 0);
        s->machine.performed.n = 0;
        if (machine_begin(&s->machine) == MACHINE_UNSEEN) {
                machine_undo(&s->machine, 0, 0);
                return SEARCH_STEP;
        }
        if (s->wants_races && s->machine.tries.orders && find_begun(s))
                return SEARCH_RACE;
        s->begun = true;
        if (!part_left(&s->part, &s->machine.tries, s->machine.now.at))
                enter(s, false, 0, (struct chain_result){0, false});
        return SEARCH_OVER;
}

enum search_answer search_next(struct search *s)
{
        enum search_answer a = SEARCH_OVER;

        bool chains = s->machine.tries.buffers.n && !s->machine.tries.mixed;

        if ((s->machine.tries.orders && orders_prepare(&s->machine.orders, &s->machine.tries)) || s->chains != chains)
                restart(s);
        s->chains = chains;
        machine_grow(&s->machine);
        part_grow(&s->part, &s->machine.tries);
        if (!s->begun) {
                if (s->machine.tries.nodes.at[TRIES_MAIN].kind == NODE_UNKNOWN)
                        return SEARCH_STATE;
                a = begin(s);
        } else if (s->frames.n) { /* what was run may have ended within a step */
                machine_undo(&s->machine, s->frames.at[s->frames.n - 1].changes, s->frames.at[s->frames.n - 1].path);
        }
        while (a == SEARCH_OVER && s->frames.n) {
                if (late_soon())
                        return SEARCH_LATE;
                if (s->work > s->most_work && s->work / s->class_work > s->classes.n)
                        return SEARCH_MANY;
                a = advance(s);
        }
        return a;
}

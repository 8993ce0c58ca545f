/* See search.h. */
#include "strategy/mcr/search.h"

#include "base/deadline.h"
#include "base/hash.h"

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

/* Enters the state of the machine.  A join that may run comes first: it commutes with everything. */
static void enter(struct search *s)
{
        struct search_frame f = {.changes = s->machine.changes.n, .path = s->machine.path.n};

        for (uint32_t i = 0; i < n_threads(s) && !f.only; i++) {
                if (kind_of(s, i) == NODE_JOIN && machine_enabled(&s->machine, i)) {
                        f.thread = i;
                        f.only = true;
                }
        }
        if (!vec_reserve(&s->frames, 1))
                memory_out();
        *vec_push(&s->frames) = f;
}

static bool knows_all(const struct search *s)
{
        for (uint32_t i = 0; i < n_threads(s); i++)
                if (kind_of(s, i) == NODE_UNKNOWN)
                        return false;
        return true;
}

/* Moves a frame on to the next thread that may take a step; false: there is none. */
static bool find_step(const struct search *s, struct search_frame *f)
{
        for (; f->thread < n_threads(s); f->thread++) {
                if (!f->choice && !machine_enabled(&s->machine, f->thread)) {
                        if (f->only)
                                return false;
                        continue;
                }
                const struct node *n = &s->machine.tries.nodes.at[machine_node(&s->machine, f->thread)];
                if (f->choice < (n->kind == NODE_CHOOSE ? n->value : 1))
                        return true;
                f->choice = 0;
                if (f->only)
                        return false;
        }
        return false;
}

static bool writes(const struct node *n)
{
        return n->kind == NODE_WRITE || n->kind == NODE_UPDATE || n->kind == NODE_FREE;
}

static bool accesses(const struct node *n)
{
        return n->kind == NODE_READ || writes(n);
}

/* Are the next operations of two threads a data race? */
static bool are_race(const struct tries *t, const struct node *a, const struct node *b)
{
        if (!accesses(a) || !accesses(b) || !(writes(a) || writes(b)) || !((a->flags | b->flags) & NODE_PLAIN))
                return false;
        if (a->kind == NODE_FREE || b->kind == NODE_FREE)
                return (a->kind == NODE_FREE ? a->cell : t->cells.at[a->cell].block) ==
                       (b->kind == NODE_FREE ? b->cell : t->cells.at[b->cell].block);
        return a->cell == b->cell && (a->mask & b->mask);
}

/* A data race in this state, in an order that has not been run: it is added to the path. */
static bool find_race(struct search *s)
{
        const struct machine *m = &s->machine;

        for (uint32_t i = 0; i < n_threads(s); i++) {
                const struct node *a = &m->tries.nodes.at[machine_node(m, i)];
                for (uint32_t j = 0; accesses(a) && j < n_threads(s); j++) {
                        const struct node *b = &m->tries.nodes.at[machine_node(m, j)];
                        struct hash128 key = {hash_mix(hash_draw(a->site), b->site),
                                              hash_mix(hash_draw(b->site), a->site) ^ a->op << 8 ^ b->op};
                        if (i != j && are_race(&m->tries, a, b) && seen_add(&s->races, key)) {
                                machine_plan(&s->machine, i);
                                machine_plan(&s->machine, j);
                                return true;
                        }
                }
        }
        return false;
}

/* The state is one in which no thread may take a step. */
static enum search_answer end(struct search *s)
{
        const struct machine *m = &s->machine;

        if (!seen_has(&s->classes, machine_class(&m->tries, m->now.at)))
                return SEARCH_CLASS;
        if (s->wants_leaks && !seen_has(&s->classes, machine_class_heap(&m->tries, m->now.at)))
                return SEARCH_LEAK;
        return SEARCH_OVER;
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
        if (!find_step(s, f)) {
                enum search_answer a = f->moved ? SEARCH_OVER : end(s);
                if (a != SEARCH_OVER)
                        return a;
                if (--s->frames.n)
                        machine_undo(m, s->frames.at[s->frames.n - 1].changes, s->frames.at[s->frames.n - 1].path);
                return SEARCH_OVER;
        }
        s->steps++;
        f->moved = true;
        if (machine_step(m, f->thread, f->choice) == MACHINE_UNSEEN)
                return SEARCH_STEP;
        f->choice++;
        if (seen_add(&s->states, m->hash))
                enter(s);
        else
                machine_undo(m, f->changes, f->path);
        return SEARCH_OVER;
}

static enum search_answer begin(struct search *s)
{
        if (machine_begin(&s->machine) == MACHINE_UNSEEN) {
                machine_undo(&s->machine, 0, 0);
                return SEARCH_STEP;
        }
        s->begun = true;
        enter(s);
        return SEARCH_OVER;
}

enum search_answer search_next(struct search *s)
{
        enum search_answer a = SEARCH_OVER;

        machine_grow(&s->machine);
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
                a = advance(s);
        }
        return a;
}

/* See search.h. */
#include "strategy/mcr/search.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "op/op.h"

void search_init(struct search *s, uint64_t max_states)
{
        *s = (struct search){.steps = 0};
        machine_init(&s->machine);
        seen_init(&s->states, max_states);
        seen_init(&s->classes, UINT64_MAX);
        seen_init(&s->races.seen, UINT64_MAX);
}

void search_fini(struct search *s)
{
        machine_fini(&s->machine);
        seen_fini(&s->states);
        seen_fini(&s->classes);
        seen_fini(&s->races.seen);
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
        /* within a limit, what the others do without the join is needed, too */
        return kind_of(s, thread) == NODE_JOIN && !m->depth && machine_enabled(m, thread) &&
               !(m->tries.nodes.at[machine_node(m, thread)].flags & NODE_CANCELS);
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

/* Is it only known that the thread ends here if it is asked to? */
static bool is_cancelled(const struct search *s, uint32_t thread)
{
        const struct node *n = &s->machine.tries.nodes.at[machine_node(&s->machine, thread)];

        return n->kind == NODE_UNKNOWN && (n->flags & NODE_CANCELS);
}

bool search_may_repeat(const struct search *s)
{
        return s->asked == SEARCH_STATE && s->about < n_threads(s) && is_cancelled(s, s->about);
}

/* Otherwise what is not known comes next in the path. */
static bool knows_all(struct search *s, const struct search_frame *f)
{
        for (uint32_t i = f->passed; i < n_threads(s); i++) {
                if (machine_knows(&s->machine, i))
                        continue;
                if (kind_of(s, i) != NODE_UNKNOWN || s->machine.depth || is_cancelled(s, i))
                        machine_plan(&s->machine, i);
                s->about = i;
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

/* Back to the state before. */
static void leave(struct search *s)
{
        s->ends.n = s->frames.at[s->frames.n - 1].ends;
        if (--s->frames.n)
                machine_undo(&s->machine, s->frames.at[s->frames.n - 1].changes, s->frames.at[s->frames.n - 1].path);
}

void search_cut(struct search *s, bool counts)
{
        s->cut = true;
        s->cut_shown |= counts;
}

/* --depth: may some thread continue where the path is as long as it may be?  Then the execution is cut there.  A thread whose next
 * operation is not known may have to wait. */
static bool is_cut(struct search *s)
{
        struct machine *m = &s->machine;

        if (!machine_is_deep(m))
                return false;
        for (uint32_t i = 0; i < n_threads(s); i++)
                if (machine_enabled(m, i))
                        return true;
        for (uint32_t i = 0; i < m->tries.buffers.n; i++)
                if (machine_may_flush(m, m->tries.buffers.at[i]))
                        return true;
        return machine_is_too_deep(m);
}

/* The execution did not show what it was run for.  --depth: that is beyond the limit on this path.  Or the thread whose next operation was
 * asked has to wait for it here: then the steps of others follow. */
static enum search_answer pass(struct search *s)
{
        struct search_frame *f = &s->frames.at[s->frames.n - 1];

        if (s->asked == SEARCH_END && !s->cut_shown) {
                s->about = UINT32_MAX;
                return SEARCH_STATE;
        }
        machine_undo(&s->machine, f->changes, f->path);
        if (s->asked == SEARCH_STEP)
                f->choice++;
        else if (s->asked == SEARCH_STATE && s->about != UINT32_MAX && !machine_is_deep(&s->machine))
                f->passed = s->about + 1;
        else
                leave(s);
        return SEARCH_OVER;
}

/* One step from the last state; SEARCH_OVER: the search continues. */
static enum search_answer advance(struct search *s)
{
        struct search_frame *f = &s->frames.at[s->frames.n - 1];
        struct machine *m = &s->machine;

        if (is_cut(s)) {
                if (!s->cut_shown) {
                        s->about = UINT32_MAX;
                        return SEARCH_STATE;
                }
                leave(s);
                return SEARCH_OVER;
        }
        if (!knows_all(s, f))
                return SEARCH_STATE;
        if (s->wants_races && !f->raced && !f->only) {
                if (races_next(&s->races, m))
                        return SEARCH_RACE;
                f->raced = true;
        }
        bool step = find_step(s, f), left = false, chain = false;
        uint32_t target = 0;
        struct chain_result was = {0, false};
        if (!step && (f->only || !find_flush(s, f))) {
                enum search_answer a = f->moved || f->chain || f->passed ? SEARCH_OVER : end(s);
                if (a != SEARCH_OVER)
                        return a;
                if (races_recent(&s->races, m, s->ends.at + f->ends, f->n_ends, f->chain))
                        return SEARCH_RACE;
                leave(s);
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
                if (!left && s->wants_races && m->tries.orders &&
                    races_unordered(&s->races, m, &(struct races_step){f->changes, f->path, f->thread, f->choice}))
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
        if (s->wants_races && s->machine.tries.orders && races_begun(&s->races, &s->machine))
                return SEARCH_RACE;
        s->begun = true;
        if (!part_left(&s->part, &s->machine.tries, s->machine.now.at))
                enter(s, false, 0, (struct chain_result){0, false});
        return SEARCH_OVER;
}

enum search_answer search_next(struct search *s)
{
        enum search_answer a = SEARCH_OVER;
        bool cut = s->cut || search_may_repeat(s);
        uint32_t about = s->about;

        s->cut = false;
        bool chains = s->machine.tries.buffers.n && !s->machine.tries.mixed;

        if ((s->machine.tries.orders && orders_prepare(&s->machine.orders, &s->machine.tries)) || s->chains != chains ||
            s->cancels != s->machine.tries.cancels) {
                restart(s);
                cut = false;
        }
        s->chains = chains;
        s->cancels = s->machine.tries.cancels;
        machine_grow(&s->machine);
        part_grow(&s->part, &s->machine.tries);
        if (!s->begun) {
                if (s->machine.tries.nodes.at[TRIES_MAIN].kind == NODE_UNKNOWN)
                        return cut ? SEARCH_OVER : SEARCH_STATE;
                a = begin(s);
                if (cut && a == SEARCH_STEP) /* the main thread alone is too long */
                        return SEARCH_OVER;
        } else if (s->frames.n) { /* what was run may have ended within a step */
                machine_undo(&s->machine, s->frames.at[s->frames.n - 1].changes, s->frames.at[s->frames.n - 1].path);
        }
        while (a == SEARCH_OVER && s->frames.n) {
                if (late_soon())
                        return SEARCH_LATE;
                if (s->work > s->most_work && s->work / s->class_work > s->classes.n)
                        return SEARCH_MANY;
                a = advance(s);
                if (cut && a == (enum search_answer)s->asked && a != SEARCH_OVER && a != SEARCH_RACE &&
                    (a != SEARCH_STATE || s->about == about))
                        a = pass(s);
                cut = false;
        }
        s->asked = (int)a;
        return a;
}

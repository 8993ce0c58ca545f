/*
 * The scheduler: which thread performs the next transition.
 *
 * A thread comes here with the operation it is about to perform (op_arrive) and goes on when it is its turn; then it
 * writes the entry (op_log) and does the deed.  One transition is what a thread does from one turn to the next.  While
 * the prefix of the schedule lasts, it says whose turn it is; then the tail policy does, leaving out the sleep set.
 * An actor sleeps while nothing touched what its transition would touch (Godefroid's sleep sets); when every enabled
 * actor sleeps, all that can follow has been seen, and the execution ends at once.
 *
 * In a run that follows segments (replay), the turn ends at a hook count instead, and any hook can be a turning point.
 */
#include "rt/core.h"
#include "rt/spin.h"

struct rt rt;
struct execution ex;
struct thread threads[WIRE_MAX_THREADS];
struct thread *rt_cur;

static struct wire_event scratch; /* of operations that leave no entry */

static void switch_to(struct thread *from, struct thread *to)
{
        rt_cur = to;
        fiber_switch(&from->sp, to->sp, to->fs);
}

bool sched_enabled(const struct thread *t)
{
        const struct pending *p = &t->pend;

        if (t->state != WIRE_T_READY)
                return false;
        if (RT_UNLIKELY(rt.down->thread_depth) && t->transitions >= rt.down->thread_depth)
                return false;
        switch (p->op) {
        case OP_JOIN:
                return threads[p->peer].state == WIRE_T_DONE;
        case OP_EXIT:
                return !ex.exited;
        case OP_MUTEX_RELOCK:
                return t->signalled && op_enabled(p->op, p->object->state, t->id);
        default:
                return !op_blocks(p->op) || op_enabled(p->op, p->object->state, t->id);
        }
}

uint64_t sched_fast_mark(const struct thread *t)
{
        return rt.segments || (rt.flags & WIRE_DETAIL) ? RT_MARK_NONE : shadow_mark(t);
}

/* Sleep sets. */

static void sleep_arm(void)
{
        const struct wire_down *d = rt.down;

        ex.sleep_armed = true;
        for (uint32_t i = 0; i < d->n_sleep; i++) {
                struct thread *t = &threads[d->sleep[i].actor % WIRE_MAX_THREADS];
                t->asleep = 1;
                t->sleep_first = d->sleep[i].first;
                t->sleep_count = d->sleep[i].count;
        }
        ex.n_sleep = d->n_sleep;
}

static bool footprint_conflicts(const struct thread *t, uint64_t obj, uint32_t size, uint32_t mode)
{
        const struct wire_access *a = &rt.down->footprint[t->sleep_first];

        for (uint32_t i = 0; i < t->sleep_count; i++)
                if (a[i].obj < obj + size && obj < a[i].obj + a[i].size && op_modes_conflict(a[i].mode, mode))
                        return true;
        return false;
}

static void sleep_wake(uint64_t obj, uint32_t size, uint32_t mode)
{
        const struct wire_down *d = rt.down;

        for (uint32_t i = 0; i < d->n_sleep; i++) {
                struct thread *t = &threads[d->sleep[i].actor % WIRE_MAX_THREADS];
                if (t->asleep && footprint_conflicts(t, obj, size, mode)) {
                        t->asleep = 0;
                        ex.n_sleep--;
                }
        }
}

/* Whose turn is it? */

static void note_enabled(struct thread *only)
{
        struct wire_up *up = rt.up;
        uint32_t words = up->enabled_words;
        uint64_t *w = &up->enabled[(size_t)ex.n_transitions * words];

        if ((size_t)(ex.n_transitions + 1) * words > WIRE_MAX_EVENTS)
                exec_end_text(WIRE_END_DEPTH, 0, "the trace is full");
        for (uint32_t i = 0; i < words; i++)
                w[i] = 0;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (only ? only == &threads[i] : sched_enabled(&threads[i]))
                        w[i / 64] |= UINT64_C(1) << (i % 64);
}

static _Noreturn void diverged(const char *what, uint32_t actor)
{
        char text[WIRE_TEXT];

        rt_format(text, sizeof text, what, actor);
        exec_end_text(WIRE_END_DIVERGED, rt.segments ? ex.segment : ex.n_transitions, text);
}

static struct thread *thread_for_turn(uint32_t actor)
{
        struct thread *t;

        if (actor >= ex.n_threads || threads[actor].state == WIRE_T_UNUSED)
                diverged("thread %u is not there", actor);
        t = &threads[actor];
        if (t->state != WIRE_T_READY)
                diverged(t->state == WIRE_T_SPIN ? "thread %u waits in a loop for another thread" :
                         t->state == WIRE_T_DONE ? "thread %u has ended" : "thread %u has stopped", actor);
        if (!sched_enabled(t))
                diverged(rt.down->thread_depth && t->transitions >= rt.down->thread_depth
                                 ? "thread %u has used up its --thread-depth"
                                 : "thread %u is blocked",
                         actor);
        return t;
}

static void follow(uint32_t i)
{
        ex.choice = rt.prefix[i].choice;
        if (i + 1 == rt.n_prefix)
                sleep_arm();
}

static struct thread *pick_prefix(uint32_t i)
{
        struct thread *t = thread_for_turn(rt.prefix[i].actor);

        follow(i);
        return t;
}

static uint64_t next_random(void)
{
        ex.rng ^= ex.rng << 13;
        ex.rng ^= ex.rng >> 7;
        ex.rng ^= ex.rng << 17;
        return ex.rng;
}

/* Nobody can go on: how did it end? */
static _Noreturn void finish(void)
{
        bool assume = false, budget = false, waiting = false;

        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                assume |= t->state == WIRE_T_ASSUME;
                waiting |= t->state == WIRE_T_READY || t->state == WIRE_T_SPIN;
                if (t->state == WIRE_T_READY && rt.down->thread_depth && t->transitions >= rt.down->thread_depth)
                        budget = true;
        }
        if (ex.n_failures)
                exec_end(WIRE_END_FAILED);
        if (assume)
                exec_end(WIRE_END_ASSUME);
        if (budget)
                exec_end(WIRE_END_BUDGET);
        if (waiting && !ex.exited)
                exec_end(WIRE_END_STUCK);
        exec_end(WIRE_END_DONE);
}

static struct thread *pick_random(void)
{
        uint32_t n = 0, k;
        bool any = false;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (sched_enabled(&threads[i])) {
                        any = true;
                        n += !threads[i].asleep;
                }
        if (!n) {
                if (any)
                        exec_end(WIRE_END_SLEEP);
                finish();
        }
        k = (uint32_t)(next_random() % n);
        for (uint32_t i = 0;; i++)
                if (sched_enabled(&threads[i]) && !threads[i].asleep && !k--)
                        return &threads[i];
}

static struct thread *pick_tail(struct thread *t)
{
        uint32_t first = 0;
        bool any = false;

        ex.choice = WIRE_NO_CHOICE;
        if (rt.down->tail == WIRE_TAIL_RANDOM)
                return pick_random();
        if (rt.down->tail == WIRE_TAIL_ROUND_ROBIN)
                first = t->id + 1u;
        else if (!t->asleep && sched_enabled(t))
                return t;
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *n = &threads[(first + i) % ex.n_threads];
                if (!sched_enabled(n))
                        continue;
                if (!n->asleep)
                        return n;
                any = true;
        }
        if (any)
                exec_end(WIRE_END_SLEEP);
        finish();
}

/* The turn in a run of segments.  `t` is at a hook, or has left. */
static struct thread *pick_segment(struct thread *t)
{
        const struct wire_down *d = rt.down;

        for (; ex.segment < d->n_segments; ex.segment++) {
                const struct wire_segment *s = &d->segments[ex.segment];
                struct thread *n;

                if (s->actor != t->id) {
                        n = thread_for_turn(s->actor);
                        if (n->pos <= s->until)
                                return n;
                        continue; /* its stretch has no hook left */
                }
                if (t->state != WIRE_T_READY)
                        continue;
                if (t->pos > s->until)
                        continue;
                if (sched_enabled(t))
                        return t;
                if (s->until != WIRE_TO_END)
                        diverged("thread %u is blocked", t->id);
        }
        return pick_tail(t);
}

static struct thread *pick(struct thread *t)
{
        if (RT_UNLIKELY(rt.segments))
                return pick_segment(t);
        if (RT_UNLIKELY(rt.flags & WIRE_WANT_ENABLED))
                note_enabled(NULL);
        if (ex.n_transitions < rt.n_prefix)
                return pick_prefix(ex.n_transitions);
        return pick_tail(t);
}

/* The value of a plain store is in memory by the thread's next hook. */
static void tell_store(struct thread *t)
{
        struct wire_event *e = t->unsaid;
        uint64_t v = 0;

        rt_copy(&v, (const void *)(uintptr_t)e->obj, e->size < 8 ? e->size : 8);
        e->value = v;
        t->unsaid = NULL;
}

/* The running thread waits here for its turn. */
static void sched_point(struct thread *t)
{
        struct thread *n;

        if (RT_UNLIKELY(t->eager_parent != NULL)) {
                n = t->eager_parent;
                t->eager_parent = NULL;
                switch_to(t, n);
                return;
        }
        n = pick(t);
        if (n != t)
                switch_to(t, n);
}

_Noreturn void sched_leave(struct thread *t, uint32_t state)
{
        struct thread *n = t->eager_parent;

        t->state = (uint8_t)state;
        if (t->unsaid)
                tell_store(t);
        if (n)
                t->eager_parent = NULL;
        else
                n = pick(t);
        switch_to(t, n);
        __builtin_unreachable();
}

void sched_eager(struct thread *t, struct thread *n)
{
        n->eager_parent = t;
        switch_to(t, n);
}

/* Operations. */

static bool is_plain(uint32_t op)
{
        return op == OP_READ || op == OP_WRITE || op == OP_FREE;
}

/* Can another thread tell whether and when this operation happens? */
static bool matters(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        switch (op) {
        case OP_FENCE:
                return false;
        case OP_CREATE:
        case OP_JOIN:
        case OP_START:
        case OP_EXIT:
        case OP_CHOOSE:
        case OP_ATOMIC_BEGIN:
        case OP_PREEMPT:
        case OP_OBSERVE:
                return true;
        }
        if (RT_UNLIKELY(t->ignore_depth) && is_plain(op))
                return false;
        return shadow_touch(t, obj, size) || (rt.preempt == WIRE_PREEMPT_SYNC && !is_plain(op));
}

static enum arrival how_it_arrives(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        if (!matters(t, op, obj, size) && !t->also_shared)
                return ARRIVE_PRIVATE;
        if (rt.preempt == WIRE_PREEMPT_SYNC ? is_plain(op) : op == OP_CREATE || op == OP_JOIN || op == OP_START)
                return ARRIVE_INNER;
        if (RT_UNLIKELY(t->atomic_depth))
                return op == OP_CHOOSE || op == OP_COND_SIGNAL ? ARRIVE_FORCED : ARRIVE_INNER;
        return ARRIVE_EVENT;
}

static void forced_point(struct thread *t)
{
        if (rt.flags & WIRE_WANT_ENABLED)
                note_enabled(t);
        ex.choice = WIRE_NO_CHOICE;
        if (ex.n_transitions < rt.n_prefix) {
                if (rt.prefix[ex.n_transitions].actor != t->id)
                        diverged("thread %u is inside an atomic section", t->id);
                follow(ex.n_transitions);
        }
}

/* A thread that has been at private memory for long may be in a loop that only others end: let them go first.  What it
 * does commutes with what they do.  It has the next turn that the schedule gives it, and goes on from here. */
static void give_way(struct thread *t)
{
        struct thread *n = NULL;

        t->patience = t->pos + RT_PATIENCE;
        if (rt.segments && ex.segment < rt.down->n_segments)
                return; /* the schedule knows */
        if (t->eager_parent) {
                n = t->eager_parent;
                t->eager_parent = NULL;
        } else if (ex.n_transitions < rt.n_prefix) {
                n = &threads[rt.prefix[ex.n_transitions].actor % WIRE_MAX_THREADS];
                n = n != t && sched_enabled(n) ? pick(t) : NULL;
        } else {
                for (uint32_t i = 1; i < ex.n_threads && !n; i++) {
                        struct thread *other = &threads[(t->id + i) % ex.n_threads];
                        if (sched_enabled(other) && !other->asleep && other->pend.op != OP_NONE)
                                n = other;
                }
                if (n && (rt.flags & WIRE_WANT_ENABLED))
                        note_enabled(NULL);
                ex.choice = WIRE_NO_CHOICE;
        }
        if (!n && ex.n_new_shared) /* nobody is left to end the wait, and this run does not count */
                exec_end(WIRE_END_DEPTH);
        if (!n)
                return;
        t->pend.op = OP_NONE;
        switch_to(t, n);
}

/* At first its private memory is watched too: it may spin.  If it does not, others go first. */
static void lose_patience(struct thread *t)
{
        if (t->solo) {
                give_way(t);
                return;
        }
        t->patience = t->pos + RT_PATIENCE;
        t->solo = true;
        t->fast_mark = RT_MARK_NONE;
}

enum arrival op_arrive_counted(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                               uintptr_t site)
{
        struct pending *p = &t->pend;
        enum arrival how;

        p->op = (uint8_t)op;
        p->obj = obj;
        p->size = size;
        p->object = o;
        p->site = site;
        if (RT_UNLIKELY(t->unsaid != NULL))
                tell_store(t);
        if (RT_UNLIKELY(!rt.live)) {
                if (!op_blocks(op) || sched_enabled(t))
                        return ARRIVE_PRIVATE;
                snapshot_ensure(); /* it waits for a thread that does not exist */
        }
        how = how_it_arrives(t, op, obj, size);
        if (how != ARRIVE_EVENT && (op_blocks(op) || op == OP_JOIN || op == OP_EXIT) && !sched_enabled(t))
                how = ARRIVE_EVENT;
        if (RT_UNLIKELY(t->pos >= t->patience) && how == ARRIVE_PRIVATE && !t->atomic_depth)
                lose_patience(t);
        if (RT_UNLIKELY(t->solo) && how == ARRIVE_PRIVATE) {
                spin_check(t, op, site);
                if (t->state == WIRE_T_SPIN)
                        sched_point(t);
        }
        if (RT_UNLIKELY(rt.segments)) {
                if (how == ARRIVE_EVENT)
                        spin_check(t, op, site);
                if (!t->atomic_depth || how == ARRIVE_EVENT)
                        sched_point(t);
        } else if (how == ARRIVE_EVENT) {
                spin_check(t, op, site);
                sched_point(t);
        } else if (how == ARRIVE_FORCED) {
                forced_point(t);
        }
        return how;
}

enum arrival op_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o, uintptr_t site)
{
        t->pos++;
        return op_arrive_counted(t, op, obj, size, o, site);
}

/* Nothing that a loop undoes by itself. */
static bool is_progress(uint32_t op)
{
        return op == OP_CREATE || op == OP_JOIN || op == OP_CHOOSE || op == OP_EXIT || op == OP_FREE ||
               (op >= OP_COND_INIT && op <= OP_ONCE_END && op != OP_SEM_TRYWAIT && op != OP_SEM_GETVALUE);
}

static struct wire_event *add_entry(struct thread *t, uint32_t flags, uint32_t op, uint64_t obj, uint32_t size,
                                    uint32_t mode, uint64_t value)
{
        uint32_t i = ex.n_events;
        struct wire_event *e = &rt.up->events[i];

        if (RT_UNLIKELY(i >= WIRE_MAX_EVENTS - 1) || (RT_UNLIKELY(rt.down->depth) && i >= rt.down->depth))
                exec_end(WIRE_END_DEPTH);
        ex.n_events = i + 1;
        rt.up->n_events = i + 1;
        e->actor = t->id;
        e->op = (uint8_t)op;
        e->flags = (uint8_t)flags;
        e->size = size;
        e->obj = obj;
        e->value = value;
        e->site = t->pend.site;
        e->pos = t->pos;
        e->choice = 0;
        e->next_choice = WIRE_NO_CHOICE;
        e->mode = mode;
        if (RT_UNLIKELY(ex.n_sleep) && ex.sleep_armed && mode != WIRE_MODE_NONE)
                sleep_wake(obj, size, mode);
        return e;
}

static void end_solo(struct thread *t)
{
        t->solo = false;
        if (!spin_suspects(t))
                t->fast_mark = sched_fast_mark(t);
}

struct wire_event *op_log(struct thread *t, enum arrival how, uint32_t mode, uint64_t value)
{
        const struct pending *p = &t->pend;
        uint32_t i = ex.n_transitions, flags = 0;

        if (how == ARRIVE_PRIVATE)
                return &scratch;
        if (how != ARRIVE_INNER) {
                if (i < rt.n_prefix && !rt.segments) {
                        const struct wire_decision *d = &rt.prefix[i];
                        if ((d->op && d->op != p->op) || (d->obj && d->obj != p->obj))
                                diverged("thread %u does something else than before", t->id);
                }
                flags = how == ARRIVE_FORCED ? WIRE_EV_SCHED | WIRE_EV_FORCED : WIRE_EV_SCHED;
        }
        struct wire_event *e = add_entry(t, flags, p->op, p->obj, p->size, mode, value);
        if (how != ARRIVE_INNER) { /* counted once the entry is there: a cut leaves both numbers in step */
                ex.n_transitions = i + 1;
                t->transitions++;
                t->patience = t->pos + RT_PATIENCE;
                if (RT_UNLIKELY(t->solo))
                        end_solo(t);
        }
        if (RT_UNLIKELY(spin_watchers)) {
                if (is_progress(p->op))
                        spin_progress(t);
                if (mode == WIRE_MODE_WRITE || mode == WIRE_MODE_COMMUTE)
                        spin_wake(t, p->obj, p->size);
        }
        return e;
}

struct wire_event *op_also(struct thread *t, enum arrival how, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                           uint64_t value)
{
        struct wire_event *e;

        if (how == ARRIVE_PRIVATE)
                return &scratch;
        e = add_entry(t, 0, op, obj, size, mode, value);
        if (RT_UNLIKELY(spin_watchers) && mode == WIRE_MODE_WRITE)
                spin_wake(t, obj, size);
        return e;
}

enum arrival op_perform(struct thread *t, uint32_t op, struct object *o, uint32_t mode, uintptr_t site)
{
        enum arrival how = op_arrive(t, op, o->addr, 8, o, site);

        op_log(t, how, mode, o->state);
        return how;
}

uint32_t op_choice(uint32_t first, uint32_t count)
{
        const struct wire_down *d = rt.down;

        if (!rt.segments) {
                if (ex.choice == WIRE_NO_CHOICE && d->tail == WIRE_TAIL_RANDOM && count && ex.n_transitions >= rt.n_prefix)
                        return (uint32_t)(next_random() % count);
                return ex.choice == WIRE_NO_CHOICE ? first : ex.choice;
        }
        if (ex.choice_next < d->n_choices)
                return d->choices[ex.choice_next++];
        return first;
}

uint32_t rt_choose(uint32_t n, uintptr_t site)
{
        struct thread *t = rt_cur;
        struct wire_event *e;
        enum arrival how;
        uint32_t c;

        if (n == 0)
                rt_fault("heddle_choose(0): there is nothing to choose from");
        snapshot_ensure();
        how = op_arrive(t, OP_CHOOSE, 0, 0, NULL, site);
        c = op_choice(0, n);
        if (c >= n)
                diverged("thread %u has fewer values to choose from than before", t->id);
        e = op_log(t, how, WIRE_MODE_NONE, n);
        e->choice = c;
        e->next_choice = c + 1 < n ? c + 1 : WIRE_NO_CHOICE;
        return c;
}

/* The end. */

static uint32_t holder_of(const struct thread *t)
{
        const struct pending *p = &t->pend;

        if (p->op == OP_JOIN)
                return p->peer;
        if (p->object && p->object->kind == OP_OBJ_MUTEX && OP_MUTEX_OWNER(p->object->state) &&
            !(p->op == OP_MUTEX_RELOCK && !t->signalled))
                return OP_MUTEX_OWNER(p->object->state) - 1;
        return WIRE_NO_ACTOR;
}

static void tell_thread(const struct thread *t, struct wire_thread *w, bool all)
{
        const struct pending *p = &t->pend;
        bool waits_signal = p->op == OP_MUTEX_RELOCK && !t->signalled && t->cond;

        w->state = t->state;
        if (t->state == WIRE_T_READY && !sched_enabled(t))
                w->state = rt.down->thread_depth && t->transitions >= rt.down->thread_depth ? WIRE_T_BUDGET
                                                                                            : WIRE_T_BLOCKED;
        w->op = waits_signal ? OP_COND_WAIT : p->op;
        w->obj = waits_signal ? t->cond->addr : p->obj;
        w->site = p->site;
        w->pos = t->pos;
        w->transitions = t->transitions;
        w->holder = WIRE_NO_ACTOR;
        w->n_stack = 0;
        if (!all)
                return;
        w->holder = holder_of(t);
        for (uint32_t d = t->n_calls; d > 0 && w->n_stack < WIRE_MAX_STACK; d--)
                if (d <= RT_MAX_CALLS)
                        w->stack[w->n_stack++] = t->calls[d - 1];
        rt_text(w->name, sizeof w->name, t->name);
        w->start = (uint64_t)(uintptr_t)t->start;
}

_Noreturn void exec_end_text(uint32_t end, uint32_t step, const char *text)
{
        rt.up->step = step;
        rt_text(rt.up->text, WIRE_TEXT, text);
        exec_end(end);
}

_Noreturn void exec_end(uint32_t end)
{
        struct wire_up *up = rt.up;
        bool all = (end != WIRE_END_DONE && end != WIRE_END_SLEEP) || (rt.flags & WIRE_DETAIL);
        void *ignored;

        rt_cur = NULL;
        if (end == WIRE_END_DONE && !ex.exited)
                exit_observe(NULL);
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                if (threads[i].unsaid)
                        tell_store(&threads[i]);
                tell_thread(&threads[i], &up->threads[i], all);
        }
        up->end = end;
        up->n_transitions = ex.n_transitions;
        up->n_threads = ex.n_threads;
        up->n_failures = ex.n_failures;
        up->n_new_shared = ex.n_new_shared;
        up->exit_status = ex.exit_status;
        fiber_switch(&ignored, rt.controller_sp, threads[0].fs);
        __builtin_unreachable();
}

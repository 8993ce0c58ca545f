/*
 * Local improvement of a plan.  A stretch is what one thread does between two switches.  Tried are:
 *
 *   first, of long plans: parts, from half of the plan down to a few steps, in which each thread runs in one stretch;
 *   the plan cut before a stretch, with the default order after it (each thread until it blocks);
 *   a stretch removed; moved to the thread's next stretch; moved back to its stretch before.
 *
 * A changed plan is run first as it is, and if it cannot be followed, with what comes after the change as hints
 * only.  It replaces the plan if the same failure shows and the execution is better (plan_better); so preemptions never
 * become more.  It ends: each replacement is smaller in a well-founded order.
 */
#include "minimize/shorten.h"

#include <string.h>

#include "base/clock.h"

#define MANY       16u /* preemptions: with fewer, one after the other is quick */
#define LEAST_PART 4u  /* steps */

struct work {
        struct quest *q;
        struct plan *best;
        struct plan trial;  /* the changed list */
        struct plan result; /* what its run did */
};

static uint32_t stretch_end(const struct plan *p, uint32_t i)
{
        uint32_t k = i + 1;

        while (k < p->steps.n && p->steps.at[k].actor == p->steps.at[i].actor)
                k++;
        return k;
}

static bool put(struct work *w, uint32_t from, uint32_t to)
{
        struct plan *t = &w->trial;

        if (from >= to)
                return true;
        if (!vec_reserve(&t->steps, to - from))
                return false;
        memcpy(&t->steps.at[t->steps.n], &w->best->steps.at[from], (to - from) * sizeof *t->steps.at);
        t->steps.n += to - from;
        return true;
}

/* Runs the trial, of which the first `sure` decisions are surely possible.  True: it is the new best. */
static bool try(struct work *w, uint32_t sure)
{
        struct plan *t = &w->trial;
        uint32_t failure;
        enum quest_answer a = quest_follow(w->q, t->steps.at, t->steps.n, 0, WIRE_TAIL_RUN_TO_BLOCK, 0, &failure);

        if (a == QUEST_CUT && sure < t->steps.n)
                a = quest_follow(w->q, t->steps.at, sure, t->steps.n - sure, WIRE_TAIL_RUN_TO_BLOCK, 0, &failure);
        if (a != QUEST_SHOWN || !plan_take(&w->result, &w->q->run->trace, failure) || !plan_better(&w->result, w->best))
                return false;
        plan_move(w->best, &w->result);
        return true;
}

static bool cut_at(struct work *w, uint32_t i)
{
        w->trial.steps.n = 0;
        return put(w, 0, i) && try(w, i);
}

/* The stretch [i, k) goes to place `to`, in front of what is there; UINT32_MAX: nowhere. */
static bool move(struct work *w, uint32_t i, uint32_t k, uint32_t to)
{
        uint32_t n = w->best->steps.n;
        bool ok;

        w->trial.steps.n = 0;
        if (to == UINT32_MAX)
                ok = put(w, 0, i) && put(w, k, n);
        else if (to >= k)
                ok = put(w, 0, i) && put(w, k, to) && put(w, i, k) && put(w, to, n);
        else
                ok = put(w, 0, to) && put(w, i, k) && put(w, to, i) && put(w, k, n);
        return ok && try(w, to < i ? to : i);
}

/* The next place from k on where this actor has the turn, and the end of its last stretch before i; UINT32_MAX: none. */
static uint32_t turn_after(const struct plan *p, uint32_t k, uint32_t actor)
{
        for (; k < p->steps.n; k++)
                if (p->steps.at[k].actor == actor)
                        return k;
        return UINT32_MAX;
}

static uint32_t turn_before(const struct plan *p, uint32_t i, uint32_t actor)
{
        while (i-- > 0)
                if (p->steps.at[i].actor == actor)
                        return i + 1;
        return UINT32_MAX;
}

/* All changes of the stretch that begins at i. */
static bool change(struct work *w, uint32_t i)
{
        const struct plan *p = w->best;
        uint32_t k = stretch_end(p, i), actor = p->steps.at[i].actor;
        uint32_t after = turn_after(p, k, actor), before = turn_before(p, i, actor);

        return cut_at(w, i) || move(w, i, k, UINT32_MAX) || (after != UINT32_MAX && move(w, i, k, after)) ||
               (before != UINT32_MAX && move(w, i, k, before));
}

/* The steps [from, to) ordered by thread, in the order in which the threads come up. */
static bool calm(struct work *w, uint32_t from, uint32_t to)
{
        const struct plan *p = w->best;
        struct plan *t = &w->trial;
        bool seen[WIRE_MAX_THREADS] = {false};
        uint32_t stretches = 0;

        t->steps.n = 0;
        if (!put(w, 0, from))
                return false;
        for (uint32_t i = from; i < to; i++) {
                uint32_t actor = p->steps.at[i].actor;
                if (actor >= WIRE_MAX_THREADS || seen[actor])
                        continue;
                seen[actor] = true;
                stretches++;
                for (uint32_t k = i; k < to; k++)
                        if (p->steps.at[k].actor == actor && !put(w, k, k + 1))
                                return false;
        }
        for (uint32_t i = from; i < to; i = stretch_end(p, i))
                stretches--;
        return stretches && put(w, to, p->steps.n) && try(w, from); /* 0: each has one already */
}

static bool over(const struct quest *q)
{
        return q->grew || q->broken || clock_now() >= q->until;
}

/* The shortest prefix that suffices, were that monotone: what is far from that is halved quickly. */
static void halve(struct work *w)
{
        uint32_t low = 0, high = w->best->steps.n;

        while (low < high && !over(w->q)) {
                uint32_t mid = low + (high - low) / 2, n = w->best->steps.n, failure;
                enum quest_answer a =
                        quest_follow(w->q, w->best->steps.at, mid, 0, WIRE_TAIL_RUN_TO_BLOCK, 0, &failure);

                if (a != QUEST_SHOWN) {
                        low = mid + 1;
                        continue;
                }
                if (plan_take(&w->result, &w->q->run->trace, failure) && plan_better(&w->result, w->best))
                        plan_move(w->best, &w->result);
                high = mid < n ? mid : n;
        }
}

/* Long plans: each thread runs in one stretch within as large a part of the plan as can be. */
static void calm_parts(struct work *w)
{
        for (uint32_t size = w->best->steps.n / 2; size >= LEAST_PART && !over(w->q); size /= 2)
                for (uint32_t from = 0; from < w->best->steps.n && !over(w->q); from += size) {
                        uint32_t left = w->best->steps.n - from;
                        calm(w, from, from + (left < size ? left : size));
                }
}

void shorten(struct quest *q, struct plan *best)
{
        struct work w = {.q = q, .best = best};
        bool again = true;

        halve(&w);
        if (best->preemptions > MANY)
                calm_parts(&w);
        while (again && !over(q)) {
                again = false;
                for (uint32_t i = 0; i < best->steps.n && !over(q);) {
                        if (change(&w, i))
                                again = true; /* what is at i now is checked */
                        else
                                i = stretch_end(best, i);
                        while (i < best->steps.n && i > 0 && best->steps.at[i].actor == best->steps.at[i - 1].actor)
                                i++;
                }
        }
        plan_fini(&w.trial);
        plan_fini(&w.result);
}

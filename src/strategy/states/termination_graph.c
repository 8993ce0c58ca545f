/*
 * The ways are kept as they come, and sorted when the question is asked: a walk backwards from the ends.
 *
 * States without a hash lie between two that have one, or an end: the way leads over them.
 */
#include "strategy/states/termination_graph.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

void termination_graph_fini(struct termination_graph *w)
{
        vec_fini(&w->all);
}

void termination_graph_reset(struct termination_graph *w)
{
        w->all.n = 0;
}

static bool add(struct termination_graph *w, uint64_t from, uint64_t to)
{
        if (!vec_reserve(&w->all, 1))
                return false;
        *vec_push(&w->all) = (struct way){from, to};
        return true;
}

static uint64_t state_before(const struct trace *t, uint32_t k)
{
        return k < t->n_hashes ? t->hashes[k] : 0;
}

/* Has a thread failed before transition k?  Then that is the end of the execution, whatever the other threads still do. */
static bool failed_before(const struct trace *t, uint32_t k)
{
        uint32_t entry = 0;

        if (t->end != WIRE_END_FAILED || !t->n_failures)
                return false;
        for (; entry < t->n_events; entry++)
                if (t->events[entry].flags & WIRE_EV_SCHED && !k--)
                        break;
        return t->failures[0].event <= entry;
}

bool termination_graph_add(struct termination_graph *w, const struct trace *t, uint32_t from, uint32_t to)
{
        uint64_t last;

        while (from > 0 && !state_before(t, from))
                from--;
        last = state_before(t, from);
        for (uint32_t k = from + 1; k <= to; k++) {
                uint64_t next = state_before(t, k);
                if (last && next && !add(w, last, next))
                        return false;
                last = next ? next : last;
        }
        if (!last || (to < t->n_transitions && !failed_before(t, to)) || t->end == WIRE_END_CYCLE)
                return true;
        return add(w, last, TERMINATION_GRAPH_END);
}

static int by_target(const void *a, const void *b)
{
        const struct way *x = a, *y = b;

        return x->to < y->to ? -1 : x->to > y->to ? 1 : x->from < y->from ? -1 : x->from > y->from;
}

static int by_value(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return x < y ? -1 : x > y;
}

static uint32_t unique(uint64_t *at, uint32_t n)
{
        uint32_t k = 0;

        qsort(at, n, sizeof *at, by_value);
        for (uint32_t i = 0; i < n; i++)
                if (!k || at[k - 1] != at[i])
                        at[k++] = at[i];
        return k;
}

/* The first way that leads to a state; there may be none. */
static uint32_t first_to(const struct termination_graph *w, uint64_t state)
{
        return SEARCH(i, w->all.n, w->all.at[i].to < state);
}

/* Marks all states that a way leads from to an end, and says how many there are. */
static uint32_t walk(const struct termination_graph *w, const uint64_t *states, uint32_t n, bool *marked,
                     uint64_t *stack)
{
        uint32_t top = 1, count = 0;

        stack[0] = TERMINATION_GRAPH_END;
        while (top > 0) {
                uint64_t to = stack[--top];
                for (uint32_t i = first_to(w, to); i < w->all.n && w->all.at[i].to == to; i++) {
                        const uint64_t *s = bsearch(&w->all.at[i].from, states, n, sizeof *states, by_value);
                        if (s && !marked[s - states]) {
                                marked[s - states] = true;
                                stack[top++] = *s;
                                count++;
                        }
                }
        }
        return count;
}

bool termination_graph_can_end(struct termination_graph *w)
{
        uint32_t n = 0, total = w->all.n;
        uint64_t *states = malloc((size_t)(2 * total + 1) * sizeof *states);
        uint64_t *stack = malloc((size_t)(2 * total + 1) * sizeof *stack);
        bool *marked = calloc((size_t)2 * total + 1, sizeof *marked), out;

        if (!states || !stack || !marked)
                memory_out();
        for (uint32_t i = 0; i < total; i++) {
                states[n++] = w->all.at[i].from;
                if (w->all.at[i].to != TERMINATION_GRAPH_END)
                        states[n++] = w->all.at[i].to;
        }
        if (total)
                qsort(w->all.at, total, sizeof *w->all.at, by_target);
        n = unique(states, n);
        out = walk(w, states, n, marked, stack) == n;
        free(states);
        free(stack);
        free(marked);
        return out;
}

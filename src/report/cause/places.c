/* See places.h. */
#include "report/cause/places.h"

#include <stdlib.h>

#include "op/op.h"

static uint32_t stack_of(const struct trace *t, uint32_t i)
{
        return t->n_frames ? t->stacks[i] : 0;
}

static int compare(uint64_t a, uint64_t b)
{
        return (a > b) - (a < b);
}

static int by_stack(const struct trace *t, uint32_t i, uint32_t k)
{
        const struct wire_event *a = &t->events[i], *b = &t->events[k];
        int r = compare(a->actor, b->actor);

        r = r ? r : compare(a->site, b->site);
        return r ? r : compare(stack_of(t, i), stack_of(t, k));
}

static int by_place(const void *a, const void *b, void *trace)
{
        uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
        int r = by_stack(trace, i, k);

        return r ? r : compare(i, k);
}

static bool counts(const struct wire_event *e)
{
        return op_object(e->op) != OP_OBJ_PROCESS && e->op != OP_OBSERVE;
}

bool places_init(struct places *p, const struct trace *t)
{
        uint32_t n = 0, *latest = calloc(UINT16_MAX + 1, sizeof *latest);
        uint32_t **all[] = {&p->order, &p->first, &p->number, &p->previous};
        bool ok = latest != NULL;

        *p = (struct places){0};
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
                ok = (*all[i] = malloc((t->n_events + 1) * sizeof **all[i])) && ok;
        if (!ok) {
                free(latest);
                places_fini(p);
                return false;
        }
        for (uint32_t i = 0; i < t->n_events; i++) {
                p->number[i] = p->previous[i] = PLACES_NONE;
                if (!counts(&t->events[i]))
                        continue;
                p->order[n++] = i;
                p->previous[i] = latest[t->events[i].actor] - 1;
                latest[t->events[i].actor] = i + 1;
        }
        free(latest);
        qsort_r(p->order, n, sizeof *p->order, by_place, (void *)t);
        for (uint32_t i = 0; i < n; i++) {
                if (!i || by_stack(t, p->order[i - 1], p->order[i]) != 0)
                        p->first[p->n++] = i;
                p->number[p->order[i]] = p->n - 1;
        }
        p->first[p->n] = n;
        return true;
}

void places_fini(struct places *p)
{
        free(p->order);
        free(p->first);
        free(p->number);
        free(p->previous);
        *p = (struct places){0};
}

uint32_t places_latest(const struct places *p, uint32_t number, uint32_t before)
{
        uint32_t low = p->first[number], high = p->first[number + 1];

        while (low < high) {
                uint32_t middle = low + (high - low) / 2;
                if (p->order[middle] < before)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low > p->first[number] ? p->order[low - 1] : PLACES_NONE;
}

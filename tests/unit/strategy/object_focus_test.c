/* What a random schedule has in focus: which objects, in which order, and how often each thread is expected at them. */
#include "strategy/object_focus.h"

#include <assert.h>
#include <string.h>

#define ENTRY(t, o, m)                                                                   \
        {                                                                                \
                .actor = (t), .obj = (o), .mode = (m), .flags = WIRE_EV_SCHED, .size = 4 \
        }
#define R WIRE_MODE_READ
#define W WIRE_MODE_WRITE

/* 0x30 is read only, 0x40 is used by one thread only, and what begins no transition does not count. */
static const struct wire_event events[] = {
        ENTRY(0, 0x10, W), ENTRY(1, 0x10, W),
        ENTRY(2, 0x10, R), ENTRY(2, 0x10, W),
        ENTRY(1, 0x20, R), ENTRY(3, 0x20, W),
        ENTRY(1, 0x30, R), ENTRY(2, 0x30, R),
        ENTRY(1, 0x40, W), {.actor = 2, .obj = 0x40, .mode = W},
};

static const struct trace trace = {.events = events, .n_events = sizeof events / sizeof *events, .n_transitions = 9};

static const struct wire_event more[] = {
        ENTRY(1, 0x10, W),
        ENTRY(2, 0x30, R),
        ENTRY(2, 0x30, W),
        ENTRY(0, 0x20, R),
};
static const struct trace second = {.events = more, .n_events = sizeof more / sizeof *more, .n_transitions = 4};

static void expect(struct object_focus *f, uint64_t n, uint64_t obj, const uint32_t *weights, uint32_t n_weights)
{
        struct schedule s = {.n_weights = 77};

        object_focus_set(f, n, &s);
        assert(s.n_weights == n_weights);
        if (!n_weights)
                return;
        assert(s.focus == obj);
        assert(!memcmp(s.weights, weights, n_weights * sizeof *weights));
}

static void expect_both(struct object_focus *f)
{
        static const uint32_t rare[] = {0, 1, 0, 1}, often[] = {1, 1, 2};

        expect(f, 0, 0x20, rare, 4);
        expect(f, 1, 0x10, often, 3);
        expect(f, 2, 0x20, rare, 4);
}

int main(void)
{
        struct object_focus f = {0}, g = {0};
        struct stream s = STREAM_INIT;

        expect(&f, 1, 0, NULL, 0);
        assert(object_focus_learn(&f, &trace));
        expect_both(&f);

        object_focus_save(&f, &s);
        assert(object_focus_load(&g, &s) && stream_done(&s));
        expect_both(&g);

        /* Another execution: the most of each counts, and 0x30 is written. */
        assert(object_focus_learn(&f, &second));
        expect(&f, 0, 0x20, (uint32_t[]){1, 1, 0, 1}, 4);
        expect(&f, 1, 0x30, (uint32_t[]){0, 1, 2}, 3);
        expect(&f, 2, 0x10, (uint32_t[]){1, 1, 2}, 3);

        object_focus_reset(&f);
        expect(&f, 1, 0, NULL, 0);

        /* A stranger's: an actor that cannot be, and uses out of order. */
        g.uses.at[1].actor = WIRE_MAX_THREADS;
        stream_reset(&s);
        object_focus_save(&g, &s);
        assert(!object_focus_load(&f, &s));
        g.uses.at[1].actor = 0;
        stream_reset(&s);
        object_focus_save(&g, &s);
        assert(!object_focus_load(&f, &s));
        expect(&f, 1, 0, NULL, 0);

        object_focus_fini(&f);
        object_focus_fini(&g);
        stream_fini(&s);
        return 0;
}

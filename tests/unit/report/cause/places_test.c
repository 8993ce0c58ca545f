/* Entries by place: the latest one of a number, and the one before of the same thread, against a walk over all entries. */
#include "report/cause/places.h"

#include <assert.h>

#include "op/op.h"

#define N 400u

static struct wire_event events[N];
static uint32_t stacks[N];
static struct wire_frame frames[4];

static bool same(uint32_t i, uint32_t k)
{
        return events[i].actor == events[k].actor && events[i].site == events[k].site && stacks[i] == stacks[k];
}

static uint32_t draw(uint32_t n)
{
        static uint64_t state = 7;

        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

static void as_a_walk(void)
{
        struct trace t = {.events = events, .n_events = N, .stacks = stacks, .frames = frames, .n_frames = 4};
        struct places p;

        for (uint32_t i = 0; i < N; i++) {
                events[i] = (struct wire_event){.actor = (uint16_t)draw(3), .site = 100 + draw(3), .op = OP_READ};
                stacks[i] = draw(3);
                if (draw(10) == 0)
                        events[i].op = OP_OBSERVE;
        }
        assert(places_init(&p, &t));
        for (uint32_t i = 0; i < N; i++) {
                uint32_t previous = PLACES_NONE, latest = PLACES_NONE;

                if (events[i].op == OP_OBSERVE) {
                        assert(p.number[i] == PLACES_NONE);
                        continue;
                }
                for (uint32_t k = 0; k < i; k++) {
                        if (events[k].op == OP_OBSERVE)
                                continue;
                        if (events[k].actor == events[i].actor)
                                previous = k;
                        if (same(i, k))
                                latest = k;
                        assert((p.number[i] == p.number[k]) == same(i, k));
                }
                assert(p.previous[i] == previous);
                assert(places_latest(&p, p.number[i], i) == latest);
                assert(places_latest(&p, p.number[i], i + 1) == i);
        }
        places_fini(&p);
}

static void without_entries(void)
{
        struct trace t = {0};
        struct places p;

        assert(places_init(&p, &t) && p.n == 0);
        places_fini(&p);
}

int main(void)
{
        as_a_walk();
        without_entries();
        return 0;
}

/* What is new is continued from near its end; where nothing is new for long, more of it is given up. */
#include "strategy/climb.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "op/op.h"

#define STEPS 100u

static struct wire_event events[STEPS];
static struct schedule schedule;

static void learn(struct climb *c, uint32_t n)
{
        struct trace t = {.events = events, .n_events = n, .n_transitions = n, .end = WIRE_END_ASSUME};

        assert(climb_learn(c, &t) == 0);
}

int main(void)
{
        struct climb *c = climb_create();
        uint32_t longest = 0, shortest = STEPS;

        schedule.prefix = calloc(STEPS, sizeof *schedule.prefix);
        assert(c && schedule.prefix);
        for (uint32_t i = 0; i < STEPS; i++)
                events[i] = (struct wire_event){.actor = i % 2,
                                                .op = OP_WRITE,
                                                .flags = WIRE_EV_SCHED,
                                                .mode = WIRE_MODE_WRITE,
                                                .obj = 64,
                                                .pos = i,
                                                .value = i};
        climb_next(c, 1, &schedule);
        assert(schedule.n_prefix == 0);
        learn(c, STEPS / 2);
        learn(c, STEPS);
        assert(climb_since(c) == 0);
        climb_next(c, 1, &schedule);
        assert(schedule.n_prefix >= STEPS - 2 && schedule.n_prefix < STEPS);
        for (uint32_t i = 0; i < schedule.n_prefix; i++)
                assert(schedule.prefix[i].actor == i % 2);
        for (uint32_t i = 0; i < 2000; i++) {
                climb_next(c, hash_draw(i), &schedule);
                longest = schedule.n_prefix > longest ? schedule.n_prefix : longest;
                shortest = schedule.n_prefix < shortest ? schedule.n_prefix : shortest;
                learn(c, STEPS);
        }
        assert(climb_since(c) == 2000 && longest >= STEPS - 2 && shortest < STEPS / 2);
        climb_reset(c);
        climb_next(c, 1, &schedule);
        assert(schedule.n_prefix == 0 && climb_since(c) == 0);
        climb_destroy(c);
        free(schedule.prefix);
        puts("PASS climb");
        return 0;
}

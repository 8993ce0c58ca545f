/* Constraints on the order of three accesses: with the paths alone, and where the times order two of the threads. */
#include "record/constraints.h"

#include <assert.h>
#include <stdio.h>

#include "op/op.h"

static struct rec_entry first[] = {{0, REC_INFO(REC_CREATE, 0, 0, 2000)}, {0, REC_INFO(REC_BRANCHES, 3, 0, 3000)}};
static struct rec_entry second[] = {{0, REC_INFO(REC_CREATE, 0, 1, 500)}, {0, REC_INFO(REC_BRANCHES, 2, 1, 1000)}};

int main(void)
{
        struct recorded_thread threads[] = {
                {0}, {.nth = 1, .entries = first, .n = 2}, {.nth = 2, .entries = second, .n = 2}};
        struct recording r = {.threads = threads, .n_threads = 3};
        struct wire_event events[] = {
                {.actor = 1, .op = OP_WRITE, .obj = 64, .mode = WIRE_MODE_WRITE},
                {.actor = 1, .op = OP_READ, .obj = 64, .mode = WIRE_MODE_READ},
                {.actor = 2, .op = OP_WRITE, .obj = 64, .mode = WIRE_MODE_WRITE},
                {.actor = 1, .op = OP_MUTEX_LOCK, .obj = 128, .mode = WIRE_MODE_WRITE},
                {.actor = 2, .op = OP_MUTEX_LOCK, .obj = 128, .mode = WIRE_MODE_WRITE},
        };
        struct wire_name names[] = {{0}, {.nth = 1}, {.nth = 2}};
        struct trace t = {.events = events, .n_events = 5, .names = names, .n_names = 3};
        const uint32_t bits[] = {2, 2, 1, 2, 1};
        struct constraints c;

        assert(constraints_count(&c, &r, &t, bits) == 0);
        assert(c.events == 5 && c.of[CONSTRAINTS_PATHS].order == 2);
        assert(c.of[CONSTRAINTS_PATHS].rw ==
               4); /* from its own write, and the other before or behind; from the other, and its own likewise */
        assert(c.of[CONSTRAINTS_TIMED].rw == 1); /* from its own: the other came before */
        assert(c.of[CONSTRAINTS_PATHS].sync == 1 && c.of[CONSTRAINTS_TIMED].sync == 0);
        second[1].info = REC_INFO(REC_BRANCHES, 2, 1, 2500);
        assert(constraints_count(&c, &r, &t, bits) == 0); /* windows that overlap */
        assert(c.of[CONSTRAINTS_TIMED].rw == 4 && c.of[CONSTRAINTS_TIMED].sync == 1);
        events[4].op = OP_WRITE; /* a second write of the other thread is in its chain: one constraint for both */
        events[4].obj = 64;
        assert(constraints_count(&c, &r, &t, bits) == 0);
        assert(c.of[CONSTRAINTS_TIMED].rw == 8 && c.of[CONSTRAINTS_CHAINS].rw == 6);
        puts("PASS constraints");
        return 0;
}

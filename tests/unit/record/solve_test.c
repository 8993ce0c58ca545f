/* A read of what was there before any write, and a write of the same value that the times put before it: there is an order.  With
 * another value there is none, and times that differ by less than a processor reorders say nothing.  A question that takes long ends
 * in time. */
#include "record/solve.h"

#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/hash.h"
#include "op/op.h"

#define MANY  2000u
#define LIMIT 0.2

static struct rec_entry writer[] = {{0, REC_INFO(REC_CREATE, 0, 0, 500)}, {0, REC_INFO(REC_BRANCHES, 3, 0, 1000)}};
static struct rec_entry reader[] = {{0, REC_INFO(REC_CREATE, 0, 1, 2000)}, {0, REC_INFO(REC_BRANCHES, 3, 1, 3000)}};
static struct wire_event events[] = {
        {.actor = 2, .op = OP_READ, .obj = 64, .mode = WIRE_MODE_READ, .value = 7},
        {.actor = 1, .op = OP_WRITE, .obj = 64, .mode = WIRE_MODE_WRITE, .value = 7},
};

static enum smt_answer ask(enum constraint_kind known)
{
        struct recorded_thread threads[] = {
                {0}, {.nth = 1, .entries = writer, .n = 2}, {.nth = 2, .entries = reader, .n = 2}};
        struct recording r = {.threads = threads, .n_threads = 3};
        struct wire_name names[] = {{0}, {.nth = 1}, {.nth = 2}};
        struct trace t = {.events = events, .n_events = 2, .names = names, .n_names = 3};
        const uint32_t bits[] = {2, 2};
        struct solved s;

        return record_solve(&s, &r, &t, bits, known, 10) ? SMT_UNKNOWN : s.answer;
}

/* A question that takes long: threads that read and write one variable, with few values. */
static void stops_in_time(void)
{
        static struct wire_event many[MANY];
        static uint32_t bits[MANY];
        struct recorded_thread threads[] = {
                {0}, {.nth = 1, .entries = writer, .n = 2}, {.nth = 2, .entries = reader, .n = 2}};
        struct recording r = {.threads = threads, .n_threads = 3};
        struct wire_name names[] = {{0}, {.nth = 1}, {.nth = 2}};
        struct trace t = {.events = many, .n_events = MANY, .names = names, .n_names = 3};
        struct solved s;
        double begun = clock_now();

        for (uint32_t i = 0; i < MANY; i++)
                many[i] = (struct wire_event){.actor = 1 + hash_draw(i) % 2,
                                              .op = i % 2 ? OP_WRITE : OP_READ,
                                              .obj = 64,
                                              .mode = i % 2 ? WIRE_MODE_WRITE : WIRE_MODE_READ,
                                              .value = i % 2 ? hash_draw(i) % 8
                                                       : i   ? many[i - 1].value
                                                             : 0};
        assert(record_solve(&s, &r, &t, bits, CONSTRAINTS_PATHS, LIMIT) == 0 && s.answer == SMT_UNKNOWN);
        assert(clock_now() - begun < LIMIT + SOLVE_GRACE + 1);
}

int main(void)
{
        if (ask(CONSTRAINTS_PATHS) == SMT_UNKNOWN) {
                puts("PASS solve (skipped: no Z3)");
                return 0;
        }
        for (enum constraint_kind k = CONSTRAINTS_PATHS; k < CONSTRAINT_KINDS; k++)
                assert(ask(k) == SMT_POSSIBLE);
        events[1].value = 8;
        assert(ask(CONSTRAINTS_PATHS) == SMT_POSSIBLE && ask(CONSTRAINTS_TIMED) == SMT_IMPOSSIBLE &&
               ask(CONSTRAINTS_CHAINS) == SMT_IMPOSSIBLE);
        reader[0].info = REC_INFO(REC_CREATE, 0, 1, 1010);
        assert(ask(CONSTRAINTS_TIMED) == SMT_POSSIBLE);
        stops_in_time();
        puts("PASS solve");
        return 0;
}

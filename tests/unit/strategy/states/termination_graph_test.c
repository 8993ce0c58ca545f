/* Ways between states: from which of them is there one to an end? */
#include "strategy/states/termination_graph.h"

#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(c)                                               \
        do {                                                   \
                if (!(c)) {                                    \
                        printf("line %d: %s\n", __LINE__, #c); \
                        failures++;                            \
                }                                              \
        } while (0)

static void add_part(struct termination_graph *w, uint32_t from, uint32_t to, uint32_t end, const uint64_t *states,
                     uint32_t n)
{
        struct trace t = {.n_transitions = n - 1, .hashes = states, .n_hashes = n, .end = end};

        CHECK(termination_graph_add(w, &t, from, to));
}

static void add(struct termination_graph *w, uint32_t from, uint32_t end, const uint64_t *states, uint32_t n)
{
        add_part(w, from, n - 1, end, states, n);
}

int main(void)
{
        struct termination_graph w = {0};

        CHECK(termination_graph_can_end(&w));
        /* 1 2 3 2: a cycle, which 3 leaves by 4 */
        add(&w, 0, WIRE_END_CYCLE, (const uint64_t[]){1, 2, 3, 2}, 4);
        CHECK(!termination_graph_can_end(&w));
        add(&w, 2, WIRE_END_DONE, (const uint64_t[]){1, 2, 3, 4}, 4);
        CHECK(termination_graph_can_end(&w));
        /* 5 and 6 have no way out; a state that is not known lies between */
        add(&w, 1, WIRE_END_CYCLE, (const uint64_t[]){1, 0, 5, 6, 5}, 5);
        CHECK(!termination_graph_can_end(&w));
        /* ... unless 6 has another: the end comes behind a state that is not known */
        add(&w, 3, WIRE_END_STUCK, (const uint64_t[]){1, 0, 5, 6, 0}, 5);
        CHECK(termination_graph_can_end(&w));
        /* where the execution was run from is not known: the last one before it counts */
        termination_graph_reset(&w);
        add(&w, 2, WIRE_END_CYCLE, (const uint64_t[]){1, 0, 0, 1}, 4);
        CHECK(!termination_graph_can_end(&w));
        /* 3 and 4 lie behind 2, which was reached before: not all was run from them */
        termination_graph_reset(&w);
        add_part(&w, 0, 1, WIRE_END_CYCLE, (const uint64_t[]){1, 2, 3, 4, 3}, 5);
        add(&w, 0, WIRE_END_DONE, (const uint64_t[]){5, 2}, 2);
        CHECK(termination_graph_can_end(&w));
        termination_graph_fini(&w);
        return failures != 0;
}

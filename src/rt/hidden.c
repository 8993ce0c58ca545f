/*
 * Functions of libc with a state of their own that threads share: the random number generators and strtok.
 *
 * A call is a write to that state, in the shape of a cell of ours: the order of calls is part of the behaviour, and a
 * loop that calls one makes progress.
 */
#include <stdlib.h>
#include <string.h>

#include "rt/core.h"
#include "rt/spin.h"

static uint64_t rand_cell, rand48_cell, strtok_cell __attribute__((aligned(8)));

/* The states of rand and its kin are under a lock of libc; those of rand48 and strtok are not. */
static void touch(uint64_t *cell, uintptr_t site)
{
        if (!rt_on() || rt_site_in_libc(site))
                return;
        if (cell != &rand_cell)
                access_range(OP_WRITE, cell, sizeof *cell, site);
        if (cell == &rand_cell || rt.memory) /* the state changes at once, whatever waits in a buffer */
                access_locked(cell, sizeof *cell, site);
        spin_progress(rt_cur);
}

#define DRAW(type, name, cell)           \
        RT_EXPORT type name(void)        \
        {                                \
                touch(&cell, RT_SITE()); \
                return RT_REAL(name)();  \
        }

#define SEED(name, type, cell)           \
        RT_EXPORT void name(type seed)   \
        {                                \
                touch(&cell, RT_SITE()); \
                RT_REAL(name)(seed);     \
        }

DRAW(int, rand, rand_cell)
DRAW(long, random, rand_cell)
DRAW(long, lrand48, rand48_cell)
DRAW(long, mrand48, rand48_cell)
DRAW(double, drand48, rand48_cell)
SEED(srand, unsigned, rand_cell)
SEED(srandom, unsigned, rand_cell)
SEED(srand48, long, rand48_cell)

RT_EXPORT char *strtok(char *s, const char *separators)
{
        touch(&strtok_cell, RT_SITE());
        return RT_REAL(strtok)(s, separators);
}

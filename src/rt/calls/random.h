/* Random numbers of the program: one block of state, saved and restored with the snapshot. */
#ifndef HEDDLE_RT_CALLS_RANDOM_H
#define HEDDLE_RT_CALLS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

extern struct random_state *random_state;
size_t random_state_size(void);
/* The running thread's next random number. */
uint64_t rt_random_next(void);
/* Fills memory with them; announces nothing. */
void random_fill(void *buf, size_t n);

#pragma GCC visibility pop

#endif

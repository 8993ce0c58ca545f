/* `heddle replay --record`: the branches of every thread, kept as `heddle record` keeps them (wire/recording.h), without times. */
#ifndef HEDDLE_RT_USER_PATH_KEEP_H
#define HEDDLE_RT_USER_PATH_KEEP_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

extern bool path_kept; /* is that asked for? */

void path_keep_init(void);

/* A branch of the thread goes this way: `bits` bits. */
void path_keep(struct thread *t, uint64_t value, uint32_t bits);

/* Where recorded paths are followed: the thread is behind its `at`-th bit; of each bit its position is kept (wire_event.pos). */
void path_keep_position(struct thread *t, uint64_t at);

#pragma GCC visibility pop

#endif

/* Crashes, and the explorer's message that a thread loops. */
#ifndef HEDDLE_RT_WORLD_SIGNAL_H
#define HEDDLE_RT_WORLD_SIGNAL_H

#pragma GCC visibility push(hidden)

void signal_init(void);

#pragma GCC visibility pop

#endif

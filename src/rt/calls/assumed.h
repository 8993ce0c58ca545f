/* Descriptors that lead outside the program. */
#ifndef HEDDLE_RT_CALLS_ASSUMED_H
#define HEDDLE_RT_CALLS_ASSUMED_H

#pragma GCC visibility push(hidden)

/* This descriptor of the program, or all that it has now, may lead outside. */
void assumed_descriptor(int fd);
void assumed_init(void);

#pragma GCC visibility pop

#endif

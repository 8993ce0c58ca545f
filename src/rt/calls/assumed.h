/* Descriptors that lead outside the program. */
#ifndef HEDDLE_RT_CALLS_ASSUMED_H
#define HEDDLE_RT_CALLS_ASSUMED_H

#pragma GCC visibility push(hidden)

/* This descriptor of the program, or all that it has now, may lead outside. */
void assumed_descriptor(int fd);
void assumed_init(void);
/* ... something else that does, by its name. */
void assumed_name(const char *name);

#pragma GCC visibility pop

#endif

/* Which variables of the environment the program has read: their values are part of what it did. */
#ifndef HEDDLE_RT_CALLS_ENVIRONMENT_H
#define HEDDLE_RT_CALLS_ENVIRONMENT_H

#pragma GCC visibility push(hidden)

/* The target starts: its environment is the one that the explorer gave it. */
void environment_init(void);

/* The program asks for the variable `name`. */
void environment_read(const char *name);

#pragma GCC visibility pop

#endif

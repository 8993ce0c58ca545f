/* Libraries that the program loads while it runs (dlopen). */
#ifndef HEDDLE_RT_WORLD_LOADED_H
#define HEDDLE_RT_WORLD_LOADED_H

#pragma GCC visibility push(hidden)

/* Before main. */
void loaded_init(void);

/* At the end of an execution: tells of those that are there and whose accesses are not watched. */
void loaded_look(void);

#pragma GCC visibility pop

#endif

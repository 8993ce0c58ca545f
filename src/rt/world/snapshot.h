/* The program's memory, put back for every execution. */
#ifndef HEDDLE_RT_WORLD_SNAPSHOT_H
#define HEDDLE_RT_WORLD_SNAPSHOT_H

#pragma GCC visibility push(hidden)

void snapshot_take(void *main_sp);
void snapshot_restore(void);

#pragma GCC visibility pop

#endif

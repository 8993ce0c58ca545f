/* Blocks of the heap that the entries of a trace touch. */
#ifndef HEDDLE_RT_MEMORY_BLOCKS_H
#define HEDDLE_RT_MEMORY_BLOCKS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* With WIRE_DETAIL: records the block that this address is in, if it is in one. */
void blocks_record(uint64_t addr);
/* A new trace in detail: there is none. */
void blocks_init_run(void);

#pragma GCC visibility pop

#endif

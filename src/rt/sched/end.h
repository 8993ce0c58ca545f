/* The end of an execution. */
#ifndef HEDDLE_RT_SCHED_END_H
#define HEDDLE_RT_SCHED_END_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* enum wire_end says why. */
_Noreturn void exec_end(uint32_t end);
_Noreturn void exec_end_text(uint32_t end, uint32_t step, const char *text);

#pragma GCC visibility pop

#endif

/* Instructions of inline assembly that access memory: performed as operations. */
#ifndef HEDDLE_RT_ARCH_X86_64_LOCKED_H
#define HEDDLE_RT_ARCH_X86_64_LOCKED_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* From now on the instructions that the explorer found (wire_locked) come to the runtime. */
void locked_init(void);
/* Has such an instruction raised SIGILL?  Then the handler returns to where it is performed. */
bool locked_trap(void *context);
/* Of the instruction at pc, if it is one of the program that was moved out of their way: where it belongs. */
uintptr_t locked_origin(uintptr_t pc);

#pragma GCC visibility pop

#endif

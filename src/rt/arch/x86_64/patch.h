/* Overwrites instructions of the program, so that they lead to locked_enter (enter.S) with their number on the stack. */
#ifndef HEDDLE_RT_ARCH_X86_64_PATCH_H
#define HEDDLE_RT_ARCH_X86_64_PATCH_H

#include <stdbool.h>
#include <stdint.h>

struct wire_locked;

#pragma GCC visibility push(hidden)

/* By ud2, which raises SIGILL. */
void patch_trap(const struct wire_locked *l);

/* By a jump; the answer is where to continue afterwards.  0: that cannot be done here. */
uintptr_t patch_jump(const struct wire_locked *l, uint32_t number);

/* The slot leads through a stub from now on; the answer is where that continues. */
uintptr_t patch_slot(const struct wire_locked *l, uint32_t number);

/* A copy of the instruction, for one that runs afterwards; the answer is where.  0: that cannot be done here. */
uintptr_t patch_copy(const struct wire_locked *l, uint32_t number);

/* Is the instruction overwritten already? */
bool patch_is_done(const struct wire_locked *l, uint32_t number);

/* Room for stubs near the address, from now on: none can be made once executions are undone. */
bool patch_reserve(uintptr_t addr);

/* The address of the instruction that runs elsewhere, at pc, because of that; others are what they are. */
uintptr_t patch_origin(uintptr_t pc);

#pragma GCC visibility pop

#endif

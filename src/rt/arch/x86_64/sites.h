/* The instructions of the program that lead to locked_perform() (locked.c), by number. */
#ifndef HEDDLE_RT_ARCH_X86_64_SITES_H
#define HEDDLE_RT_ARCH_X86_64_SITES_H

#include <stdbool.h>
#include <stdint.h>

struct wire_locked;

#pragma GCC visibility push(hidden)

/* Overwrites those that are there before main. */
void sites_init(void);
/* ... and those of a module that is loaded now, number `later` of the explorer's. */
void sites_load(uint32_t later);
/* What an instruction is, and where to continue after it. */
const struct wire_locked *site_at(uint32_t number, uintptr_t *next);
/* The number of the instruction at pc, which a trap has overwritten; false: there is none. */
bool site_find(uintptr_t pc, uint32_t *number);

#pragma GCC visibility pop

#endif

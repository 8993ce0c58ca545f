/* The executable and its libraries as they are loaded before main: which code and data belong to which. */
#ifndef HEDDLE_RT_WORLD_MODULES_H
#define HEDDLE_RT_WORLD_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Finds them and reports them to the explorer; once, before any other function of this file. */
void modules_init(void);

/* Where the executable is, which most sites are in; it is neither libc nor the unwinder. */
extern uintptr_t rt_executable_lo, rt_executable_size;
static inline bool rt_site_in_executable(uintptr_t pc)
{
        return pc - rt_executable_lo < rt_executable_size;
}
/* Does `pc` lie in libc or the dynamic loader?  Their internal calls are not scheduling points. */
bool rt_site_in_libc(uintptr_t pc);
/* Does `pc` lie in the unwinder (libgcc_s)?  Its reads of a stack that it unwinds are not events. */
bool rt_site_in_unwinder(uintptr_t pc);
bool rt_site_in_rt(uintptr_t pc);
/* Data of libc, ld.so and the compilers' libraries. */
bool rt_is_system(uintptr_t addr);
/* Does it lie in a segment that no program writes: constants and code? */
bool rt_is_constant(uintptr_t addr, size_t size);
/* Is it in the program itself, or in a library that comes with it (one of the first 16)? */
bool rt_is_program(uintptr_t addr);
/* The runtime's text and data, whole pages. */
void rt_own_range(uintptr_t *lo, uintptr_t *hi);

#pragma GCC visibility pop

#endif

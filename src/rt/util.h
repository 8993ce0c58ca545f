/* Small functions that need no libc: raw system calls, copying, formatting. */
#ifndef HEDDLE_RT_UTIL_H
#define HEDDLE_RT_UTIL_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* A system call with up to six arguments; returns the kernel's answer, a negative error number included. */
long rt_syscall6(long nr, long a, long b, long c, long d, long e, long f);
/* How many of them there were. */
extern uint64_t rt_calls;

void rt_copy(void *to, const void *from, size_t n);
void rt_zero(void *p, size_t n);
/* Copies a string, cut to `size` bytes with its zero. */
void rt_text(char *to, size_t size, const char *from);
/* %s %u %x %p (64-bit) only.  Returns the length. */
int rt_format(char *to, size_t size, const char *format, ...);

#pragma GCC visibility pop

#endif

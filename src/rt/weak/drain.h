/*
 * Weak memory: which operations wait until the stores of their thread have reached memory.
 *
 * Those that do so on the machine: with a locked instruction or a fence in them.  What only loads, or only stores, does not;
 * --posix-fences asks it of all operations on threads and objects.
 */
#ifndef HEDDLE_RT_WEAK_DRAIN_H
#define HEDDLE_RT_WEAK_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The operation that the thread is at, one that it has described (t->pend). */
bool drain_waits(const struct thread *t, uint32_t op);

/* ... even where no other thread can tell what it touches? */
bool drain_fences(uint32_t op);

#pragma GCC visibility pop

#endif

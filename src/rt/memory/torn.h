/*
 * Accesses of more than one word that the program makes itself, right after it announced them: two words of an `__int128` or
 * a vector, an unaligned access across two words, a struct of gcc.  They are not one step.
 *
 * A read is performed here word by word.  If others changed a word that had been read, memory shows the thread what it read,
 * until its next operation.  Of a write the first word is a step of the announcement; the others are made when the thread is at
 * its next operation and their values are known: then they are taken back and written one after the other.  No other
 * thread runs in between.
 */
#ifndef HEDDLE_RT_MEMORY_TORN_H
#define HEDDLE_RT_MEMORY_TORN_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The words of an access by instructions: they end where 8 aligned bytes do. */
static inline uint32_t torn_words(uintptr_t addr, uint32_t size)
{
        return (uint32_t)(((addr & 7) + size + 7) / 8);
}

/* An access that has been counted as one hook call; OP_READ or OP_WRITE.  false: it is one step, or memory of no other
 * thread. */
bool torn_access(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size, uintptr_t site);

/* A run begins. */
void torn_init_run(void);

/* gcc announces a struct copy as a write, then a read, and makes it after both.  Thread t is at a read of so many bytes: does it
 * belong to such a copy?  Call it before torn_settle(), and torn_wrote() for each write. */
void torn_look(struct thread *t, uint32_t size, uintptr_t site);
void torn_wrote(const struct thread *t, uintptr_t addr, uint32_t size, uintptr_t site);

#pragma GCC visibility pop

#endif

/*
 * The recorder: part of the library that programs built by `heddle cc --record` are linked to (rt/plain/plain.c has the rest).
 * Under `heddle record` each thread keeps its path in a ring of shared memory; otherwise nothing is recorded.
 *
 * It runs inside the program, with real threads: no locks, nothing shared between threads but the counts in the header.
 */
#ifndef HEDDLE_RT_RECORD_RECORDER_H
#define HEDDLE_RT_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "rt/rt.h"
#include "wire/recording.h"

#pragma GCC visibility push(hidden)

extern struct rec_memory *rec; /* NULL: nothing is recorded */
extern bool rec_delays;        /* something is, with delays */

/* The calling thread creates one, or main begins: the number of the new thread, REC_MAX_THREADS if it is not recorded. */
uint32_t recorder_create(void);
/* The calling thread is the one with this number. */
void recorder_begin(uint32_t number);
/* It ends: its last bits become an entry. */
void recorder_end(void);

/* A signal handler of the program begins: what the calling thread does is not recorded.  The thread, NULL if it was not recorded
 * either. */
struct rec_thread *recorder_pause(void);
/* It has ended; NULL: it is left by a jump, if there is one. */
void recorder_continue(struct rec_thread *thread);

/* An operation on threads or their objects has just been made, or is about to be. */
void recorder_note(enum rec_kind kind, const void *object);
/* The program got this from outside. */
void recorder_input(enum rec_input kind, uint64_t value);

/* A call has read n bytes; `head` is REC_HEAD() of it. */
void recorder_read(uint64_t head, const struct iovec *data, size_t n);

/* The program fails.  The first caller that gets true describes the failure in the header, and calls recorder_freeze(). */
bool recorder_fails(enum rec_failure kind);
/* Copies the last bits of every thread. */
void recorder_freeze(void);

/* A function of libc behind ours. */
void *recorder_real(const char *name);

#pragma GCC visibility pop

#define REC_REAL(name) ((__typeof__(&name))recorder_real_once(&real_##name, #name))

static inline void *recorder_real_once(void **at, const char *name)
{
        void *f = __atomic_load_n(at, __ATOMIC_RELAXED);

        if (__builtin_expect(!f, 0)) {
                f = recorder_real(name);
                __atomic_store_n(at, f, __ATOMIC_RELAXED);
        }
        return f;
}

#endif

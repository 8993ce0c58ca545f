/*
 * Effects of calls that are not accesses to the program's memory: on states of the process and of libc (op/effect.def).
 *
 * A state is an object like any other.  It is used, added to (which commutes with other additions) or changed; two calls
 * of different threads whose modes conflict are dependent.  As long as no two threads meet at a state in modes that
 * conflict, its operations are private and leave no entry.
 *
 * Which call does what is in effect.def; calls that have wrappers for other reasons say it themselves.
 */
#ifndef HEDDLE_RT_CALLS_EFFECT_H
#define HEDDLE_RT_CALLS_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include "op/effect.h"
#include "rt/sched/arrival.h"
#include "wire/wire.h"

struct thread;

#define EFFECT_MAX 8 /* of one call */

struct effect {
        uint32_t state;   /* enum effect_state, or one of several */
        uint8_t mode;     /* enum wire_mode: READ, COMMUTE or WRITE */
        uint8_t taken;    /* enum effect_taken: which state it is depends on the turn */
        int fd;           /* EFFECT_FILE: the descriptor; EFFECT_FILE_AT: the directory */
        const char *path; /* EFFECT_FILE_AT */
};

/* A call that opens something takes the lowest free descriptor, or the two lowest.  The contents of a file are those of the one
 * that is at a descriptor or has a name then.  Never the first effect of a call. */
enum effect_taken { EFFECT_GIVEN, EFFECT_LOWEST, EFFECT_SECOND, EFFECT_KEY, EFFECT_FILE, EFFECT_FILE_AT };
#define EFFECT_TAKES(n)          ((struct effect){.mode = WIRE_MODE_WRITE, .taken = (n)})
#define EFFECT_USE(s)            ((struct effect){.state = (s), .mode = WIRE_MODE_READ})
#define EFFECT_ADD(s)            ((struct effect){.state = (s), .mode = WIRE_MODE_COMMUTE})
#define EFFECT_CHANGE(s)         ((struct effect){.state = (s), .mode = WIRE_MODE_WRITE})
#define EFFECT_CONTENTS(of, how) ((struct effect){.mode = (how), .taken = EFFECT_FILE, .fd = (of)})

#pragma GCC visibility push(hidden)

/* The running thread has these effects in one transition, and makes the call when this returns.  Nothing outside of an
 * execution, and for calls that libc makes by itself. */
enum arrival effect_perform(const struct effect *e, unsigned n, uintptr_t site);
/* The same in two halves, for a wrapper whose transition has another operation: can other threads tell (then also_shared
 * is to be set)?  And the entries. */
bool effect_touch(struct thread *t, const struct effect *e, unsigned n);
void effect_log(struct thread *t, enum arrival how, const struct effect *e, unsigned n);

/* An effect on the contents of a file, as it is now; false: it has no file. */
bool effect_settle(struct effect *e);

/* One effect. */
enum arrival effect_one(struct effect e, uintptr_t site);

/* The row of a call in effect.def, NULL: it has none; and its effects, with the arguments in general registers (6). */
struct effect_row;
const struct effect_row *effect_find(const char *name);
void effect_run(const struct effect_row *r, const uint64_t *args, uintptr_t site);

/* Is the state one that threads are known to use in modes that conflict? */
bool effect_is_shared(uint32_t state);

/* States of a descriptor: the number, and the position of the open file behind it. */
uint32_t effect_descriptor(int fd);
uint32_t effect_position(int fd);
/* `to` stands for the same open file as `from` now, or (equal) for one of its own. */
void effect_duplicated(int from, int to);
/* All numbers that stand for the same open file as fd change. */
void effect_change_file(int fd, uintptr_t site);

/* For the snapshot. */
void effect_save(void);
void effect_restore(void);

#pragma GCC visibility pop

#endif

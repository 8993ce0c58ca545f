/* Invariants: functions of the program that must hold in every state, or at the end. */
#ifndef HEDDLE_RT_USER_INVARIANTS_H
#define HEDDLE_RT_USER_INVARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/arrival.h"

struct thread;

#pragma GCC visibility push(hidden)

/* A run begins. */
void watch_init_run(void);

/* Transitions have been made, the last by actor `by`, a thread or a store buffer, and another may follow: do the invariants
 * hold?  Thread t runs. */
void watch_state(struct thread *t, struct thread *by);

/* The execution has come to its end, thread t was the last: do the functions of --final hold? */
void watch_end(struct thread *t);

/* Thread t writes: is it seen by an invariant?  Then every order of such writes matters. */
void watch_write(struct thread *t, uint64_t obj, uint32_t size);

/* While an invariant is evaluated the running thread is none of the program's. */
extern struct thread watch_thread;

static inline bool watch_is(const struct thread *t)
{
        return t == &watch_thread;
}

enum arrival watch_arrive(uint32_t op, uint64_t obj, uint32_t size);
/* Which thread a failure of t is reported for. */
const struct thread *watch_subject(const struct thread *t);
/* The function failed by itself and is given up; the failure is noted. */
_Noreturn void watch_abandon(void);
/* It does what it must not. */
_Noreturn void watch_misuse(const char *what);

#pragma GCC visibility pop

#endif

/* Tail policies: whose turn it is when the prefix of the schedule is over. */
#ifndef HEDDLE_RT_SCHED_TAIL_H
#define HEDDLE_RT_SCHED_TAIL_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* A run begins: what the policy draws at its start is drawn. */
void tail_init_run(void);

/* The next thread; `t` has just made a transition, or has left.  NULL: none is enabled and awake. */
bool tail_can_run(const struct thread *t);
struct thread *tail_any(void); /* any that can run, by chance; NULL: none can */
struct thread *tail_pick(struct thread *t);

/* The thread asked for others to go first. */
void tail_yield(struct thread *t);

/* Does chance answer the questions of the tail too?  Then a number for it. */
bool tail_chance(void);
/* Is the last of several that may be meant taken, not the first? */
bool tail_contrary(void);
uint64_t tail_random(void);

/* The schedule's choice of a value from 0 to count - 1; in the tail 0, or a random one. */
uint32_t op_choice(uint32_t count);
/* In a run of segments: does a signal arrive at the thread's position, and by which choice value?  And: it has. */
bool tail_signal(const struct thread *t, uint32_t *choice);
void tail_signal_taken(void);
/* The same for values that are a list: `after` gives the one after a value, 0: there is none. */
uint32_t op_choice_of(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg);

#pragma GCC visibility pop

#endif

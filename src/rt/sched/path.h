/*
 * Recorded paths (`heddle reproduce`): a thread continues only as long as its branches go the way that was recorded.
 */
#ifndef HEDDLE_RT_SCHED_PATH_H
#define HEDDLE_RT_SCHED_PATH_H

#include "rt/rt.h"
#include "rt/sched/path_state.h"
#include "wire/path.h"

struct thread;

#pragma GCC visibility push(hidden)

extern bool path_on; /* there are paths to follow */

void path_init(void);

/* A branch of the thread goes this way: `bits` bits.  false: that is not its recorded path. */
bool path_follow(struct thread *t, uint64_t value, uint32_t bits);

/* Has it no recorded branch left? */
bool path_is_over(struct thread *t);
/* Is it the thread that failed, and at the end of its path? */
bool path_at_end(struct thread *t);
/* Is this failure of the thread the recorded one?  `text` describes it, NULL: nothing does. */
bool path_counts(struct thread *t, uint32_t kind, uint32_t status, const char *text);

/* Have all threads come to where they were when a signal asked for the recording? */
bool path_reached(void);
/* No thread can continue: is that the hang that was recorded? */
bool path_hangs(void);

/* The execution is over: how far each thread came. */
void path_report(void);

#define PATH_NO_CORE UINT32_MAX

/* The recorded window that the thread is in: it came there at `from`, and left it at `until`. */
void path_window(struct thread *t, uint64_t *from, uint64_t *until);
/* The core on which the thread was when its window began and when it ended; PATH_NO_CORE: on several, or not known. */
uint32_t path_core(struct thread *t);

/* The thread asks for something from outside: true: *value is what it got when it was recorded. */
bool path_input(enum rec_input kind, uint64_t *value);

/* It has created a thread, or joined one. */
static inline void path_turn(struct path_state *p)
{
        p->turns++;
}

/* The next thread, in a tail of paths; `t` has just made a transition, or has left. */
struct thread *path_pick(struct thread *t);
/* It is its turn now. */
void path_reads(struct thread *t);
/* It leaves its path, with a branch at this position. */
void path_left(struct thread *t, uint64_t at);
/* Where one has; 0: nowhere.  It is forgotten. */
uint64_t path_left_at(void);
/* Which of a list of waiters is woken (op_choice_of()); 0: any may be. */
uint32_t path_wakes(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg);

/* A thread is at the place of a loop that it may wait in; it waits there now, since its last round had no effect. */
static inline void path_visit(struct path_state *p)
{
        p->visit = p->at;
}

static inline void path_waits(struct path_state *p)
{
        p->round = p->at - p->visit;
        p->round_at = p->at;
}

/*
 * Threads that may leave their recorded path for some branches (`--stray`): branches that depend on where blocks of memory are, by
 * a hash of an address, go another way here, and such a thread makes more or fewer of them than was recorded.
 *
 * What it has done is compared with the beginnings of its path: the distance is the number of bits that are more, fewer or others.
 * The thread continues as long as the least distance is within what is allowed.
 */

/* The bit of a path at this position, which is one that it has. */
bool path_bit(const struct wire_path *p, uint64_t at);

/* The distance that is allowed at this position of a path. */
uint64_t path_near_allowed(const struct wire_path *p, uint64_t at);

/* The thread makes one more branch, and has left its path at *at, or before: *at becomes the likeliest position.  false: it is too
 * far from its path, or may not leave it. */
bool path_near_follow(struct path_near *n, const struct wire_path *p, uint64_t *at, bool bit);

/* Is the thread near enough to the end of its path? */
bool path_near_end(const struct path_near *n, const struct wire_path *p, uint64_t at);

/* May a failed assertion with this text be the recorded one? */
bool path_near_place(const char *text);

#pragma GCC visibility pop

#endif

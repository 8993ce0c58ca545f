/* A state of the model, and waiting in it. */
#ifndef ORACLE_STATE_H
#define ORACLE_STATE_H

#include "code.h"

#define FUTEXES 10 /* the queue of cell 0 */

#define N_CELLS    3
#define PIPE       16 /* bytes; no program writes more */

enum status { S_UNUSED, S_RUNS, S_DONE, S_ASSUME, S_EXITED, S_FAILED };

/* A state; compared byte by byte, so made of bytes set to zero first. */
struct state {
        unsigned char x[N_CELLS * 8];
        int64_t r[MAX_THREADS], seen_x[N_CELLS], seen_r[MAX_THREADS]; /* seen_*: when main returned */
        struct {
                uint64_t h;
                int64_t tmp;
                int32_t pc;
                int8_t status, failure, waits, signalled; /* waits: condition variable + 1; ... or cell + FUTEXES; signalled: 1 by a signal, 2 otherwise, 3 timed out */
                int8_t queued, ticket, met, cancelled, leaving, keyed, pad[2];       /* met: at a barrier that all have reached; 2: serial */
        } t[MAX_THREADS];
        struct {
                int8_t writer, readers, waiting, pad;
                int16_t held, pad2; /* two bits for each thread: how often it reads */
        } rw[N_RWLOCKS];
        int8_t spin, arrived, spurious[2], n_registered, registered[N_HANDLERS], observed; /* arrived: bits of threads */
        int8_t owner[N_MUTEXES], depth[N_MUTEXES]; /* owner: thread + 1 */
        int8_t robust, died, lost;                 /* robust: its owner, thread + 1 */
        int8_t handle[MAX_THREADS];                /* 1: joined or being joined; 2: detached */
        int32_t sem[N_SEMS];
        int32_t box, exit_status;
        int8_t pipe[PIPE];
        int32_t n_pipe;
        int8_t block, slot;                     /* block: 1, it is freed; slot: the swap whose block it points to, + 1 */
        int8_t swapped[MAX_SWAPS], value[MAX_SWAPS]; /* swapped: 1, there is such a block; 2, it is freed */
        int8_t passed, pad2; /* passed: the deadlines before this one are over for some thread */
};

void take_mutex(struct state *s, int t, int m);
void drop_mutex(struct state *s, int m);

/* A thread ends: done, or failed if it holds something. */
void end_thread(struct state *s, int t);
void read_lock(struct state *s, int t, int l, int delta);
void take_rw(struct state *s, const struct instruction *i, int t);

/* Is it an instruction that takes something for which it may have to wait?  Then can_acquire() and acquire() do it. */
bool acquires(enum code code);
bool can_acquire(const struct state *s, const struct compiled *c, int t);
void acquire(struct state *s, const struct compiled *c, int t, int answer);
/* Does it come back from a wait cancelled, with a signal that goes to another waiter? */
bool passes_on(const struct state *s, const struct instruction *i, int t);

bool is_rw(enum code code);
bool is_sem(enum code code);
bool writes(enum code code);
bool is_free(const struct state *s, const struct instruction *i);
bool has_deadline(const struct state *s, const struct instruction *i, int t);

/* Does a thread wait in the queue of this instruction?  With t >= 0: before that thread. */
bool queue_before(const struct state *s, const struct compiled *c, const struct instruction *i, int t);
void join_queue(struct state *s, int t);

/* step.c: can thread t make a step, and its step with this answer. */
bool model_can_step(const struct state *s, const struct compiled *c, int t);
void model_perform(struct state *s, const struct compiled *c, int t, int answer);

#endif

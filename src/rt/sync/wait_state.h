/* What a waiting thread waits for: conditions, policies, deadlines. */
#ifndef HEDDLE_RT_SYNC_WAIT_STATE_H
#define HEDDLE_RT_SYNC_WAIT_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct thread;

#define WAIT_ROWS 8u

/* Timeouts in a row at one place. */
struct timed_row {
        uintptr_t site;
        uint32_t n;
        bool out; /* the last wait there has timed out */
};

struct wait_state {
        struct object *cond;              /* cond.c: the condition variable that it waits on ... */
        struct object *mutex;             /* ... and the mutex that it has released for that */
        uintptr_t site;                   /* cond.c: of its last wait on a condition variable */
        struct object *queued;            /* queue.c: waits for this under a wakeup policy */
        uint32_t ticket;                  /* queue.c: its position among those that wait */
        bool serial;                      /* barrier.c: it is the serial thread of those at the barrier */
        struct thread *joins;             /* join.c: waits for the end of this thread */
        uint64_t deadline;                /* timed.c: of the operation that it waits in; RT_NO_DEADLINE: none */
        struct timed_row rows[WAIT_ROWS]; /* timed.c: of the places where it has waited last, a ring ... */
        uint32_t n_rows;
        struct timed_row *row; /* ... the one where it waits now; NULL: none */
        bool timed;            /* it waits in a queue and may time out */
        bool timer_looks;      /* poll.c: a timer that it polls ends where it would wait */
        bool let_go;           /* timed.c: its deadline has passed, since all other threads are blocked */
        uint8_t signalled;     /* it has been woken: by a signal, a barrier, a futex, a channel */
};

#endif

/* Messages over a socket between the coordinator and its workers (coordinator.c, worker.c). */
#ifndef HEDDLE_PARALLEL_MESSAGE_H
#define HEDDLE_PARALLEL_MESSAGE_H

#include "base/stream.h"

enum mail_kind {
        /* to a worker */
        MAIL_TASK,   /* explore this: see jobtree.h */
        MAIL_WORLD,  /* forget everything: more is known of the program (session_state.h) */
        MAIL_GO,     /* after MAIL_LIMIT: there is room for another execution */
        MAIL_SAVE,   /* tell where you are (MAIL_STATE), and wait for ... */
        MAIL_SAVED,  /* ... this */
        MAIL_RECALL, /* give the task back (MAIL_RETURN), if there is one */
        MAIL_STOP,   /* tell what was found, and end */
        /* to the coordinator */
        MAIL_DONE,   /* the task is explored */
        MAIL_SPLIT,  /* a part of it is given back: see jobtree.h */
        MAIL_FIRST,  /* what the first transition of the task touched */
        MAIL_RACE,   /* something must be run from a node that is the coordinator's */
        MAIL_GREW,   /* more is known of the program: the worker waits for MAIL_WORLD */
        MAIL_NEWS,   /* of a search that is one of several (strategy.h, struct plan_ops) */
        MAIL_RETURN, /* after MAIL_RECALL: a task that goes on from here */
        MAIL_STATE,  /* what was found so far; a task that goes on from here, or nothing */
        MAIL_LIMIT,  /* --executions is reached, and the task not done */
        MAIL_RESULT, /* what was found; after it the worker says nothing more */
        MAIL_FAILED, /* status and reason; the same */
        MAIL_KINDS
};

struct mail {
        int fd;
        struct stream in, out;
};

struct mail_head {
        uint32_t kind;
        uint32_t generation; /* what was said before a MAIL_WORLD is void after it */
        uint64_t length;
};

void mail_fini(struct mail *m);

/* Adds a message to what is to be sent; `body` may be NULL. */
void mail_put(struct mail *m, uint32_t kind, uint32_t generation, const struct stream *body);

/* Sends what there is, as far as the socket takes it (all of it if it blocks).  0, or -1: the other side is gone. */
int mail_send(struct mail *m);

/* Receives what there is, or waits for something.  0, or -1: the other side is gone, or memory out. */
int mail_receive(struct mail *m, bool wait);

/* The next whole message, its body copied to `body`.  1, 0: none, or -1: it makes no sense. */
int mail_take(struct mail *m, struct mail_head *head, struct stream *body);

#endif

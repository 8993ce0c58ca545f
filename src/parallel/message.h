/* Messages over a socket between the coordinator and its workers (coordinator.c, worker.c). */
#ifndef HEDDLE_PARALLEL_MESSAGE_H
#define HEDDLE_PARALLEL_MESSAGE_H

#include "base/stream.h"

enum message_kind {
        /* to a worker */
        MESSAGE_TASK,   /* explore this: see jobtree.h */
        MESSAGE_WORLD,  /* forget everything: more is known of the program (session_state.h) */
        MESSAGE_GO,     /* after MESSAGE_LIMIT: there is room for another execution */
        MESSAGE_SAVE,   /* tell where you are (MESSAGE_STATE), and wait for ... */
        MESSAGE_SAVED,  /* ... this */
        MESSAGE_RECALL, /* give the task back (MESSAGE_RETURN), if there is one */
        MESSAGE_STOP,   /* tell what was found, and end */
        /* to the coordinator */
        MESSAGE_DONE,       /* the task is explored */
        MESSAGE_SPLIT,      /* a part of it is given back: see jobtree.h */
        MESSAGE_FIRST,      /* what the first transition of the task touched */
        MESSAGE_RACE,       /* something must be run from a node that is the coordinator's */
        MESSAGE_GREW,       /* more is known of the program: the worker waits for MESSAGE_WORLD */
        MESSAGE_LEADS_BACK, /* executions return to earlier states: states must be compared, by one explorer */
        MESSAGE_NEWS,       /* of a search that is one of several (strategy/share.h, struct plan_ops) */
        MESSAGE_RETURN,     /* after MESSAGE_RECALL: a task that continues from here */
        MESSAGE_STATE,      /* what was found so far; a task that continues from here, or nothing */
        MESSAGE_LIMIT,      /* --executions is reached, and the task not done */
        MESSAGE_RESULT,     /* what was found; after it the worker says nothing more */
        MESSAGE_FAILED,     /* status and reason; the same */
        MESSAGE_KINDS
};

struct messages {
        int fd;
        struct stream in, out;
};

struct message_head {
        uint32_t kind;
        uint32_t generation; /* what was said before a MESSAGE_WORLD is void after it */
        uint64_t length;
};

void message_fini(struct messages *m);

/* Adds a message to what is to be sent; `body` may be NULL. */
void message_put(struct messages *m, uint32_t kind, uint32_t generation, const struct stream *body);

/* Sends what there is, as far as the socket takes it (all of it if it blocks).  0, or -1: the other side is gone. */
int message_send(struct messages *m);

/* Receives what there is, or waits for something.  0, or -1: the other side is gone, or out of memory. */
int message_receive(struct messages *m, bool wait);

/* The next whole message, its body copied to `body`.  1, 0: none, or -1: it is malformed. */
int message_take(struct messages *m, struct message_head *head, struct stream *body);

#endif

/* The helpers that the program started and has not waited for. */
#ifndef HEDDLE_RT_HELPER_CHILDREN_H
#define HEDDLE_RT_HELPER_CHILDREN_H

#include <stdbool.h>

#define CHILD_COMMAND 4096

struct child {
        int pid;      /* 0: of popen(), which nobody waits for */
        int status;   /* as wait() gives it */
        void *stream; /* of popen(), else NULL */
        int input;    /* what the program has written to it: the helper runs at pclose(); -1: it ran */
        char command[CHILD_COMMAND];
};

#pragma GCC visibility push(hidden)

/* A helper that has ended, or of popen() one that has begun.  Its number depends on the running thread alone. */
struct child *child_new(void *stream);
/* The one of this stream, NULL: none.  It is forgotten by child_forget(). */
struct child *child_of(const void *stream);
void child_forget(struct child *c);
/* Is it the number of one that was not waited for? */
bool child_is(int pid);

/* For the snapshot. */
void children_save(void);
void children_restore(void);

#pragma GCC visibility pop

#endif

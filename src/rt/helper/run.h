/* Helpers: other programs that the program runs by system(), popen() or posix_spawn(). */
#ifndef HEDDLE_RT_HELPER_RUN_H
#define HEDDLE_RT_HELPER_RUN_H

#include <stdint.h>

#define HELPER_CLOSED (-1) /* in place of a descriptor: none */
#define HELPER_OUT    (-2) /* ... the helper's output is kept in memory: `kept` */

struct helper {
        const char *path;
        char *const *argv, *const *env;
        const char *directory; /* NULL: that of the program */
        int fd[3];             /* its standard streams, descriptors of the program */
        int kept;              /* what it printed, to be closed by the caller; -1: nothing */
        int status;            /* as wait() gives it */
};

#pragma GCC visibility push(hidden)

/* Effects on states of the process that starting a helper has, for effect_perform(). */
#define HELPER_EFFECTS \
        EFFECT_USE(STATE_NAMES), EFFECT_USE(STATE_ENVIRONMENT), EFFECT_USE(STATE_DIRECTORY), EFFECT_USE(STATE_UMASK)

/* Runs it to its end, in the turn of the running thread; what it prints is written to its descriptors afterwards.  Returns 0 or an
 * error number. */
int helper_run(struct helper *h);
/* A file in memory, at a high number that is closed at the end of the execution. */
int helper_memory(void);
/* The same file opened once more. */
int helper_reopen(int fd, int flags);
void helper_close(int fd);

#pragma GCC visibility pop

#endif

/*
 * Starting the target process; used by target.c, and by debug.c for one that a debugger starts.
 */
#ifndef HEDDLE_TARGET_SPAWN_H
#define HEDDLE_TARGET_SPAWN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/stream.h"
#include "config/config.h"
#include "target/target_status.h"

/* What every start of the program gets. */
struct spawn {
        const struct config *config; /* the program, its arguments, what is loaded before it */
        int down_ro_fd, up_fd;       /* the shared regions, opened and closed by target.c; -1: not open */
        int stdin_fd;                /* the program's standard input, read again from its start in every execution */
        int helpers_fd;              /* the answers of its helpers (--helpers record), -1: none; not owned */
        pid_t owner;                 /* the process that made this: of heddle the first */
        int out_fd, err_fd;          /* what the program's output goes to, -1: nowhere; not owned */
        bool aslr;                   /* randomisation cannot be switched off here: addresses differ after a restart */
        char **env;                  /* the target's environment; its last entries, from n_env on, are ours to free */
        uint32_t n_env;              /* entries of the user's */
        char *env_text;              /* of a loaded environment: all its strings; owned */
        uint64_t *env_hashes;        /* ... and for each one whose value is not known its hash, else 0; owned */
};

/* Sets aside standard input and builds the environment; config and the regions' descriptors are given.  TARGET_OK,
 * TARGET_FAIL or TARGET_INTR; spawn_fini() is due in every case. */
MUST_CHECK int spawn_init(struct spawn *s, struct error *why);
void spawn_fini(struct spawn *s);

/* The environment that targets get, less what is ours, in a stream; and taken back, in place of the present one: where the
 * stack begins depends on it.  Values are stored only of what was read (bits, in the order of the environment) and of what libc
 * reads by itself.  0, or -1: it is malformed, or out of memory. */
void spawn_env_save(const struct spawn *s, const uint8_t *read, struct stream *out);
MUST_CHECK int spawn_env_load(struct spawn *s, struct stream *in);

/* The variable that was read although its value is not known: it was not stored, and is another one now.  NULL: there is none. */
const char *spawn_env_unknown(const struct spawn *s, const uint8_t *read);

/* Forks and executes the program: TARGET_OK and its process in *pid, or TARGET_FAIL. */
MUST_CHECK int spawn_start(const struct spawn *s, int *pid, struct error *why);

/* The calling process becomes the program.  Returns only when that fails (errno). */
void spawn_become(const struct spawn *s);

/* Moves a descriptor out of the way of those that the program will open, as far as the limit allows.  The new number,
 * close-on-exec; -1 for -1. */
int spawn_fd_high(int fd);

/* Memory that two processes can map, as a descriptor: a memfd, or a file without a name where there is none.  -1: errno. */
int spawn_memory(const char *name);

/* A new open file description of the same file; -1 with errno. */
int spawn_fd_reopen(int fd, int flags);

/* "what: <errno text>"; TARGET_FAIL. */
int spawn_error(struct error *why, const char *what);

#endif

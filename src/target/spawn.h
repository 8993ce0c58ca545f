/*
 * Starting the target process; used by target.c, and by debug.c for one that a debugger starts.
 */
#ifndef HEDDLE_TARGET_SPAWN_H
#define HEDDLE_TARGET_SPAWN_H

#include "base/stream.h"
#include "target/target.h"

/* Sets aside standard input and builds the environment; the regions' descriptors stand already.  TARGET_OK, TARGET_FAIL
 * or TARGET_INTR; spawn_fini() is due in every case. */
int spawn_init(struct target *t);
/* The environment that targets get, less what is ours, in a stream; and taken back, in place of the present one: where the
 * stack begins depends on it.  0, or -1: it makes no sense, or memory is out. */
void spawn_env_save(const struct target *t, struct stream *out);
int spawn_env_load(struct target *t, struct stream *in);

void spawn_fini(struct target *t);

/* Forks and executes the program.  On TARGET_OK t->pid runs it; TARGET_FAIL otherwise. */
int spawn_target(struct target *t);

/* The calling process becomes the program.  Returns only when that fails (errno). */
void spawn_become(const struct target *t);

/* Moves a descriptor out of the way of those that the program will open, as far as the limit allows.  The new number,
 * close-on-exec; -1 for -1. */
int spawn_fd_high(int fd);

/* Memory that two processes can map, as a descriptor: a memfd, or a file without a name where there is none.  -1: errno. */
int spawn_memory(const char *name);

/* A new open file description of the same file; -1 with errno. */
int spawn_fd_reopen(int fd, int flags);

/* Puts "what: <errno text>" into t->why and returns TARGET_FAIL. */
int spawn_error(struct target *t, const char *what);

#endif

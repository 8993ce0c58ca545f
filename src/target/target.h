/*
 * The target process: started, fed one schedule at a time, watched, started again when it dies.
 */
#ifndef HEDDLE_TARGET_TARGET_H
#define HEDDLE_TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "target/cpu_affinity.h"
#include "wire/wire.h"

struct target {
        const struct config *config;
        struct wire_down *down; /* ours to write */
        const struct wire_up *up;
        int down_fd, up_fd, down_ro_fd;
        int pid;            /* 0: none */
        uint32_t up_seq;    /* answers seen */
        uint32_t pool;      /* threads the next start prepares */
        bool blocks;        /* a transition is all that a thread does between two points */
        uint32_t isolate;   /* enum wire_isolate of the next start */
        int out_fd, err_fd; /* what the program's output goes to, -1: nowhere */
        int stdin_fd;       /* the program's standard input, read again from its start in every execution */
        bool fresh;         /* started, and no execution run yet */
        struct core core;   /* where both run */
        uint32_t crowded;   /* so many more hand-overs without yields: others want the core */
        bool pin;           /* keep explorer and target on one core; may be cleared before the first start */
        bool aslr;          /* randomisation cannot be switched off here: addresses differ after a restart */
        char **env;         /* the target's environment; its last entries, from n_env on, are ours to free */
        uint32_t n_env;
        char *env_text; /* of a loaded environment: all its strings; owned */
        uint64_t starts;
        int signal;    /* that killed or stopped the last target that died; 0: none did */
        char why[512]; /* after an error: one line for the user */
};

enum target_status {
        TARGET_OK = 0,
        TARGET_DIED = -1, /* killed or crashed beyond reporting; `why` says how; it may be started again */
        TARGET_LOOP = -2, /* no visible operation for config->loop_seconds, and it could not be interrupted */
        TARGET_FAIL = -3, /* cannot be started: `why` */
        TARGET_INTR = -4, /* late() */
};

/* Makes the shared regions and sets aside standard input; starts nothing.  TARGET_OK, TARGET_FAIL or TARGET_INTR;
 * target_fini() is due in every case. */
int target_init(struct target *t, const struct config *config);
void target_fini(struct target *t);

/* The regions as a new target wants to find them.  TARGET_OK or TARGET_FAIL. */
int target_reset(struct target *t);

/* In a process forked off: regions of its own, with what is known so far, at the same descriptors, so that its targets
 * see the same world.  TARGET_OK or TARGET_FAIL. */
int target_renew(struct target *t);

/* Starts the program and waits until the runtime reports its modules. */
int target_start(struct target *t);
void target_stop(struct target *t);

/* Runs the schedule that stands in t->down (command, flags, counts filled by the caller); starts the target when
 * there is none.  On TARGET_OK the answer stands in t->up. */
int target_run(struct target *t);

#endif

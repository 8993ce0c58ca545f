/*
 * The target process: started, fed one schedule at a time, watched, started again when it dies.
 */
#ifndef HEDDLE_TARGET_TARGET_H
#define HEDDLE_TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "config/config.h"
#include "target/cpu_affinity.h"
#include "target/printed.h"
#include "target/spawn.h"
#include "target/target_status.h"
#include "target/watchpoints.h"
#include "wire/wire.h"

struct target {
        const struct config *config;
        struct wire_down *down;   /* ours to write */
        const struct wire_up *up; /* the target's */
        int down_fd;              /* of `down`; the program gets spawn.down_ro_fd */
        struct spawn spawn;       /* what each start gets */
        int pid;                  /* 0: none */
        uint32_t up_seq;          /* answers seen */
        uint32_t pool;            /* threads the next start prepares */
        bool blocks;              /* a transition is all that a thread does between two points */
        uint32_t isolate;         /* enum wire_isolate of the next start */
        bool fresh;               /* started, and no execution run yet */
        struct core core;         /* where both run */
        uint32_t crowded;         /* so many more hand-overs without yields: others want the core */
        bool pin;                 /* keep explorer and target on one core; may be cleared before the first start */
        uint64_t starts;          /* of the program, so far */
        int signal;               /* that killed or stopped the last target that died; 0: none did */
        int (*serve)(void *arg); /* looks at modules that the target has loaded; TARGET_OK, or TARGET_FAIL with `why` */
        void *serve_arg;
        const struct watched_word *watched; /* of the next runs, which have the flag WIRE_WATCH; the caller's */
        uint32_t n_watched;
        bool unwatchable; /* ... the machine or the system does not permit it */
        struct printed_files printed;
        struct error why; /* after an error */
};

/* Makes the shared regions and sets aside standard input; starts nothing.  TARGET_OK, TARGET_FAIL or TARGET_INTR;
 * target_fini() is due in every case. */
MUST_CHECK int target_init(struct target *t, const struct config *config);
void target_fini(struct target *t);

/* The regions as a new target wants to find them.  TARGET_OK or TARGET_FAIL. */
MUST_CHECK int target_reset(struct target *t);

/* In a process forked off: regions of its own, with what is known so far, at the same descriptors, so that its targets
 * see the same world.  TARGET_OK or TARGET_FAIL. */
MUST_CHECK int target_renew(struct target *t);

/* Starts the program and waits until the runtime reports its modules. */
MUST_CHECK int target_start(struct target *t);
void target_stop(struct target *t);

/* Runs the schedule that is in t->down (command, flags, counts filled by the caller); starts the target when
 * there is none.  On TARGET_OK the answer is in t->up. */
MUST_CHECK int target_run(struct target *t);

#endif

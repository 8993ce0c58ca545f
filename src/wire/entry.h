/* What schedules and traces are made of: decisions, accesses, entries. */
#ifndef HEDDLE_WIRE_ENTRY_H
#define HEDDLE_WIRE_ENTRY_H

#include <stdint.h>

/* One decision: this actor's next transition, with this answer.  op and obj are what the transition must turn out to
 * be (obj 0: not checked); anything else is nondeterminism. */
struct wire_decision {
        uint16_t actor;
        uint8_t op;
        uint8_t waits; /* it may not be possible: the execution ends here, or the other hints are given up */
        uint32_t choice;
        uint64_t obj;
};

/* What one operation did to one object: all that dependence is judged by (op/op.h). */
struct wire_access {
        uint64_t obj;
        uint64_t value; /* as in an entry */
        uint32_t size;
        uint16_t actor;
        uint8_t mode; /* enum wire_mode */
        uint8_t op;
};

/* A sleeping actor and what its transition touched when it ran from here. */
struct wire_sleep {
        uint16_t actor;
        uint16_t pad;
        uint32_t first, count; /* in the footprint array */
};

#define WIRE_EV_SCHED  (1u << 0) /* begins a transition; the others belong to their thread's last transition */
#define WIRE_EV_ATOMIC (1u << 1) /* an atomic access */
#define WIRE_EV_FAILED (1u << 2) /* trylock, compare-and-swap, trywait: it failed */
#define WIRE_EV_FORCED (1u << 3) /* a transition inside an atomic section: no other actor may run before it */

#define WIRE_EV_LAST    (1u << 4) /* only possible because no other thread could continue: comes after all before it */
#define WIRE_EV_ACQUIRE (1u << 5) /* the memory order of an atomic access or fence; sequentially consistent: both */
#define WIRE_EV_RELEASE (1u << 6)
#define WIRE_EV_SECTION (1u << 7) /* inside an atomic section, or under a lock of libc: atomic for the others */
#define WIRE_EV_SPUN \
        WIRE_EV_ATOMIC /* of a wakeup: of a thread that loops until another writes, which synchronises nothing */
#define WIRE_EV_TIMED \
        WIRE_EV_ATOMIC /* of a wait on a condition variable: it has a deadline that may pass at any time */
/* Weak memory. */
#define WIRE_WEAK_BUFFERED (1u << 0) /* a store that waits in buffer `choice` of its thread */
#define WIRE_WEAK_DRAINED \
        (1u << 1) /* came after all stores of its thread had reached memory; a flush: after those of its
                                      * thread that have a number below `choice` */

#define WIRE_WEAK_UNSAID \
        (1u << 3) /* whatever the memory: `value` is not recorded (yet, or the access was never made) */
#define WIRE_WEAK_FAIR \
        (1u << 4) /* whatever the memory: its thread had used up `fair_limit`, and no other one could continue */
#define WIRE_WEAK_HIDDEN \
        (1u << 5) /* whatever the memory: it is the runtime's, for a state of libc that no entry shows */
#define WIRE_WEAK_QUIET (1u << 2) /* whatever the memory: inside a function of --no-race: races are not reported */

/* One entry of a trace. */
struct wire_event {
        uint16_t actor;
        uint8_t op;    /* enum op (op/op.h) */
        uint8_t flags; /* WIRE_EV_* */
        uint32_t size;
        uint64_t obj;
        uint64_t value; /* sync objects: the state before, or a record of users; accesses: what was read or written */
        uint64_t site;  /* return address of the hook */
        uint32_t pos;   /* hook calls of the thread up to this one, this one included */
        uint32_t choice;
        uint32_t next_choice; /* the next alternative answer, or WIRE_NO_CHOICE */
        uint16_t mode;        /* enum wire_mode */
        uint16_t weak;        /* WIRE_WEAK_* */
};

#endif

/* The events of an execution that followed recorded paths, each with its recorded window: what constraints are about. */
#ifndef HEDDLE_RECORD_EVENTS_H
#define HEDDLE_RECORD_EVENTS_H

#include "record/recording.h"
#include "trace/trace.h"

#define EVENTS_NONE UINT32_MAX

struct record_event {
        uint32_t thread, number; /* in the trace */
        uint64_t object, from, until;
        uint32_t core;  /* at both ends of the window; EVENTS_NONE: not one */
        uint32_t gives; /* of a lock: the event of the trace that gives it back, EVENTS_NONE: none */
        uint32_t chain; /* of a write */
        bool reads, writes, lock;
};

/* Accesses to memory, and locks that were taken, of recorded threads: by object, in the order of the trace. */
struct record_events {
        struct record_event *at;
        struct record_event **last; /* as in a group */
        uint32_t n;
        uint64_t threads; /* creations and joins */
};

/*
 * Events of one object.  Its writes are in chains, each of which its thread or its core orders: what reads from a write comes
 * before the next one of its chain, and of each other chain it is enough to know where in it both are.
 */
struct record_group {
        struct record_event *at, **last; /* last: room for each chain */
        uint32_t n, chains;
};

/* `bits`: of each event of the trace, how far its thread was on its path.  0, or -1: out of memory. */
MUST_CHECK int record_events_make(struct record_events *all, const struct recording *r, const struct trace *t,
                                  const uint32_t *bits);
void record_events_fini(struct record_events *all);

/* The next group; the first one behind an empty group.  false: there is none. */
bool record_events_group(const struct record_events *all, struct record_group *g);

/* Is one before the other in every order, by its thread, or `timed` by the windows? */
static inline bool record_event_before(const struct record_event *a, const struct record_event *b, bool timed)
{
        return a->thread == b->thread ? a->number < b->number : timed && a->until < b->from;
}

#endif

/*
 * Data races: two accesses of different threads to common bytes, one of them a write and not both atomic, that nothing
 * but the schedule keeps apart.  What an exploration knows of each, for reports and for strategies that preempt at races.
 *
 * A race is known by its two accesses' places in the code (`site`, the return address of the hook) and kinds.  The table
 * in struct result grows over the executions; an index in it stays valid until the exploration restarts.
 */
#ifndef HEDDLE_TRACE_RACE_H
#define HEDDLE_TRACE_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

enum race_kind { /* what an access does */
                 RACE_READ,
                 RACE_WRITE,
                 RACE_ATOMIC_READ, /* also a plain access inside an atomic section */
                 RACE_ATOMIC_WRITE,
                 RACE_FREE,
                 RACE_UNMAP, /* munmap and others that change what is behind addresses */
                 RACE_KINDS
};

enum race_verdict {
        RACE_UNTESTED,   /* not all behaviours were explored, or not with preemption at both accesses */
        RACE_FAILING,    /* an execution that fails contains it */
        RACE_BENIGN,     /* all were explored, in both orders, and none that contains it fails */
        RACE_IMPOSSIBLE, /* all were explored, and the accesses never come in the other order */
};

/* Orders seen: access[0] before access[1], and the other way round.  Where both have one site and kind, access[0] is that
 * of the thread with the lower number. */
#define RACE_FORWARD  1u
#define RACE_BACKWARD 2u

#define RACE_MAX_LOCKS 8u

struct race_lock {
        uint64_t obj;
        uint32_t kind;   /* enum op_object: locks are distinguished by kind as well as by address */
        uint32_t shared; /* held for reading */
};

struct race_access { /* as it was where the race was first seen */
        uint64_t site;
        uint64_t obj;
        uint64_t value;
        uint32_t size;
        uint32_t pos; /* hook calls of the thread up to it */
        uint16_t actor;
        uint8_t kind; /* enum race_kind */
        uint8_t has_value;
        struct wire_local local; /* memory on a stack: whose; addr 0: not known */
        struct wire_block block; /* memory of the heap: its block; n_allocated 0: not known */
        uint32_t n_locks;
        struct race_lock locks[RACE_MAX_LOCKS];
        uint32_t n_stack; /* call sites, innermost first */
        uint64_t stack[WIRE_MAX_STACK];
};

struct race {
        struct race_access access[2]; /* by site, then kind, then thread */
        uint64_t count;               /* executions in which it is a race */
        uint64_t failing;             /* ... of these: that fail */
        uint64_t execution;           /* number of the first one, from 1 */
        uint32_t first;               /* RACE_FORWARD or RACE_BACKWARD: the order in that one */
        uint32_t orders;              /* all orders seen, where other things order them too */
        bool by_probe;                /* first seen in a probe; `execution` counts these too */
        bool candidate; /* only by limited happens-before: locks have ordered it in all executions so far */
        bool partial; /* known from several explorers, or parts: one may have seen the other order before it was a race */
        bool points;    /* a thread may be preempted at both accesses */
        bool unsure;    /* seen with a leak that turned out to be a failure only later */
        uint64_t leaky; /* executions in which it is a race and something is lost that was not a failure then */
        char *schedule; /* of the first execution */
};

/* `complete`: every behaviour within those points was explored. */
enum race_verdict race_verdict(const struct race *r, bool complete);
const char *race_verdict_name(enum race_verdict v);
const char *race_kind_name(enum race_kind k);

static inline bool race_is_write(uint32_t kind)
{
        return kind != RACE_READ && kind != RACE_ATOMIC_READ;
}

/* Does it end the history of the memory? */
static inline bool race_is_end(uint32_t kind)
{
        return kind == RACE_FREE || kind == RACE_UNMAP;
}

/* Is it a preemption point in every set of points? */
static inline bool race_is_point(uint32_t kind)
{
        return kind != RACE_READ && kind != RACE_WRITE;
}

static inline bool race_is_atomic(uint32_t kind)
{
        return kind == RACE_ATOMIC_READ || kind == RACE_ATOMIC_WRITE;
}

/* Can this entry be half of a race, what does it do (enum race_kind), and which bytes of a granule of 8 does it touch? */
bool race_is_access(const struct wire_event *e);
uint8_t race_kind_of(const struct wire_event *e);
uint8_t race_mask(uint64_t g, uint64_t obj, uint32_t size);

/* Are these the races of the same places? */
bool race_same(const struct race *a, const struct race *b);

/* One more sighting of a race that is known from elsewhere. */
void race_merge(struct race *to, const struct race *from);

#endif

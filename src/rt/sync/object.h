/* The objects that threads synchronise on, found through the shadow of their address. */
#ifndef HEDDLE_RT_SYNC_OBJECT_H
#define HEDDLE_RT_SYNC_OBJECT_H

#include "rt/threads.h"

#define RT_MAX_OBJECTS 65534u

/* Its index is in the shadow of its address. */
struct object {
        uint64_t addr;         /* 0: gone */
        uint64_t state;        /* op.h says what it means */
        uint64_t vtime;        /* of the last operation, for the virtual clocks */
        uint64_t vtime_shared; /* ... of those that commute: readers, arrivals at a barrier */
        uint16_t kind;         /* enum op_object */
        uint8_t policy;        /* enum wire_wakeup */
        uint8_t pad;
        uint16_t by; /* the thread that did `did` to it, + 1; 0: none */
        uint8_t did; /* the last operation that a misuse may be the other half of, ... */
        uint8_t pad3;
        uint64_t site;    /* ... and where */
        uint16_t sibling; /* index + 1 of another in the same 8 bytes, 0: none */
        uint16_t pad2;
        uint32_t ticket; /* under a policy: of the last thread that came to wait */
};

/* In the memory of mutexes, condition variables and read-write locks. */
#define RT_OBJECT_MARK 0x68646c65u
#define RT_OBJECT_GONE 0x68646c66u /* destroyed, and not overwritten since */

#pragma GCC visibility push(hidden)

extern struct object objects[RT_MAX_OBJECTS];

/* The object of this kind at addr, a new one if there is none. */
struct object *object_get(const void *addr, uint32_t kind);
/* The policy that the program wants for the object at addr, whatever it is or will be. */
void object_set_policy(const void *addr, uint32_t policy);
/* The memory is freed: no object is in it any more. */
void object_forget(uintptr_t addr, size_t size);
/* Has the memory been overwritten since we knew it, as by a static initialiser?  Then it is a new object. */
struct object *object_renew(struct object *o);
void object_mark(const struct object *o);
void object_destroy(struct thread *t, struct object *o, uint32_t op);

/* The thread has just done something to the object that a later misuse is the other half of: op, at its pending site. */
static inline void object_note(struct thread *t, struct object *o, uint32_t op)
{
        o->site = t->pend.site;
        o->by = t->tag;
        o->did = (uint8_t)op;
}

#pragma GCC visibility pop

#endif

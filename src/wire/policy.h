/* --wakeup: which waiter of a primitive wakes. */
#ifndef HEDDLE_WIRE_POLICY_H
#define HEDDLE_WIRE_POLICY_H

/* Which of those that wait goes next.  ARBITRARY: any of them. */
enum wire_wakeup {
        WIRE_WAKEUP_ARBITRARY,
        WIRE_WAKEUP_FIFO,
        WIRE_WAKEUP_LIFO,
        WIRE_WAKEUP_PRIORITY,
        WIRE_WAKEUP_READER, /* read-write locks */
        WIRE_WAKEUP_WRITER,
        WIRE_WAKEUP_FIRST, /* barriers: the serial thread is that with the lowest or highest number */
        WIRE_WAKEUP_LAST,
};
enum wire_primitive {
        WIRE_PRIM_MUTEX,
        WIRE_PRIM_COND,
        WIRE_PRIM_SEM,
        WIRE_PRIM_RWLOCK,
        WIRE_PRIM_SPIN,
        WIRE_PRIM_BARRIER,
        WIRE_PRIMITIVES
};

#endif

/* How a thread came to an operation, from op_arrive() to op_log(). */
#ifndef HEDDLE_RT_SCHED_ARRIVAL_H
#define HEDDLE_RT_SCHED_ARRIVAL_H

enum arrival {
        ARRIVE_PRIVATE,  /* no other thread can observe it: no entry */
        ARRIVE_EVENT,    /* begins a transition */
        ARRIVE_FORCED,   /* begins one inside an atomic section, only for the sake of its choice */
        ARRIVE_INNER,    /* an entry of the transition under way */
        ARRIVE_BUFFERED, /* a store that goes to the thread's buffer: mm_store(), not op_log() */
};

#endif

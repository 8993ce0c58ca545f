/* What coordinator (remote.c) and workers (remote_worker.c) of a search on many machines write into the store. */
#ifndef HEDDLE_PARALLEL_REMOTE_FORMAT_H
#define HEDDLE_PARALLEL_REMOTE_FORMAT_H

#include "engine/identity.h"

#define REMOTE_VERSION 6u
#define REMOTE_MOST    5.0 /* seconds of a job, after which it goes back to the coordinator */

/* BLOB_HEAD: this, then the name of the program, the number of words and the words of the options (stream texts). */
struct remote_head {
        uint32_t version, pad;
        struct identity identity;
        double lease; /* seconds that a worker keeps a job without a sign of life */
};

/* BLOB_TOLD: this. */
struct remote_told {
        uint32_t over; /* the search has ended, or is to end */
        uint32_t generation;
        uint32_t want;     /* so many more jobs would be taken at once */
        uint32_t failures; /* found so far, and other figures ... */
        uint64_t executions, blocked;
        double share, seconds;
        double failed; /* when a worker found what ends the search (clock_date()); 0: it is not known */
        uint32_t jobs, pad;
        char program[160];
};

/* A job: the generation, a quota of executions (0: none), then a task (jobtree.h).  A result: its kind, then: */
enum remote_answer {
        ANSWER_DONE,     /* messages, result */
        ANSWER_LEFT,     /* messages, result, a task that continues from here */
        ANSWER_ENDED,    /* messages, result, the date (a double): it ends the search */
        ANSWER_PARTS,    /* messages, result, tasks that continue from here, each with its size before it */
        ANSWER_GREW,     /* what is known of the program */
        ANSWER_REPLACED, /* why the strategy cannot explore the program, and another one takes its place */
        ANSWER_FAILED,   /* is it a matter of usage?  The reason. */
        ANSWERS
};

/* What a worker tells of itself. */
struct remote_figures {
        uint64_t executions, jobs;
        double seconds, busy; /* since its start; of these at work */
        double spent;         /* processor time beside executions: jobs taken and loaded, looks at the store, answers */
};

#endif

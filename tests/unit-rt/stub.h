/* The core of the runtime as its periphery sees it, without a scheduler: what it is asked is written down. */
#ifndef HEDDLE_TESTS_UNIT_RT_STUB_H
#define HEDDLE_TESTS_UNIT_RT_STUB_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "rt/memory/access.h"
#include "rt/memory/access_part.h"
#include "rt/threads.h"

#define STUB_MAX_SEEN 64u

struct stub {
        struct access_part seen[STUB_MAX_SEEN]; /* reported accesses, in order */
        unsigned n_seen;
        unsigned n_transitions;
        uint32_t n_foreseen;     /* steps that the last call would take where all is private */
        void (*meanwhile)(void); /* what other threads do at the next report */
        char text[WIRE_TEXT];    /* of the last failure, or of the last reason for incompleteness */
        uint64_t incomplete;     /* reasons */
        uint32_t kind;           /* ... of the heap */
        bool shared;             /* what shadow_is_shared() answers */
        unsigned n_yields;
        uint32_t choice; /* the answer of rt_choose */
        jmp_buf stop;    /* where failures end */
};
extern struct stub stub;

/* The thread in this slot runs from now on; nothing was seen yet. */
void stub_run(uint32_t slot);
/* Nothing runs: the world outside executions. */
void stub_pause(void);

/* Evaluates to whether the statement failed, with its text in stub.text. */
#define FAILS(statement) (setjmp(stub.stop) ? true : ((statement), false))

#define CHECK(c)                                                                \
        do {                                                                    \
                if (!(c)) {                                                     \
                        struct thread *was = rt_cur;                            \
                        rt_cur = NULL;                                          \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); \
                        rt_cur = was;                                           \
                        exit(1);                                                \
                }                                                               \
        } while (0)

#endif

/*
 * What --strategy predict foresees: kinds of predictions, and what became of them, for reports.
 */
#ifndef HEDDLE_TRACE_PREDICTION_H
#define HEDDLE_TRACE_PREDICTION_H

#include <stdbool.h>
#include <stdint.h>

enum prediction_kind {
        PREDICT_RACE,      /* two accesses one right after the other, in the other order */
        PREDICT_DEADLOCK,  /* a cycle of threads that wait for locks */
        PREDICT_WAKEUP,    /* a signal comes before the thread waits */
        PREDICT_FREED,     /* memory is freed before a use */
        PREDICT_NULL,      /* a pointer is read before it is set */
        PREDICT_ATOMICITY, /* an access of another thread comes between two that belong together */
        PREDICT_VALUE, /* an operation gets a result that it was not seen to get, on which an assertion may depend */
        PREDICT_READ,  /* a read sees a write that it was not seen to see: not a failure by itself */
        PREDICT_ORDER, /* two accesses in the order that was not seen yet: not a failure by itself */
        PREDICTION_KINDS
};

const char *prediction_name(enum prediction_kind kind);

struct prediction_figures { /* a new figure has its line in prediction_add() */
        uint64_t predicted[PREDICTION_KINDS], confirmed[PREDICTION_KINDS], refuted[PREDICTION_KINDS];
        /* Pairs of source locations with conflicting accesses: seen in both orders; in one, and the other one is in no
         * reordering that was considered; in one, and the other one is not known. */
        uint64_t both, impossible, open;
        bool counted; /* they are: not with store buffers */
};

/* Adds the figures of another part of an exploration.  Parts may have seen the same pairs: they are not counted any more. */
void prediction_add(struct prediction_figures *to, const struct prediction_figures *from);
/* Adds figures, which begin again with 0; pairs are those of `from`, and stay there. */
void prediction_take(struct prediction_figures *to, struct prediction_figures *from);

#endif

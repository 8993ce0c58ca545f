/*
 * What functions on strings are made of: cursors that read ascending, an output that writes ascending, and the way of a call
 * through them.
 *
 * The work of a function is written once and done up to three times: dry, which reads memory as it is and tells how far the
 * call would reach; then, if all of that is private, for good; else word by word (step.h), where others may change what was
 * not read yet.
 */
#ifndef HEDDLE_RT_COPY_TEXT_H
#define HEDDLE_RT_COPY_TEXT_H

#include "rt/copy/step.h"
#include "rt/rt.h"

struct text_in {
        const unsigned char *p, *end; /* bytes that were read and not used */
        const unsigned char *start, *at;
        size_t limit; /* bytes from the start on that may be read */
        struct step_end stop;
        bool whole; /* it does not stop at a unit */
        unsigned char word[STEP_BYTES];
};

enum text_mode { TEXT_DRY, TEXT_AT_ONCE, TEXT_STEPS };

struct text_out {
        unsigned char *start, *at; /* written up to here */
        size_t n;                  /* bytes that were put */
        uint32_t held;             /* ... and are not written yet */
        unsigned char word[STEP_BYTES];
};

struct text {
        /* set by the caller */
        const void *a, *b; /* the strings that are read */
        void *dst;
        size_t max;     /* units */
        size_t max_b;   /* ... of b; 0: as max */
        size_t room;    /* bytes that a fortified caller knows of at the destination, else SIZE_MAX */
        uint32_t unit;  /* bytes */
        uint32_t c;     /* a unit that is looked for */
        bool raw, past; /* 0 does not end what is read, c does not */
        bool flag;      /* what it means depends on the function */
        uintptr_t site;
        /* the call under way */
        enum text_mode mode;
        struct text_in in[2];
        struct text_out out;
        uint32_t last[2]; /* units of a and b that a comparison ended with */
};

/* What a function does; its result is up to it. */
typedef size_t text_work(struct text *x);

#pragma GCC visibility push(hidden)

/* A call: does the work as often as it takes, the last time for good. */
size_t text_run(struct text *x, text_work *work);

void text_refill(struct text *x, struct text_in *in);

/* Where the output goes; not more than once in a call. */
void text_open(struct text *x, void *dst);
void text_put(struct text *x, uint32_t v);
void text_put_end(struct text *x);
/* The units of string i up to its end, or max of them; the end is read, too, and not counted.  text_pass() puts them. */
size_t text_length(struct text *x, unsigned i, size_t max);
size_t text_pass(struct text *x, unsigned i, size_t max);

/* A fortified form found that the destination is too small. */
_Noreturn void text_overflow(uintptr_t site);

#pragma GCC visibility pop

/* The next unit of string i. */
static inline uint32_t text_next(struct text *x, unsigned i)
{
        struct text_in *in = &x->in[i];
        uint32_t v = 0;

        if (RT_LIKELY(x->unit == 1)) {
                if (RT_UNLIKELY(in->p == in->end))
                        text_refill(x, in);
                return *in->p++;
        }
        for (uint32_t k = 0; k < x->unit; k++) {
                if (RT_UNLIKELY(in->p == in->end))
                        text_refill(x, in);
                v |= (uint32_t)*in->p++ << 8 * k;
        }
        return v;
}

#endif

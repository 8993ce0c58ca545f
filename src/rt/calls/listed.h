/*
 * The rows of calls.def, and how they are run.
 *
 * A row says what a call reads (announced before it is made, in one step) and writes (announced after it, word by word).
 * What the call has written to shared memory is taken back first and put there again word by word, each in its turn, so
 * that no thread sees it before the write that the trace has.
 */
#ifndef HEDDLE_RT_CALLS_LISTED_H
#define HEDDLE_RT_CALLS_LISTED_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/memory/access_part.h"

struct thread;

#pragma GCC visibility push(hidden)

#define LISTED_NONE   255u /* not an argument */
#define LISTED_PARTS  24u
#define LISTED_STDIN  252u /* streams that are not arguments */
#define LISTED_STDOUT 253u
#define LISTED_STDERR 254u

/* The registers of a call, as x86_64/listed.S has them.  The first two fields are the register save area of a va_list. */
struct call_frame {
        uint64_t gp[6]; /* rdi, rsi, rdx, rcx, r8, r9 */
        uint64_t xmm[8][2];
        uint64_t rax; /* before: how many vector registers hold variable arguments; after: the result */
        uint64_t rdx;
        uint64_t xmm_result[2][2];
        uint64_t x87[2];       /* a result that is a long double */
        const uint64_t *stack; /* arguments behind those in registers */
        uintptr_t site;
        uint64_t is_x87;
};

enum listed_dir {
        LISTED_IN,
        LISTED_OUT,
        LISTED_SPECIAL,  /* a function says what is accessed */
        LISTED_STREAM,   /* a: enum listed_stream (stream.c); b: moves where the stream is read (input.c) */
        LISTED_PROGRESS, /* a loop that makes this call makes progress */
        LISTED_NOTHING,
        LISTED_ALLOCATES, /* blocks that it allocates belong to the program */
};

/* A stream is used under its lock, asked for where it is, or used without a lock. */
enum listed_stream { LISTED_LOCKS, LISTED_SEEKS, LISTED_UNLOCKED };

/* How many bytes. */
enum listed_rule {
        RULE_FIXED,   /* size */
        RULE_COUNT,   /* argument a, times size */
        RULE_PRODUCT, /* argument a, times argument b, times size */
        RULE_STRING,  /* characters of `size` bytes up to a zero, at most argument a of them */
        RULE_RESULT,  /* the result, times argument b if there is one, times size; at most argument a of them */
        RULE_PRINTED, /* the result and one more, times size; at most argument a of them */
        RULE_CHANGED, /* of a string, those bytes that have changed */
};

/* When the writes are made: what the result must be. */
enum listed_ok {
        OK_ANY,
        OK_ZERO,    /* an int: 0 */
        OK_TRUE,    /* an int that is not 0 */
        OK_NOTNEG,  /* an int of 0 or more */
        OK_POINTER, /* not NULL; a size that is not 0 */
        OK_COUNT,   /* a size that is not (size_t)-1 or -2 */
};

struct effect_row;
struct listed;
struct listed_part;
typedef void listed_special(struct listed *c, const struct listed_part *p);

struct listed_part {
        uint8_t dir, arg, rule, a, b;
        uint32_t size;
        listed_special *special;
};

struct listed_row {
        void *real;                      /* looked up at the first call */
        const struct effect_row *effect; /* likewise; NULL: it has none */
        const char *name, *real_name;
        const struct listed_part *part;
        uint16_t n;
        uint8_t ok;
        uint8_t variable; /* the argument at which variable ones begin, which becomes a va_list; LISTED_NONE: there are none */
        bool is_x87;
};

enum listed_stage { LISTED_READS, LISTED_BOUNDS, LISTED_WRITES };

/* Shared memory that a call may write. */
struct listed_saved {
        uint64_t *at;
        uint64_t other; /* before the call is checked: what was there; then what it wrote */
        uint8_t done;   /* bytes that are written again, a bit each */
};

struct listed_bound {
        uintptr_t lo, hi; /* granules, the last included */
        uint32_t first, n;
};

/* A call under way. */
struct listed {
        const struct listed_row *row;
        struct call_frame *f;
        enum listed_stage stage;
        bool too_many;
        bool tears; /* other threads have run during the call: nothing can be taken back */
        struct access_part part[LISTED_PARTS];
        unsigned n;
        struct listed_bound bound[LISTED_PARTS];
        unsigned n_bounds;
        struct listed_saved *saved; /* NULL while they are counted */
        uint32_t n_saved;
        struct thread *t;
        va_list list;      /* variable arguments, as they were before the call */
        uintptr_t kept[2]; /* what a special function wants to know later */
};

/* The n-th argument, from 0. */
static inline uint64_t listed_arg(const struct listed *c, unsigned n)
{
        return n < 6 ? c->f->gp[n] : c->f->stack[n - 6];
}

static inline void *listed_pointer(const struct listed *c, unsigned n)
{
        return (void *)listed_arg(c, n);
}

/* For special functions, in every stage: the call reads or writes these bytes.  What is not of the stage is ignored. */
void listed_range(struct listed *c, uint32_t op, const void *p, size_t n);

/* Bytes of a string of characters of `width` bytes, its end included, at most max characters. */
size_t listed_string(const void *p, size_t width, size_t max);

/* Makes a call and notes its result in the frame; x86_64/listed.S. */
void listed_make(void *real, struct call_frame *f);

/* Runs a row with the real function, or what is in its place. */
void listed_run(struct listed_row *row, struct call_frame *f) __attribute__((used));

/* The same for a wrapper, with arguments that are not floating: LISTED(name, site, argument, ...), up to six of them. */
long listed_call(struct listed_row *row, uintptr_t site, const uint64_t *arg);
#define LISTED(name, site, ...)                                                   \
        ({                                                                        \
                extern struct listed_row row_##name;                              \
                listed_call(&row_##name, site, (const uint64_t[6]){__VA_ARGS__}); \
        })
#define LISTED_POINTER(p) ((uint64_t)(uintptr_t)(p))

/* Special functions (listed_special.c, listed_format.c). */
listed_special listed_number, listed_decimal, listed_token, listed_separate, listed_line, listed_text, listed_iconv,
        listed_multibyte, listed_gather, listed_scatter, listed_address, listed_difference, listed_folded,
        listed_returned, listed_kept, listed_message, listed_ip, listed_ioctl, listed_printf, listed_scanf,
        listed_suboption;

#pragma GCC visibility pop

#endif

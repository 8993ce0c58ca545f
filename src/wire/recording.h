/*
 * The memory that `heddle record` shares with the program that it records: a header, and for each thread a ring of entries.
 *
 * Each thread writes its own ring and nothing of the others'.  The bits of a path that are in no entry yet are in a word of the
 * thread itself, whose address the thread's head has; when the program fails, a copy of every such word is taken (`last`).  The
 * memory outlives the program, however it ends.  The recorder trusts it; the reader checks all that it takes from it.
 */
#ifndef HEDDLE_WIRE_RECORDING_H
#define HEDDLE_WIRE_RECORDING_H

#include <stdint.h>

#define REC_ENV         "HEDDLE_RECORD" /* the descriptor of the memory */
#define REC_MAGIC       0x6365726cu
#define REC_MAX_THREADS 256u
#define REC_MAX_MODULES 64u
#define REC_MAX_STACK   32u
#define REC_TEXT        256u
#define REC_PATH        512u
#define REC_BITS        63u /* of a full word */
#define REC_PERIOD      8u  /* full words that repeat, at most */

enum rec_kind {
        REC_BRANCHES,
        REC_CREATE,
        REC_JOIN,
        REC_LOCK,
        REC_UNLOCK,
        REC_WAIT,
        REC_SIGNAL,
        REC_INPUT,
        REC_READ, /* the result of a call that reads from a descriptor; what it read follows */
        REC_DATA, /* eight bytes of that */
        REC_REPEAT,
        REC_KINDS
};

/* What an input is, where branches have their number of bits. */
enum rec_input {
        REC_ANY, /* of formats before 4 */
        REC_CLOCK,
        REC_RANDOM,
        REC_CALL, /* the result of a call, and what it read */
        REC_INPUTS
};

/* The word of REC_READ: the result, errno, and whether what was read follows. */
#define REC_HEAD(result, error, data) \
        ((uint64_t)(uint32_t)(result) | (uint64_t)((error)&0x7fff) << 32 | (uint64_t)(data) << 63)
#define REC_RESULT(head)  ((int32_t)(uint32_t)(head))
#define REC_ERROR(head)   ((int)((head) >> 32 & 0x7fff))
#define REC_FOLLOWS(head) ((head) >> 63)

/*
 * `word`: the bits of the path, the last one lowest; or the object of an operation; or the value of an input.
 *
 * REC_REPEAT: the full words of the entries right before it come again, over and over, `word` words in all; how many entries that
 * are is where others have their number of bits.
 */
struct rec_entry {
        uint64_t word, info;
};

/* The info of an entry: what it is, how many bits it has, the core, and the time in units of 64 ticks since the start; no core
 * and time 0: not read here, but soon after. */
#define REC_INFO(kind, bits, core, time) \
        ((uint64_t)(kind) | (uint64_t)(bits) << 4 | (uint64_t)(core) << 10 | (uint64_t)(time) << 20)
#define REC_KIND(info)  ((uint32_t)((info)&15))
#define REC_COUNT(info) ((uint32_t)((info) >> 4 & 63))
#define REC_CORE(info)  ((uint32_t)((info) >> 10 & 1023))
#define REC_TIME(info)  ((info) >> 20)

/* The bits of the path that an entry stands for. */
static inline uint64_t rec_bits(const struct rec_entry *e)
{
        return REC_KIND(e->info) == REC_REPEAT     ? e->word * REC_BITS
               : REC_KIND(e->info) == REC_BRANCHES ? REC_COUNT(e->info)
                                                   : 0;
}

enum rec_state { REC_UNUSED, REC_RUNS, REC_ENDED };

struct rec_thread {
        uint32_t state;  /* enum rec_state */
        uint32_t parent; /* its number, and the how-manieth child of it this is, from 1; of main: 0, 0 */
        uint32_t nth;
        uint32_t taken;                  /* zeros that its word has before its bits, behind the first 1 */
        uint32_t busy;                   /* it is writing an entry */
        uint64_t n;                      /* entries written */
        uint64_t bits;                   /* in all entries that were written */
        uint64_t word_at;                /* the address of its word */
        uint64_t last;                   /* its word when the program failed ... */
        uint64_t last_n;                 /* ... after so many entries; UINT64_MAX: no copy was taken */
        uint64_t last_bits, last_repeat; /* ... the bits in them, and the word of the last one */
} __attribute__((aligned(128)));

enum rec_failure { REC_NONE, REC_ASSERTION, REC_CRASH, REC_ABORT, REC_EXIT, REC_HANG, REC_DUMP };

struct rec_module {
        uint64_t base;
        char path[REC_PATH];
};

struct rec_memory {
        uint32_t magic;
        uint32_t ring;      /* entries of one thread: a power of two */
        uint32_t jitter;    /* the seed of delays, 0: none */
        uint32_t attached;  /* the recorder is there */
        uint32_t n_threads; /* that were started; only the first REC_MAX_THREADS are recorded */
        uint32_t n_modules;
        uint32_t failed; /* somebody reports a failure: the first one counts */
        uint32_t dumps;  /* asked for ... */
        uint32_t dumped; /* ... and written */
        uint64_t start;  /* ticks */

        /* The failure. */
        uint32_t kind; /* enum rec_failure */
        uint32_t thread;
        uint32_t signal, line;
        uint64_t address; /* of a crash */
        uint32_t n_stack;
        uint64_t stack[REC_MAX_STACK]; /* innermost first */
        char condition[REC_TEXT], file[REC_TEXT], function[REC_TEXT];

        struct rec_module modules[REC_MAX_MODULES];
        struct rec_thread threads[REC_MAX_THREADS];
        struct rec_entry entries[]; /* `ring` of each thread */
};

static inline uint64_t rec_size(uint32_t ring)
{
        return sizeof(struct rec_memory) + (uint64_t)REC_MAX_THREADS * ring * sizeof(struct rec_entry);
}

#endif

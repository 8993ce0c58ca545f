/*
 * A recording: what `heddle record` keeps of a run that failed, in memory and in a file (docs/FORMATS.md).
 *
 * recording_read() is the only door for files: it bounds every count and index, so that others may follow them without asking.
 */
#ifndef HEDDLE_RECORD_RECORDING_H
#define HEDDLE_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/stream.h"
#include "wire/recording.h"

#define RECORDING_VERSION   4u
#define RECORDING_TYPED     4u /* since this format inputs have a kind */
#define RECORDING_MAX_INPUT (1u << 24)

struct recorded_thread {
        uint32_t parent, nth; /* as in struct rec_thread */
        uint32_t state;       /* enum rec_state, at the failure */
        uint64_t lost;        /* bits before the first entry */
        uint64_t lost_entries;
        struct rec_entry *entries;
        uint32_t n;
};

struct recording {
        uint32_t format;
        char *heddle; /* the version that wrote it */
        char *program, *folder;
        char **argv, **env; /* each ends with NULL */
        char *input;        /* what it could read from standard input, NULL: nothing */
        uint32_t n_input;
        uint32_t fingerprint;
        uint32_t started; /* threads; the first ones of them were recorded */
        uint32_t jitter;
        uint32_t rate;       /* units of the times of entries, in a millisecond; 0: not known */
        uint32_t processors; /* that were online; 0: not known */

        uint32_t failure; /* enum rec_failure */
        uint32_t failing; /* thread; UINT32_MAX: none of the recorded */
        uint32_t signal;  /* or the exit status */
        uint32_t line;
        uint64_t address;
        char *condition, *file, *function;
        uint64_t stack[REC_MAX_STACK];
        uint32_t n_stack;

        struct rec_module *modules;
        uint32_t n_modules;
        struct recorded_thread *threads;
        uint32_t n_threads;
};

void recording_fini(struct recording *r);

/* 0, or -1: out of memory, or errno. */
MUST_CHECK int recording_write(const struct recording *r, FILE *f);

/* Does a file begin as recordings do? */
bool recording_is(const char *path);

/* 0, or -1 with the reason in `why`; recording_fini() is due in both cases. */
MUST_CHECK int recording_read(struct recording *r, FILE *f, struct error *why);

/* The same without head and hash: `s` has the rest of a file of this format, and is read to its end. */
MUST_CHECK int recording_decode(struct recording *r, struct stream *s, uint32_t format, struct error *why);

/* The kind of the failure, as reports name it. */
const char *recording_kind(const struct recording *r);

/* Is an entry one that can be, behind those before it? */
bool recording_sane_entry(const struct rec_entry *entries, uint32_t number);

/* Bits of a thread's path that are known. */
uint64_t recording_bits(const struct recorded_thread *t);

#endif

/*
 * Where the jobs of a search on many machines are kept: a shared directory (spool.c) or Redis (redis.c).
 *
 * One process coordinates (remote.c), any number of others take jobs (remote_worker.c).  All of them may end at any moment.  The
 * store holds: the head (whose search it is), the coordinator's state, what it tells everybody, what is known of the program, jobs,
 * results, and what workers tell of themselves.  Invariants that make this safe:
 *
 *   - a blob is replaced as a whole, and what is read is what one process wrote;
 *   - a job that a worker has taken is given to another one if the worker does not renew its lease;
 *   - of several results of one job the first one stays;
 *   - the state is stored before jobs that are new in it are published and results that it contains are removed.  So after a
 *     restart each job of the state has a result, is there, or is published again, and a result of a job that is not in the state
 *     is of no use.  Ids of jobs are never used twice.
 */
#ifndef HEDDLE_PARALLEL_STORE_JOBSTORE_H
#define HEDDLE_PARALLEL_STORE_JOBSTORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/stream.h"

/* Blobs with a name. */
enum jobstore_blob {
        BLOB_HEAD,  /* struct remote_head, then words (remote_format.h) */
        BLOB_STATE, /* the coordinator's */
        BLOB_TOLD,  /* struct remote_told */
        BLOB_WORLD, /* the generation, then what is known of the program (engine/knowledge.h) */
        BLOBS
};

struct jobstore;

/* Functions answer 0 or 1, as said, or -1 with `why` in the store: it cannot be reached, or is out of order. */
struct jobstore_ops {
        void (*close)(struct jobstore *s);
        /* Is the caller the coordinator?  1: for `lease` seconds from now on; 0: another one is. */
        int (*lead)(struct jobstore *s, double lease);
        /* 1: it is there, 0: it is not. */
        int (*get)(struct jobstore *s, enum jobstore_blob which, struct stream *body);
        int (*put)(struct jobstore *s, enum jobstore_blob which, const struct stream *body);
        /* Publishes a job, unless it is there.  Jobs whose lease is over are free again. */
        int (*publish)(struct jobstore *s, uint64_t id, const struct stream *body);
        int (*expire)(struct jobstore *s, double lease);
        /* The next result that was not read yet since the last `rewind`: 1, or 0: there is none now. */
        int (*result)(struct jobstore *s, uint64_t *id, struct stream *body);
        void (*rewind)(struct jobstore *s);
        /* The job is not needed any more, nor is its result. */
        int (*remove)(struct jobstore *s, uint64_t id);
        /* Removes all but BLOB_TOLD, and what workers have reported. */
        int (*clear)(struct jobstore *s);
        /* Workers: the next job, 1, or 0: there was none for so long; the lease is renewed; a result, which ends it. */
        int (*take)(struct jobstore *s, uint64_t *id, struct stream *body, double seconds);
        int (*renew)(struct jobstore *s, uint64_t id);
        int (*answer)(struct jobstore *s, uint64_t id, const struct stream *body);
        /* What a worker tells of itself; f() gets the words of each that did so in the last `seconds`. */
        int (*tell)(struct jobstore *s, const struct stream *body);
        int (*workers)(struct jobstore *s, double seconds, void (*f)(void *arg, const char *name, struct stream *body),
                       void *arg);
        /* The coordinator alone: waits until there may be a result, at most so long.  0 or -1. */
        int (*wait)(struct jobstore *s, double seconds);
};

struct jobstore {
        const struct jobstore_ops *ops;
        double lease;    /* of jobs, in seconds; set by its user, and so is ... */
        uint64_t search; /* a hash of whose search it is */
        bool renewed;    /* the connection was lost meanwhile: what was written last may be lost; reset by its user */
        struct error why;
};

const char *jobstore_blob_name(enum jobstore_blob which);

/* What else is sealed. */
enum { SEALED_JOB = BLOBS, SEALED_RESULT, SEALED_FIGURES };

/* Blobs have a hash at their beginning, so that a damaged one is noticed, and one in the place of another: the hash depends on the
 * search, on what it is, and on the id of the job.  A reader that does not know the search yet gives NULL; so do writers for it. */
void jobstore_seal(struct stream *out, const struct stream *body, const struct jobstore *s, uint32_t what, uint64_t id);
bool jobstore_unseal(struct stream *body, const struct jobstore *s, uint32_t what, uint64_t id);

/* Is the process of this name one of this machine, and gone? */
bool jobstore_gone(const char *name);

void jobstore_nap(double seconds);

/* `wait` of a store that nobody wakes. */
int jobstore_wait(struct jobstore *s, double seconds);

/* The name of this process among all: its machine, number and start. */
const char *jobstore_self(void);

#endif

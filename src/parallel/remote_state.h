/* The state of a search on many machines (remote.c), and what answers do to it: no interface for others. */
#ifndef HEDDLE_PARALLEL_REMOTE_STATE_H
#define HEDDLE_PARALLEL_REMOTE_STATE_H

#include <errno.h>
#include <sys/types.h>

#include "base/vec.h"
#include "engine/loop.h"
#include "engine/session.h"
#include "parallel/store/jobstore.h"
#include "parallel/jobtree.h"
#include "parallel/remote_format.h"

struct remote_job {
        uint64_t id; /* 0: it is not to be published yet */
        uint64_t quota;
        struct stream task;
        struct jobtree_place place;
        bool published;
};

struct remote {
        struct session *s;
        struct strategy *strategy;
        struct jobstore *store;
        struct jobtree tree;
        VEC(struct remote_job) jobs;
        VEC(uint64_t) used; /* jobs whose answers are in the state that is stored next */
        uint32_t generation;
        uint64_t epoch, next;    /* ids of jobs */
        uint32_t n_known, want;  /* workers that tell something; jobs that they would take */
        struct remote_told last; /* what they were given last */
        double lease, looked, told, restarted, heard;
        pid_t *workers;     /* of this process */
        struct error *whys; /* shared with them: why one of them has ended with 2 */
        uint32_t n_workers;
        bool ended; /* an answer ends the search; when it was found */
        double failed;
        bool replaced; /* another strategy has taken the place of the one that was asked for */
        struct stream body, sealed;
};

enum remote_heard {
        HEARD_UNKNOWN, /* of no use */
        HEARD_TAKEN,
        HEARD_GREW,
        HEARD_DAMAGED, /* it does not count: the job is to be done again */
};

/* A job more; the whole search as one.  false: out of memory. */
bool remote_add(struct remote *r, const struct stream *task, const struct jobtree_place *place);
bool remote_add_all(struct remote *r);
void remote_drop(struct remote *r);
void remote_fini(struct remote *r);

/* Takes up what is in the store, or begins: the head and the world are written.  RUN_OK or below 0. */
MUST_CHECK int remote_begin(struct remote *r);
MUST_CHECK int remote_put_head(struct remote *r);
MUST_CHECK int remote_put_world(struct remote *r);

/* The state for the store, and for --save. */
void remote_save(struct remote *r, struct stream *out);
void remote_checkpoint(struct remote *r, struct stream *out);

/* An answer to a job.  *e: below 0 if it cannot be, or ends everything. */
enum remote_heard remote_hear(struct remote *r, uint64_t id, struct stream *body, int *e);

#endif

/*
 * The sets of preemption points of deepen.c: which there are, and whose turn it is.
 */
#ifndef HEDDLE_STRATEGY_DEEPENING_DEEPEN_SETS_H
#define HEDDLE_STRATEGY_DEEPENING_DEEPEN_SETS_H

#include "base/stream.h"
#include "strategy/strategy.h"

#define DEEPEN_PATIENCE 32 /* executions before a job may be suspended */

/* A race as far as sets depend on it. */
struct deepen_race {
        uint64_t site[2];
        uint8_t kind[2];
        uint8_t first, orders; /* RACE_* */
        uint8_t idle;          /* nothing depends on what its accesses read or write (--static) */
};

struct deepen_job {
        struct point_set set; /* its sites ascend */
        enum point_set_state state;
        bool both;              /* its race was seen in both orders: tried before others of its size */
        bool idle;              /* nothing depends on its last place: tried after others of its size */
        bool proof;             /* added for being maximal; once it is not any more, it is ... */
        bool superseded;        /* ... dropped, and not reported */
        bool to_end;            /* failures do not end it */
        bool begun;             /* by several workers, which have what is left of it */
        bool running;           /* a worker explores it now */
        uint64_t begun_at;      /* runs when its turn began */
        uint32_t round;         /* turns that it has had */
        uint64_t turn;          /* executions at which the present one ends */
        uint64_t runs;          /* executions, redundant ones included */
        double seconds;         /* that they took */
        double eta;             /* seconds; when it was asked for last */
        VEC(uint8_t) noted;     /* of each race: the orders that jobs were added for because this one shows it */
        struct strategy *inner; /* of a lone explorer: the search; NULL: not begun, or over */
        struct estimate estimate;
        bool resumed; /* the estimate does not know it from its beginning */
};

struct deepen_jobs {
        VEC(struct deepen_job *) all; /* each owned */
        VEC(uint64_t) sites;          /* of all races: the maximal set, ascending */
        VEC(struct deepen_race) races;
        uint32_t last_id;
        uint64_t runs, proof_runs; /* of all jobs, and of those that go for the proof */
        double started, limit;     /* of the time that is planned for: from when it is asked first (`timed`) */
        bool timed;
        bool open;   /* no --time: it grows */
        bool proven; /* the maximal set is done */
};

/* seconds: the budget; 0: none.  false: out of memory. */
bool deepen_jobs_init(struct deepen_jobs *p, double seconds);
/* As after init, but for the clock. */
bool deepen_jobs_reset(struct deepen_jobs *p);
/* No sets at all. */
void deepen_jobs_clear(struct deepen_jobs *p);
void deepen_jobs_fini(struct deepen_jobs *p);

/* Algorithm 2: an execution of the job shows the race; `hint` is its likely number in p->races.  0, -ENOMEM or -E2BIG: more
 * places than the wire holds. */
int deepen_jobs_raced(struct deepen_jobs *p, struct deepen_job *j, uint32_t hint, const struct deepen_race *r);

/* The job whose turn it is at this time, of those that no worker runs; NULL: none (and `proven`, or others run), or out of
 * memory (*failed). */
struct deepen_job *deepen_jobs_pick(struct deepen_jobs *p, double now, bool *failed);

/* Algorithm 3: the job has had its turn.  true: it takes too long, and another one is better, so it is suspended. */
bool deepen_jobs_suspend(struct deepen_jobs *p, struct deepen_job *j, double now);

bool deepen_jobs_maximal(const struct deepen_jobs *p, const struct deepen_job *j);
/* The maximal set is the right one again.  false: out of memory. */
bool deepen_jobs_renew(struct deepen_jobs *p);
void deepen_jobs_spent(struct deepen_jobs *p, struct deepen_job *j, uint64_t runs, double seconds);
/* One more execution; true: its turn is over. */
bool deepen_jobs_ran(struct deepen_jobs *p, struct deepen_job *j, double seconds);
/* It is explored, and so are its parts; it fails, and those that contain it are cancelled. */
void deepen_jobs_done(struct deepen_jobs *p, struct deepen_job *j);
void deepen_jobs_failed(struct deepen_jobs *p, struct deepen_job *j);

struct deepen_job *deepen_jobs_find(const struct deepen_jobs *p, uint32_t id);

/* In a stream, searches under way included (deepen_state.c).  load: 0, or -EINVAL; then they are as after reset. */
void deepen_jobs_save(const struct deepen_jobs *p, struct stream *out);
int deepen_jobs_load(struct deepen_jobs *p, struct stream *in);
/* For load: a job with these sites, which must ascend; NULL without memory. */
struct deepen_job *deepen_jobs_add(struct deepen_jobs *p, uint32_t classes, const uint64_t *sites, uint32_t n);

#endif

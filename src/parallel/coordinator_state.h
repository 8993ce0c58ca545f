/*
 * The state of coordinator.c, shared with what stores it (coordinator_state.c): no interface for others.
 */
#ifndef HEDDLE_PARALLEL_COORDINATOR_STATE_H
#define HEDDLE_PARALLEL_COORDINATOR_STATE_H

#include <sys/types.h>

#include "parallel/jobtree.h"
#include "parallel/message.h"
#include "engine/session.h"
#include "strategy/strategy.h"
#include "parallel/worker.h"

struct job {
        pid_t pid;
        struct messages messages;
        bool busy, ended;
        bool parked; /* busy, but at the limit of --executions */
        struct jobtree_place place;
        bool recalled;   /* MESSAGE_RECALL was sent for this task */
        uint64_t before; /* executions of the worker that the plan knows of ... */
        double since;    /* ... up to then */
        bool has_answered;
        struct stream state; /* its MESSAGE_STATE, while saving */
};

/* A task that no worker has yet: the beginning, or one of the workers that stored the exploration. */
struct put_off {
        struct stream task;
        struct jobtree_place place;
};

enum coordinator_saving {
        SAVE_NOT,
        SAVE_NOW,          /* all workers are asked where they are, and wait */
        SAVE_LAST,         /* ... and will end */
        SAVE_WRITTEN_LAST, /* the last one is written */
};

struct coordinator {
        struct session *s;
        struct strategy *strategy;
        struct job *all;
        uint32_t n;
        struct jobs_shared *shared;
        struct jobtree tree;
        VEC(struct put_off) put_off;
        struct stream body; /* scratch */
        uint32_t generation;
        enum coordinator_saving saving;
        double planned; /* when searches_look() had a look last */
        uint64_t why;   /* the limits that were reached: a set of reasons */
        bool stopping;
        int status; /* RUN_OK, or why it failed */
};

/* A task for later, and the next one of those, into j->body.  false: out of memory; there is none. */
bool coordinator_put_off(struct coordinator *j, const struct stream *task, const struct jobtree_place *place);
bool coordinator_take_up(struct coordinator *j, struct jobtree_place *place);
/* All of them are dropped. */
void coordinator_drop(struct coordinator *j);

/* Begins to store the exploration: everybody is asked, and nothing is handed out until all have reported.  With `last` the
 * workers do not continue afterwards. */
void coordinator_save(struct coordinator *j, bool last);
/* A worker has reported where it is (in j->body); the last one completes the file.  0, or -1: it is malformed. */
int coordinator_take_state(struct coordinator *j, struct job *job);
/* Strategies that are several searches (coordinator_searches.c); all of them do nothing for others.  What was begun alone becomes tasks;
 * false: out of memory.  A task that begins a search, into j->body: false: there is none, and memory may be out.  The set that
 * belongs to the task in j->body. */
void searches_init(struct coordinator *j);
bool searches_start(struct coordinator *j);
bool searches_pick(struct coordinator *j, struct jobtree_place *place, bool *failed);
void searches_put_set(struct coordinator *j, uint32_t search);
/* A worker sent news, gave its task back, or is done with it.  0, or -1: it is malformed. */
int searches_news(struct coordinator *j, struct job *job);
int searches_returned(struct coordinator *j, struct job *job);
void searches_done(struct coordinator *j, struct job *job);
/* Now and then: are there better searches to be explored? */
void searches_look(struct coordinator *j);
bool searches_proven(const struct coordinator *j);

/* Of a strategy that is not a tree: a part for each of n workers.  false: out of memory. */
bool coordinator_put_parts(struct coordinator *j, uint32_t n);

/* Everything is explored within a limit (engine/fairness.h).  true: there is a larger one. */
bool coordinator_more_rounds(struct coordinator *j);

/* Takes up what was stored.  false: it is malformed, or out of memory. */
bool coordinator_load(struct coordinator *j, struct stream *in);

#endif

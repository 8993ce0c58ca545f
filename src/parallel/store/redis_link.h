/* The connection of a store of jobs to its Redis server. */
#ifndef HEDDLE_PARALLEL_STORE_REDIS_LINK_H
#define HEDDLE_PARALLEL_STORE_REDIS_LINK_H

#include <hiredis/hiredis.h>

#include "parallel/store/jobstore.h"
#include "parallel/store/redis_url.h"

struct redis_link {
        struct jobstore *store; /* gets reasons, and `renewed` */
        redisContext *c;        /* NULL: not connected */
        struct redis_url url;
        double said; /* when the user last read that the server is away */
};

/* One attempt.  0, or -1 with a reason. */
int redis_link_open(struct redis_link *l);
void redis_link_close(struct redis_link *l);

/* A command of n words, which may be sent more than once.  NULL with a reason: the server refuses, or is away for too long. */
redisReply *redis_link_ask(struct redis_link *l, int n, const char **words, const size_t *sizes);

#endif

/* The address of a search in a Redis server. */
#ifndef HEDDLE_PARALLEL_STORE_REDIS_URL_H
#define HEDDLE_PARALLEL_STORE_REDIS_URL_H

#include <stdbool.h>

struct redis_url {
        bool tls; /* rediss */
        char user[128], password[256], host[256], name[128];
        int port;
};

/* redis[s]://[user:password@]host[:port]/name, where the name has letters, digits, '.', '_' and '-'.  false: it is malformed. */
bool redis_url_parse(struct redis_url *r, const char *url);

#endif

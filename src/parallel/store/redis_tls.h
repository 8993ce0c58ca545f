/* TLS for redis.c, where the installed hiredis has it. */
#ifndef HEDDLE_PARALLEL_STORE_REDIS_TLS_H
#define HEDDLE_PARALLEL_STORE_REDIS_TLS_H

struct redisContext;

/* The connection speaks TLS from now on, and the server's certificate is checked.  0, or -1. */
int redis_tls_begin(struct redisContext *c, const char *host);

#endif

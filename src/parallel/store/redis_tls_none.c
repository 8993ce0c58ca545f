/* redis.c without TLS: the installed hiredis has none. */
#include "parallel/store/redis_tls.h"

int redis_tls_begin(struct redisContext *c, const char *host)
{
        (void)c, (void)host;
        return -1;
}

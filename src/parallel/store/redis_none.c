/* redis.c where hiredis is not installed. */
#include "parallel/store/redis.h"

#include <stddef.h>

struct jobstore *redis_open(const char *url, struct error *why)
{
        (void)url;
        error_set(why, ERROR_USAGE,
                  "--cluster: this heddle was built without hiredis; install libhiredis-dev and build it again, or use "
                  "--spool DIR");
        return NULL;
}

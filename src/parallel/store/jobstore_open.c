/* Which store an address means. */
#include "parallel/store/jobstore_open.h"

#include <string.h>

#include "parallel/store/redis.h"
#include "parallel/store/spool.h"

struct jobstore *jobstore_open(const char *url, struct error *why)
{
        if (!strncmp(url, "redis://", 8) || !strncmp(url, "rediss://", 9))
                return redis_open(url, why);
        if (strstr(url, "://")) {
                error_set(why, ERROR_USAGE,
                          "%.200s is not the address of a search: give a directory, or "
                          "redis://[USER:PASSWORD@]HOST[:PORT]/NAME",
                          url);
                return NULL;
        }
        return spool_open(url, why);
}

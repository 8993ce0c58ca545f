/* Addresses: what is not understood is refused. */
#include "parallel/store/redis_url.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PORT 6379

static bool is_name(const char *name)
{
        for (const char *p = name; *p; p++)
                if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
                        return false;
        return *name != 0;
}

bool redis_url_parse(struct redis_url *r, const char *url)
{
        const char *at, *slash, *colon;

        *r = (struct redis_url){0};
        r->tls = !strncmp(url, "rediss", 6);
        url += r->tls ? 9 : 8;
        at = strrchr(url, '@');
        if (at) {
                colon = memchr(url, ':', (size_t)(at - url));
                if (!colon || (size_t)(colon - url) >= sizeof r->user || (size_t)(at - colon) > sizeof r->password)
                        return false;
                memcpy(r->user, url, (size_t)(colon - url));
                memcpy(r->password, colon + 1, (size_t)(at - colon - 1));
                url = at + 1;
        }
        slash = strchr(url, '/');
        if (!slash || !is_name(slash + 1) || strlen(slash + 1) >= sizeof r->name)
                return false;
        snprintf(r->name, sizeof r->name, "%s", slash + 1);
        colon = memchr(url, ':', (size_t)(slash - url));
        r->port = colon ? atoi(colon + 1) : DEFAULT_PORT;
        colon = colon ? colon : slash;
        if (colon == url || (size_t)(colon - url) >= sizeof r->host || r->port < 1 || r->port > 65535)
                return false;
        memcpy(r->host, url, (size_t)(colon - url));
        return true;
}

/* TLS: hiredis_ssl with the certificates of the system. */
#include "parallel/store/redis_tls.h"

#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>
#include <stddef.h>

int redis_tls_begin(struct redisContext *c, const char *host)
{
        static redisSSLContext *context;
        redisSSLContextError e = REDIS_SSL_CTX_NONE;

        if (!context) {
                redisInitOpenSSL();
                context = redisCreateSSLContext(NULL, "/etc/ssl/certs", NULL, NULL, host, &e);
        }
        return context && redisInitiateSSLWithContext(c, context) == REDIS_OK ? 0 : -1;
}

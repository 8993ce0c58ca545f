/* Thread-local variables, large and small, and keys with destructors. */
#include "restore.h"

#include <errno.h>

static __thread int small = 5;
static __thread char large[20000];
static pthread_key_t key;
static int destroyed;

static void destroy(void *p)
{
        free(p);
        __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
}

static void odd(long n)
{
        assert(small == 5 && large[19999] == 0 && errno == 0);
        small += (int)n + 1;
        memset(large, 1, sizeof large);
        errno = 99;
        assert(!pthread_getspecific(key));
        pthread_setspecific(key, malloc(10));
}

int main(void)
{
        pthread_key_create(&key, destroy);
        restore_run();
        assert(small == 5 && large[0] == 0 && destroyed == 2);
        small = 6;
        memset(large, 2, sizeof large);
        return 0;
}

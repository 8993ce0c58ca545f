/* Two readers and a writer, as in table 7 of the McMini paper. */
#include <assert.h>
#include <pthread.h>

#include "rpref.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
        rpref_read_lock(&lock);
        assert(a == b);
        rpref_unlock(&lock, 0);
        return arg;
}

static void *writer(void *arg)
{
        rpref_write_lock(&lock);
        a++;
        b++;
        rpref_unlock(&lock, 1);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, reader, NULL);
        pthread_create(&t[1], NULL, reader, NULL);
        pthread_create(&t[2], NULL, writer, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}

/* An execution of about ten thousand entries that fails at its end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *bump(void *arg)
{
        (void)arg;
        for (int i = 0; i < 3300; i++)
                atomic_fetch_add(&count, 1);
        return NULL;
}

int main(void)
{
        pthread_t t[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], NULL, bump, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        assert(count < 9900);
        return 0;
}

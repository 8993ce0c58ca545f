/* Some executions print, and one fails: not the first ones. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x[4];

static void *add(void *arg)
{
        (void)arg;
        for (int i = 0; i < 4; i++)
                atomic_fetch_add(&x[i], i + 1);
        return NULL;
}

static void *look(void *arg)
{
        int sum = 0;

        (void)arg;
        for (int i = 3; i >= 0; i--)
                sum += atomic_load(&x[i]);
        if (sum > 6)
                printf("%d\n", sum);
        assert(sum != 10);
        return NULL;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, look, NULL);
        pthread_create(&t[1], NULL, add, NULL);
        pthread_create(&t[2], NULL, add, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}

/*
 * N deposits and one withdrawal, each a load of the balance and then a store: ((N+1)!)^2 behaviours.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int balance;

static void *transact(void *arg)
{
        int amount = *(int *)arg;
        int seen = atomic_load(&balance);

        atomic_store(&balance, seen + amount);
        return NULL;
}

int main(void)
{
        static int deposit = 1, withdrawal = -1;
        pthread_t threads[N + 1];

        for (int i = 0; i <= N; i++)
                pthread_create(&threads[i], NULL, transact, i < N ? &deposit : &withdrawal);
        for (int i = 0; i <= N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}

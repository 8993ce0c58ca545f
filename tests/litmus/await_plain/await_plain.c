/* An atomic load waits for a value that never comes, and the object is also written without atomics: the load is in a data race, though
 * no execution in which it waits shows it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *waiter(void *arg)
{
        while (atomic_load(&flag) != 2)
                ;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, waiter, NULL);
        *(int *)&flag = 1;
        exit(0);
}

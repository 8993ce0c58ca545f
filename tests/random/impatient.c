/* A loop that spin detection does not recognise, because it counts its rounds: the thread in it must not starve the one
 * that it waits for.  YIELD: it asks for others to go first. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *waiter(void *arg)
{
        while (!flag) {
                atomic_fetch_add(&rounds, 1);
#ifdef YIELD
                sched_yield();
#endif
        }
        return arg;
}

static void *setter(void *arg)
{
        flag = 1;
        return arg;
}

int main(void)
{
        pthread_t t[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], NULL, i == 1 ? setter : waiter, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}

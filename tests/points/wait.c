/* A thread waits in a loop for another, by plain memory, with a yield, or by an exchange: wherever it is not to be preempted
 * it must wait all the same, and that is not a failure. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile int flag;
static atomic_int door = 1;
static int data;

static void pass(void)
{
#if defined(EXCHANGE)
        while (atomic_exchange(&door, 1))
                ;
#elif defined(YIELD)
        while (!flag)
                sched_yield();
#else
        while (!flag)
                ;
#endif
}

static void *run(void *arg)
{
        pass();
        assert(data == 1);
        return arg;
}

static void publish(void)
{
        data = 1;
        flag = 1;
        atomic_store(&door, 0);
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, run, NULL);
        publish();
        pthread_join(t, NULL);
        return 0;
}

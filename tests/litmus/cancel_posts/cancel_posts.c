/* Who asks for the end then brings what the thread waits for: that has come at its point, but not without the request. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t sem;
static int ends[2];
static pthread_t last;
static volatile int seen;
int cancelled;

static void *waiter(void *arg)
{
        char byte;

        seen++; /* as main does: a step of its own before the point */
#if POINT == 1
        sem_wait(&sem);
#elif POINT == 2
        read(ends[0], &byte, 1);
#else
        pthread_join(last, NULL);
#endif
        (void)byte;
        return arg;
}

static void *ender(void *arg)
{
        sem_wait(&sem);
        return arg;
}

int main(void)
{
        pthread_t thread;
        void *value;

        sem_init(&sem, 0, 0);
        if (pipe(ends) || pthread_create(&last, NULL, ender, NULL) || pthread_create(&thread, NULL, waiter, NULL))
                return 1;
        pthread_cancel(thread);
        seen++;
        sem_post(&sem);
        write(ends[1], "", 1);
        pthread_join(thread, &value);
        cancelled = value == PTHREAD_CANCELED;
        sem_post(&sem);
        return 0;
}

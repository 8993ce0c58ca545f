/* A thread joins where a signal would have come: that was the step of the tree that the signal made. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static pthread_t receiver, a;
static sem_t s;

static void handler(int sig)
{
        (void)sig;
}

static void *sends(void *arg)
{
        struct timespec later = {4000000000, 0};

        pthread_kill(receiver, SIGUSR1);
        sem_timedwait(&s, &later);
        return arg;
}

static void *interrupts(void *arg)
{
        pthread_kill(a, SIGUSR1);
        return arg;
}

static void *posts(void *arg)
{
        sem_post(&s);
        return arg;
}

int main(void)
{
        pthread_t b, c;

        receiver = pthread_self();
        signal(SIGUSR1, handler);
        sem_init(&s, 0, 1);
        pthread_create(&a, NULL, sends, NULL);
        pthread_create(&b, NULL, interrupts, NULL);
        pthread_create(&c, NULL, posts, NULL);
        pthread_join(c, NULL);
        pthread_join(b, NULL);
        pthread_join(a, NULL);
        return 0;
}

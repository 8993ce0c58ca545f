/* A join that waits in some executions only, among signals: a sequence to be run has it as a step, or not. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

int n;
static int x;
static pthread_t main_thread, first, second;
static sem_t s;

static void handler(int sig)
{
        (void)sig;
        n = n * 10 + x;
}

static void *waits(void *arg)
{
        struct timespec later = {4000000000, 0};

        sem_timedwait(&s, &later);
        return arg;
}

static void *sends(void *arg)
{
        x = 1;
        pthread_kill(first, SIGUSR1);
        return arg;
}

static void *sends_two(void *arg)
{
        pthread_kill(second, SIGUSR1);
        pthread_kill(main_thread, SIGUSR1);
        return arg;
}

int main(void)
{
        pthread_t third;

        main_thread = pthread_self();
        signal(SIGUSR1, handler);
        sem_init(&s, 0, 0);
        pthread_create(&first, NULL, waits, NULL);
        pthread_create(&second, NULL, sends, NULL);
        pthread_create(&third, NULL, sends_two, NULL);
        pthread_join(third, NULL);
        pthread_join(second, NULL);
        pthread_join(first, NULL);
        return 0;
}

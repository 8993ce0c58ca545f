/* Two signals of one number: while the first one waits to be accepted the second one makes no difference, so the handler can interrupt the
 * wait before it is sent, too. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

int x, count;
static sem_t s;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        count++;
}

static void *waits(void *arg)
{
        sem_wait(&s);
        return arg;
}

static void *sends(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        pthread_kill(receiver, SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        sem_init(&s, 0, 0);
        pthread_create(&receiver, NULL, waits, NULL);
        pthread_create(&t, NULL, sends, NULL);
        x = 2;
        sem_post(&s);
        pthread_join(t, NULL);
        pthread_join(receiver, NULL);
        return 0;
}

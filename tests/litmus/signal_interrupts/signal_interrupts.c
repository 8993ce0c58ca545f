/* A wait that a handler interrupts ends with EINTR unless the action says SA_RESTART; the sender posts after it has sent. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#ifndef FLAGS
#define FLAGS 0
#endif

int result;
static sem_t s;
static int p[2];
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
}

static void *send(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        if (PIPE)
                (void)!write(p[1], "x", 1);
        else
                sem_post(&s);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler, .sa_flags = FLAGS};
        pthread_t t;
        char c;

        sigaction(SIGUSR1, &sa, NULL);
        sem_init(&s, 0, 0);
        if (pipe(p))
                return 1;
        receiver = pthread_self();
        pthread_create(&t, NULL, send, NULL);
        errno = 0;
        result = PIPE ? (int)read(p[0], &c, 1) : sem_wait(&s) + 1;
        if (result < 1)
                result = -errno;
        pthread_join(t, NULL);
        return 0;
}

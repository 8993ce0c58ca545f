/* Handlers inside a wait on a condition variable, a poll, and a busy wait; a signal to the process that main blocks. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int polled, n, who;
static volatile sig_atomic_t done;
static int go, p[2], q[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t waiter;

static void count(int sig)
{
        (void)sig;
        n++;
}

static void finish(int sig)
{
        (void)sig;
        who = pthread_equal(pthread_self(), waiter) ? 1 : 2;
        done = 1;
}

static void into_pipe(int sig)
{
        (void)sig;
        (void)!write(p[1], "x", 1);
}

static void *wait_cond(void *arg)
{
        pthread_mutex_lock(&m);
        while (!go)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *wait_poll(void *arg)
{
        struct pollfd f[2] = {{p[0], POLLIN, 0}, {q[0], POLLIN, 0}};
        int r = poll(f, 2, -1);

        polled = r < 0 ? -errno : (f[0].revents ? 1 : 0) + (f[1].revents ? 2 : 0);
        return arg;
}

static void *spin(void *arg)
{
        while (!done) {
        }
        return arg;
}

int main(void)
{
        void (*const handlers[])(int) = {count, into_pipe, finish};
        void *(*const bodies[])(void *) = {wait_cond, wait_poll, spin};
        struct sigaction sa = {.sa_handler = handlers[CASE]};
        sigset_t set;

        sigaction(SIGTERM, &sa, NULL);
        if (pipe(p) || pipe(q))
                return 1;
        pthread_create(&waiter, NULL, bodies[CASE], NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        kill(getpid(), SIGTERM);
        if (CASE == 1)
                (void)!write(q[1], "y", 1);
        pthread_mutex_lock(&m);
        go = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        pthread_join(waiter, NULL);
        return 0;
}

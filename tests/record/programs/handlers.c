/* A timer interrupts a thread that computes: the branches of its handler are none of the thread's path. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#define ROUNDS 400000

static volatile sig_atomic_t ticks, odd;
static volatile unsigned result;
static int x;

static void on_tick(int sig)
{
        (void)sig;
        ticks++;
        for (int i = 0; i < ticks % 50; i++)
                if (i * ticks % 3)
                        odd++;
}

static __attribute__((noinline)) unsigned mix(unsigned a, unsigned b)
{
        return a * 31 ^ b;
}

static void *work(void *arg)
{
        unsigned n = 1, sum = 0;
        int v;

        for (int i = 0; i < ROUNDS; i++) {
                n = n * 1664525u + 1013904223u;
                if (n >> 31)
                        sum = mix(sum, n);
        }
        result = sum;
        v = x;
        x = v + 1;
        return arg;
}

int main(void)
{
        struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
        pthread_t a, b;

        signal(SIGALRM, on_tick);
        setitimer(ITIMER_REAL, &often, NULL);
        pthread_create(&a, NULL, work, NULL);
        pthread_create(&b, NULL, work, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        setitimer(ITIMER_REAL, &never, NULL);
        assert(x == 3);
        return 0;
}

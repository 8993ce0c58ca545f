/* A timer interrupts a sleep that outlasts it; elsewhere it ends at any time. */
#include <assert.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int n, at = -1;
static volatile int step, fired;

static void handler(int sig)
{
        (void)sig;
        at = step;
        n++;
        fired = 1;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
        struct itimerspec in = {.it_value = {0, 1000}};
        unsigned left;
        timer_t timer;

        sigaction(SIGALRM, &sa, NULL);
        sigaction(SIGRTMIN, &sa, NULL);
        alarm(1);
        left = sleep(5);
        assert(fired && (left == 4 || left == 0));
        assert(time(NULL) > 0);
        assert(alarm(0) == 0);
        at = -1;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &in, NULL);
        step = 1;
        step = 2;
        timer_delete(timer);
        return 0;
}

/* A periodic timer: --signals bounds how often it arrives, which is not called a deadlock. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void handler(int sig)
{
        (void)sig;
        ticks++;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        struct itimerval each = {{0, 1000}, {0, 1000}};
        sigset_t set, old;

        sigaction(SIGALRM, &sa, NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGALRM);
        sigprocmask(SIG_BLOCK, &set, &old);
        setitimer(ITIMER_REAL, &each, NULL);
        while (ticks < TICKS)
                sigsuspend(&old);
        return 0;
}

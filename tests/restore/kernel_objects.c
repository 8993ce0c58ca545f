/* Descriptors of every other kind, left open. */
#include "restore.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void odd(long n)
{
        sigset_t set;
        int a, b, c;

        if (n == 0) {
                a = eventfd(1, 0);
                b = epoll_create1(0);
                c = memfd_create("memory", 0);
                struct epoll_event e = {.events = EPOLLIN, .data.fd = a};
                assert(epoll_ctl(b, EPOLL_CTL_ADD, a, &e) == 0 && epoll_wait(b, &e, 1, 0) == 1);
                assert(ftruncate(c, 100) == 0);
        } else {
                sigemptyset(&set);
                a = timerfd_create(CLOCK_MONOTONIC, 0);
                b = signalfd(-1, &set, 0);
                c = inotify_init();
        }
        assert(a > 2 && b > 2 && c > 2 && a + b + c < 30);
}

int main(void)
{
        restore_run();
        return 0;
}

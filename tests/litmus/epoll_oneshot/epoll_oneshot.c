/* An instance that is older than the threads: what it reports once, or at edges, one of two threads gets. */
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "../litmus.h"

static int ep, fd[2];
int a, b;

static int look(void)
{
        struct epoll_event e;
        char c;

        return epoll_wait(ep, &e, 1, 0) == 1 ? (int)read(fd[0], &c, 1) : 0;
}

static void *first(void *arg)
{
        a = look();
        return NULL;
}

static void *second(void *arg)
{
        b = look();
        return NULL;
}

static void *writes(void *arg)
{
        write(fd[1], "ab", 2);
        return NULL;
}

int main(void)
{
        struct epoll_event e = {.events = EPOLLIN | FLAGS};

        pipe(fd);
        ep = epoll_create1(0);
        epoll_ctl(ep, EPOLL_CTL_ADD, fd[0], &e);
        RUN(writes, first, second);
        return 0;
}

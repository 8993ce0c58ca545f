/* A thread in epoll_wait sees what another adds. */
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static pthread_t t;
static int fd[2], epfd;
int seen;

static void *adds(void *arg)
{
        struct epoll_event e = {.events = EPOLLIN, .data.u32 = 7};

        epoll_ctl(epfd, EPOLL_CTL_ADD, fd[0], &e);
        return NULL;
}

static void *waits(void *arg)
{
        struct epoll_event e;
        pthread_t other;

        pipe(fd);
        write(fd[1], "a", 1);
        epfd = epoll_create1(0);
        pthread_create(&other, NULL, adds, NULL);
        if (epoll_wait(epfd, &e, 1, -1) == 1)
                seen = (int)e.data.u32;
        pthread_join(other, NULL);
        return NULL;
}

int main(void)
{
        pthread_create(&t, NULL, waits, NULL);
        pthread_join(t, NULL);
        return seen != 7;
}

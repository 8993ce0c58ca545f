/* poll, select and epoll with a timeout: it is up, or the byte is there. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int fd[2];
int polled, selected, waited;

static void *writer(void *arg)
{
        write(fd[1], "a", 1);
        return NULL;
}

int main(void)
{
        struct timeval tv = {1, 0};
        struct pollfd p;
        struct epoll_event e = {.events = EPOLLIN};
        pthread_t t;
        fd_set set;
        int epfd;

        pipe(fd);
        epfd = epoll_create1(0);
        epoll_ctl(epfd, EPOLL_CTL_ADD, fd[0], &e);
        p = (struct pollfd){.fd = fd[0], .events = POLLIN};
        pthread_create(&t, NULL, writer, NULL);
        polled = poll(&p, 1, 1000);
        FD_ZERO(&set);
        FD_SET(fd[0], &set);
        selected = select(fd[0] + 1, &set, NULL, NULL, &tv);
        assert(!!FD_ISSET(fd[0], &set) == selected);
        waited = epoll_wait(epfd, &e, 1, 1000);
        assert(epoll_wait(epfd, &e, 1, -1) == 1);
        pthread_join(t, NULL);
        return 0;
}

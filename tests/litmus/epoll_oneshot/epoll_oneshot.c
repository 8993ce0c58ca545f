/* What is reported once changes the instance with every look. */
#include <sys/epoll.h>
#include <unistd.h>

int main(void)
{
        struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};
        int fd[2];

        pipe(fd);
        return epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, fd[0], &e);
}

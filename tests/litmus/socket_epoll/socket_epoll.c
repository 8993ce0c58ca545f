/* A server that waits with epoll, and a client that does not block: each says so where it has to wait. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *client(void *arg)
{
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 1;
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        socklen_t length = sizeof error;

        assert(connect(fd, (struct sockaddr *)&address, sizeof address) == -1 && errno == EINPROGRESS);
        assert(poll(&p, 1, -1) == 1 && p.revents == POLLOUT);
        assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0);
        assert(send(fd, "x", 1, 0) == 1);
        close(fd);
        return arg;
}

int main(void)
{
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one, watch = epoll_create1(0);
        struct epoll_event e = {.events = EPOLLIN};
        pthread_t thread;
        char c;

        address.sin_family = AF_INET;
        address.sin_port = htons(7421);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0);
        assert(epoll_ctl(watch, EPOLL_CTL_ADD, fd, &e) == 0);
        pthread_create(&thread, NULL, client, NULL);
        one = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
        if (one < 0) {
                assert(errno == EAGAIN);
                assert(epoll_wait(watch, &e, 1, -1) == 1 && e.events == EPOLLIN);
                one = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
        }
        assert(one >= 0);
        while (recv(one, &c, 1, 0) != 0) {
                struct pollfd p = {.fd = one, .events = POLLIN};

                assert(poll(&p, 1, -1) == 1 && !(p.revents & (POLLHUP | POLLERR)));
        }
        pthread_join(thread, NULL);
        return 0;
}

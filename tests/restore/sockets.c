/* A pair of sockets made by a thread, with a descriptor sent over it. */
#include "restore.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

static void send_descriptor(int to, int fd)
{
        char data = 'd', control[CMSG_SPACE(sizeof(int))] = {0};
        struct iovec io = {&data, 1};
        struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);

        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
        assert(sendmsg(to, &m, 0) == 1);
}

static void odd(long n)
{
        char data, control[CMSG_SPACE(sizeof(int))];
        struct iovec io = {&data, 1};
        struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        int pair[2], got;

        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pair[1] < 12);
        if (n == 0)
                return;
        send_descriptor(pair[0], 1);
        assert(recvmsg(pair[1], &m, 0) == 1);
        memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof got);
        assert(got > 2 && got < 12 && fcntl(got, F_GETFD) == 0);
}

int main(void)
{
        restore_run();
        return 0;
}

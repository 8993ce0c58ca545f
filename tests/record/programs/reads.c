/* What it reads from a device, a file and a server decides where it goes: reads [FILE PORT]. */
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int odd, own[2];

static void count(const unsigned char *bytes, ssize_t n)
{
        for (ssize_t i = 0; i < n; i++)
                if (bytes[i] & 1)
                        odd++;
}

static void read_from(const char *file)
{
        unsigned char bytes[16];
        struct iovec parts[] = {{bytes + 1, 2}, {bytes + 3, 0}, {bytes + 3, 13}};
        int fd = open(file, O_RDONLY);

        count(bytes, read(fd, bytes, 1));
        count(bytes + 1, readv(fd, parts, 3));
        close(fd);
}

static void ask(int port)
{
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
        unsigned char bytes[16];
        struct iovec parts[] = {{bytes, 3}, {bytes + 3, 13}};
        char control[64];
        struct msghdr rest = {
                .msg_iov = parts, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof control};
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 && writev(fd, &(struct iovec){"?", 1}, 1) == 1) {
                count(bytes, recv(fd, bytes, 2, 0));
                count(bytes, recvmsg(fd, &rest, 0));
                if (rest.msg_controllen)
                        odd = 0;
        }
        close(fd);
}

static void *writer(void *arg)
{
        unsigned char byte = 3;

        if (write(own[1], &byte, 1) != 1)
                return NULL;
        return arg;
}

int main(int argc, char **argv)
{
        unsigned char byte;
        pthread_t t;

        if (pipe(own) < 0)
                return 2;
        pthread_create(&t, NULL, writer, NULL);
        count(&byte, read(own[0], &byte, 1));
        read_from("/dev/urandom");
        if (argc > 2) {
                read_from(argv[1]);
                ask(atoi(argv[2]));
        }
        pthread_join(t, NULL);
        assert(odd < 8);
        return 0;
}

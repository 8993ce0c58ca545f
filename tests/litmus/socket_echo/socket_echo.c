/* A server and a client over TCP: a request, its answer, and a half-closed connection. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *client(void *arg)
{
        struct sockaddr_in peer, own;
        socklen_t length = sizeof peer;
        int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
        char c = 'a';

        assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
        assert(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0);
        assert(getpeername(fd, (struct sockaddr *)&peer, &length) == 0 && peer.sin_port == address.sin_port);
        assert(getsockname(fd, (struct sockaddr *)&own, &length) == 0 && own.sin_port != address.sin_port);
        assert(send(fd, &c, 1, 0) == 1);
        assert(shutdown(fd, SHUT_WR) == 0);
        assert(recv(fd, &c, 1, 0) == 1 && c == 'b');
        assert(recv(fd, &c, 1, 0) == 0);
        close(fd);
        return arg;
}

int main(void)
{
        int fd = socket(AF_INET, SOCK_STREAM, 0), one;
        struct sockaddr_in from;
        socklen_t length = sizeof address;
        pthread_t thread;
        char c;

        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
        assert(listen(fd, 1) == 0);
        assert(getsockname(fd, (struct sockaddr *)&address, &length) == 0 && address.sin_port != 0);
        pthread_create(&thread, NULL, client, NULL);
        one = accept(fd, (struct sockaddr *)&from, &length);
        assert(one >= 0 && from.sin_addr.s_addr == address.sin_addr.s_addr);
        while (recv(one, &c, 1, 0) == 1) {
                c++;
                assert(write(one, &c, 1) == 1);
        }
        close(one);
        pthread_join(thread, NULL);
        close(fd);
        return 0;
}

/* A request and its answer over a socket pair; then one side shuts down. */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[2];

static void *server(void *arg)
{
        char c;

        while (recv(fd[1], &c, 1, 0) == 1) {
                c++;
                assert(send(fd[1], &c, 1, 0) == 1);
        }
        close(fd[1]);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        char c = 'a';

        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
        pthread_create(&thread, NULL, server, NULL);
        assert(write(fd[0], &c, 1) == 1);
        assert(read(fd[0], &c, 1) == 1 && c == 'b');
        shutdown(fd[0], SHUT_WR);
        assert(read(fd[0], &c, 1) == 0);
        pthread_join(thread, NULL);
        return 0;
}

/* A Unix socket with a path: its name is there while the program runs, and is not given twice.  The queue has room for one, so the
 * second client waits. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {AF_UNIX, "litmus_socket"};

static void *client(void *arg)
{
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);

        assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
        close(fd);
        return arg;
}

int main(void)
{
        int fd = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
        pthread_t thread[2];

        assert(connect(other, (struct sockaddr *)&address, sizeof address) == -1 && errno == ENOENT);
        assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
        assert(bind(other, (struct sockaddr *)&address, sizeof address) == -1 && errno == EADDRINUSE);
        assert(connect(other, (struct sockaddr *)&address, sizeof address) == -1 && errno == ECONNREFUSED);
        assert(listen(fd, 0) == 0);
        pthread_create(&thread[0], NULL, client, NULL);
        pthread_create(&thread[1], NULL, client, NULL);
        close(accept(fd, NULL, NULL));
        close(accept(fd, NULL, NULL));
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
        assert(unlink(address.sun_path) == 0);
        assert(connect(other, (struct sockaddr *)&address, sizeof address) == -1 && errno == ENOENT);
        return 0;
}

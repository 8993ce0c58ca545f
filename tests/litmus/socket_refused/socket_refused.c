/* A client that connects before the server listens is refused. */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *client(void *arg)
{
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
        close(fd);
        return arg;
}

int main(void)
{
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        pthread_t thread;

        address.sin_family = AF_INET;
        address.sin_port = htons(7421);
        assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
        pthread_create(&thread, NULL, client, NULL);
        assert(listen(fd, 1) == 0);
        close(accept(fd, NULL, NULL));
        pthread_join(thread, NULL);
        return 0;
}

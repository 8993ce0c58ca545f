/* Two threads accept from one socket; main connects, and shuts the socket down when both clients are served. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;
static int fd;

static void *server(void *arg)
{
        int one = accept(fd, NULL, NULL);
        if (one < 0) {
                assert(errno == EINVAL);
                return arg;
        }
        assert(write(one, "x", 1) == 1);
        close(one);
        return arg;
}

int main(void)
{
        pthread_t thread[2];
        int one = socket(AF_INET, SOCK_STREAM, 0);
        char c;

        fd = socket(AF_INET, SOCK_STREAM, 0);
        address.sin_family = AF_INET;
        address.sin_port = htons(7423);
        assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0);
        pthread_create(&thread[0], NULL, server, NULL);
        pthread_create(&thread[1], NULL, server, NULL);
        assert(connect(one, (struct sockaddr *)&address, sizeof address) == 0);
        assert(read(one, &c, 1) == 1);
        shutdown(fd, SHUT_RDWR);
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
        return 0;
}

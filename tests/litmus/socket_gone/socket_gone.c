/* TCP: what is written to a side that has closed is lost without notice once, and then an error.  A connection that was not
 * accepted when the server closes is reset. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;
static sem_t connected;

static void *client(void *arg)
{
        int fd = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
        char c;

        assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
        assert(connect(other, (struct sockaddr *)&address, sizeof address) == 0);
        sem_post(&connected);
        assert(read(fd, &c, 1) == 0);
        assert(send(fd, "x", 1, MSG_NOSIGNAL) == 1);
        assert(send(fd, "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
        assert(read(fd, &c, 1) == 0);
        assert(read(other, &c, 1) == -1 && errno == ECONNRESET);
        close(fd);
        close(other);
        return arg;
}

int main(void)
{
        int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
        pthread_t thread;

        address.sin_family = AF_INET;
        address.sin_port = htons(7424);
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0);
        pthread_create(&thread, NULL, client, NULL);
        close(accept(fd, NULL, NULL));
        sem_wait(&connected);
        close(fd);
        pthread_join(thread, NULL);
        return 0;
}

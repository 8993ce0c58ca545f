/* A client races with a server that listens and closes, and with a thread that uses the client's socket.  The five outcomes are
 * those of the exhaustive search, too. */
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct sockaddr_un {
        sa_family_t family;
        char path[8];
} address = {AF_UNIX, "\0closing"};
int got, named, sent;
static int fd;

static void *server(void *arg)
{
        int l = socket(AF_UNIX, SOCK_STREAM, 0);

        bind(l, (const struct sockaddr *)&address, sizeof address);
        listen(l, 1);
        close(l);
        return arg;
}

static void *sender(void *arg)
{
        struct sockaddr name;
        socklen_t length = sizeof name;

        named = getpeername(fd, &name, &length) == 0;
        sent = (int)send(fd, "x", 1, MSG_NOSIGNAL);
        return arg;
}

int main(void)
{
        pthread_t thread[2];

        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        pthread_create(&thread[0], NULL, server, NULL);
        pthread_create(&thread[1], NULL, sender, NULL);
        got = connect(fd, (const struct sockaddr *)&address, sizeof address) ? errno : 0;
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
        return 0;
}

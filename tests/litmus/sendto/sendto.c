/* sendto and recvfrom on a socket pair: both orders, and no thread waits forever. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static int ends[2];

static void *worker(void *arg)
{
        assert(sendto(ends[1], "hello", 5, 0, NULL, 0) == 5);
        return NULL;
}

int main(void)
{
        char text[8];
        pthread_t t;

        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        pthread_create(&t, NULL, worker, NULL);
        assert(recvfrom(ends[0], text, sizeof text, 0, NULL, NULL) == 5 && !memcmp(text, "hello", 5));
        pthread_join(t, NULL);
        return 0;
}

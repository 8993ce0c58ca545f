/* Two clients of a Unix socket with an abstract name: which is accepted first depends on the schedule. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un address = {AF_UNIX, "\0server"};
static const socklen_t length = offsetof(struct sockaddr_un, sun_path) + 7;

static void *client(void *name)
{
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);

        assert(connect(fd, (const struct sockaddr *)&address, length) == 0);
        assert(write(fd, name, 1) == 1);
        close(fd);
        return NULL;
}

int main(void)
{
        int fd = socket(AF_UNIX, SOCK_STREAM, 0), one;
        pthread_t thread[2];
        char c;

        assert(bind(fd, (const struct sockaddr *)&address, length) == 0 && listen(fd, 5) == 0);
        pthread_create(&thread[0], NULL, client, "a");
        pthread_create(&thread[1], NULL, client, "b");
        one = accept(fd, NULL, NULL);
        assert(read(one, &c, 1) == 1);
        assert(c == 'a');
        close(one);
        one = accept(fd, NULL, NULL);
        assert(read(one, &c, 1) == 1);
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
        return 0;
}

/*
 * memcached with a client in the same process: a thread connects to the server's Unix socket, stores a value, reads it again, and
 * ends the server by SIGINT.  The server's own main is compiled as memcached_main.  Arguments: set_get, or wrong (which expects a
 * value that was not stored); the path of the socket.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int memcached_main(int argc, char **argv);

static const char *path, *expected;

static void ask(int fd, const char *text, const char *answer)
{
        char got[200] = "";
        size_t n = 0;

        if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
                abort();
        while (n < strlen(answer)) {
                ssize_t k = read(fd, got + n, sizeof got - 1 - n);

                if (k <= 0)
                        abort();
                n += (size_t)k;
        }
        if (strcmp(got, answer) != 0)
                abort();
}

static void *client(void *arg)
{
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);

        strcpy(a.sun_path, path);
        while (connect(fd, (struct sockaddr *)&a, sizeof a) != 0)
                usleep(1000);
        ask(fd, "set a 0 0 1\r\n1\r\n", "STORED\r\n");
        ask(fd, "get a\r\n", expected);
        close(fd);
        kill(getpid(), SIGINT);
        return arg;
}

int main(int argc, char **argv)
{
        char *args[] = {"memcached", "-s", argv[2], "-t", "1", "-m", "2", "-u", "root", "-o",
                        "no_lru_maintainer,no_lru_crawler,no_slab_reassign,hashpower=12", NULL};
        pthread_t t;

        if (argc < 3)
                return 2;
        path = argv[2];
        expected = strcmp(argv[1], "wrong") == 0 ? "VALUE a 0 1\r\n2\r\nEND\r\n" : "VALUE a 0 1\r\n1\r\nEND\r\n";
        pthread_create(&t, NULL, client, NULL);
        return memcached_main(sizeof args / sizeof *args - 1, args);
}

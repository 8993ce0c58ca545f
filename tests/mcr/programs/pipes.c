/*
 * Pipes and other objects whose states only the target has.
 *
 * ORDER: two writers and a reader of two bytes.  FULL: a reader that waits for a byte that does not come (a deadlock), or comes.
 * POLL: a thread waits until one of two pipes has a byte.  STREAM: two threads read from one stream.
 * SHARED: the byte comes from memory that threads share, and the reader acts on it.  CLOSE: a read that ends when the last writer closes.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int fd[2], x, seen;
static int more[2];
static FILE *stream;
static char from = 'a', to;

static void *one(void *arg)
{
#ifdef SHARED
        (void)!write(fd[1], &from, 1);
#elif defined STREAM
        x = getc(stream);
#elif defined CLOSE
        x = 1;
        close(fd[1]);
#else
        (void)!write(fd[1], "a", 1);
#endif
        return arg;
}

static void *two(void *arg)
{
#ifdef SHARED
        from = 'b';
#elif defined ORDER
        (void)!write(fd[1], "b", 1);
#elif defined POLL
        (void)!write(more[1], "b", 1);
#elif defined STREAM
        seen = getc(stream);
#elif defined FULL
        char c;
        (void)!read(fd[0], &c, 1);
#else
        x = 2;
#endif
        return arg;
}

int main(void)
{
        pthread_t t, u;
        char c[2];

        (void)!pipe(fd);
#ifdef POLL
        struct pollfd p[2] = {{.events = POLLIN}, {.events = POLLIN}};
        (void)!pipe(more);
        p[0].fd = fd[0];
        p[1].fd = more[0];
#elif defined STREAM
        stream = tmpfile();
        fputs("ab", stream);
        rewind(stream);
#endif
        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
#ifdef ORDER
        (void)!read(fd[0], c, 1);
        (void)!read(fd[0], c + 1, 1);
        seen = c[0] * 256 + c[1];
#elif defined POLL
        poll(p, 2, -1);
        seen = p[0].revents * 256 + p[1].revents;
#elif defined SHARED
        (void)!read(fd[0], &to, 1);
        if (to == 'b')
                from = 'c';
#elif !defined STREAM
        seen = (int)read(fd[0], c, 1) + x;
#endif
        (void)c;
        pthread_join(t, 0);
        pthread_join(u, 0);
        return seen < 0;
}

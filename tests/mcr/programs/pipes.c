/*
 * Pipes and other objects whose states only the target has.
 *
 * ORDER: two writers and a reader of two bytes.  FULL: a reader that waits for a byte that does not come (a deadlock), or comes.
 * SHARED: the bytes go through memory that threads share.  CLOSE: a read that ends when the last writer closes.
 */
#include <pthread.h>
#include <unistd.h>

static int fd[2], x, seen;
static char from = 'a', to;

static void *one(void *arg)
{
#ifdef SHARED
        (void)!write(fd[1], &from, 1);
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
        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
#ifdef ORDER
        (void)!read(fd[0], c, 1);
        (void)!read(fd[0], c + 1, 1);
        seen = c[0] * 256 + c[1];
#elif defined SHARED
        (void)!read(fd[0], &to, 1);
        seen = to;
#else
        seen = (int)read(fd[0], c, 1) + x;
#endif
        pthread_join(t, 0);
        pthread_join(u, 0);
        return seen < 0;
}

/* Heap errors of the main thread before there is another, in memory that it has used before.  The first argument names one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int total;

static void fill(char *p, size_t n)
{
        for (size_t i = 0; i < n; i++)
                p[i] = (char)(i + 1);
}

static int sum(const char *p, size_t n)
{
        int s = 0;

        for (size_t i = 0; i < n; i++)
                s += p[i];
        return s;
}

__attribute__((noinline)) static char at(char *const *p, size_t i)
{
        return (*p)[i];
}

static void *thread(void *arg)
{
        (void)arg;
        total++;
        return NULL;
}

/* The address of a block that getline has moved. */
static char *moved(char **line)
{
        static char text[4096];
        size_t room = 0;
        FILE *f;
        char *old;

        memset(text, 'x', sizeof text);
        text[10] = text[sizeof text - 1] = '\n';
        f = fmemopen(text, sizeof text, "r");
        if (!f || getline(line, &room, f) < 0)
                exit(9);
        old = *line;
        total += sum(old, 8);
        if (getline(line, &room, f) < 0 || *line == old)
                exit(9);
        fclose(f);
        return old;
}

int main(int argc, char **argv)
{
        const char *what = argc > 1 ? argv[1] : "";
        char *volatile p = malloc(29), *q = NULL, *line = NULL;
        char to[64] = {0};
        volatile size_t n = 24;
        pthread_t t;

        fill(p, 29);
        total += sum(p, 29);
        q = p;
        if (!strcmp(what, "use-after-free")) {
                free(p);
                total += at(&q, 16);
        } else if (!strcmp(what, "again")) { /* a second block at the same address */
                free(p);
                p = malloc(29);
                fill(p, 29);
                total += sum(p, 29);
                free(p);
                total += at(&q, 8);
        } else if (!strcmp(what, "realloc")) {
                p = realloc(p, 3000);
                total += at(&q, 8);
        } else if (!strcmp(what, "getline")) {
                q = moved(&line);
                total += at(&q, 0);
        } else if (!strcmp(what, "copy")) { /* by a function of libc */
                memcpy(to, p, n);
                free(p);
                memcpy(to, q, n);
        } else if (!strcmp(what, "copy-past")) {
                memcpy(to, p, n);
                memcpy(to, p, n + 6);
        } else if (!strcmp(what, "past")) {
                total += at(&q, 29);
        } else if (!strcmp(what, "before")) {
                total += at(&q, (size_t)-1);
        } else if (!strcmp(what, "shrunk")) {
                p = realloc(p, 20);
                total += at(&q, 24);
        }
        total += to[3];
        free(line);
        free(p);
        if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
                return 9;
        return total == 0;
}

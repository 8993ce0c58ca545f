/* A parallel scanner: workers take names from a queue; the number of active workers is changed outside the lock, so that the last
 * one may miss that it is the last, and the result is read too early. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define FILES   12
#define WORKERS 3

static const char *const files[FILES] = {
        "main.c: needle", "a.c", "b.c: needle", "c.c", "d.c", "needle e.c", "f.c", "g.c",
        "h.c needle",     "i.c", "j.c",         "k.c"};
static volatile int matches;
static int next_file, active = WORKERS, done;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, result = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;

static const char *take(void)
{
        const char *f = NULL;

        pthread_mutex_lock(&queue);
        if (next_file < FILES)
                f = files[next_file++];
        pthread_mutex_unlock(&queue);
        return f;
}

static int scan(const char *text)
{
        int n = 0;

        for (const char *p = text; *p; p++)
                if (*p == 'n' && strncmp(p, "needle", 6) == 0)
                        n++;
        return n;
}

static void *worker(void *arg)
{
        const char *f;

        while ((f = take()) != NULL) {
                int n = scan(f);
                int old = matches; /* not under the lock of the result */
                if (n)
                        matches = old + n;
        }
        pthread_mutex_lock(&result);
        if (--active == 0) {
                done = 1;
                pthread_cond_signal(&finished);
        }
        pthread_mutex_unlock(&result);
        return arg;
}

int main(void)
{
        pthread_t t[WORKERS];

        for (int i = 0; i < WORKERS; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        pthread_mutex_lock(&result);
        while (!done)
                pthread_cond_wait(&finished, &result);
        pthread_mutex_unlock(&result);
        assert(matches == 4);
        for (int i = 0; i < WORKERS; i++)
                pthread_join(t[i], NULL);
        return 0;
}

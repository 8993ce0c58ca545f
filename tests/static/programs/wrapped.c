/* Blocks come from one malloc, through a function with a header of its own: the counters are still not the data.  A function that
 * nobody calls prints the counters. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct counters {
        long requests, longest;
};

struct data {
        long total, last;
};

static struct counters *counters;
static struct data *data;

static void *allocate(size_t n)
{
        size_t *p = malloc(n + sizeof *p);

        if (p) {
                *p = n;
                p++;
        }
        return p;
}

static void *zeroed(size_t n)
{
        char *p = allocate(n);

        for (size_t i = 0; p && i < n; i++)
                p[i] = 0;
        return p;
}

static void release(void *p)
{
        free((size_t *)p - 1);
}

void print_counters(void)
{
        printf("%ld requests\n", counters->requests);
}

static void *request(void *arg)
{
        counters->requests++;
        counters->longest += counters->requests;
        __atomic_fetch_add(&data->total, 1, __ATOMIC_SEQ_CST);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        counters = zeroed(sizeof *counters);
        data = zeroed(sizeof *data);
        pthread_create(&t[0], NULL, request, NULL);
        pthread_create(&t[1], NULL, request, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        if (data->total != 2)
                abort();
        release(counters);
        release(data);
        return 0;
}

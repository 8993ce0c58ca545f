/*
 * For each kind of dependence a program in which a failure, or an outcome, depends on a read through this kind alone.
 *
 *     -DKIND=...: one of the names below
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BRANCH    1
#define DATA      2
#define ADDRESS   3
#define ARGUMENT  4
#define RETURN    5
#define PARAMETER 6
#define MEMORY    7
#define UNKNOWN   8
#define HEAP      9
#define OBSERVED  10

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, table[2];
int seen;

static void set(int *where, int value)
{
        pthread_mutex_lock(&lock);
        *where = value;
        pthread_mutex_unlock(&lock);
}

/* The only reads of x that count are those of its callers. */
static __attribute__((unused)) int got(void)
{
        return x;
}

static __attribute__((unused)) void take(int value)
{
        if (value == 1)
                abort();
}

#if KIND == HEAP
static char *kept;
#endif
#if KIND == UNKNOWN
static char text[8] = "0";
#endif

static void *writer(void *unused)
{
#if KIND == HEAP
        pthread_mutex_lock(&lock);
        kept = NULL;
        pthread_mutex_unlock(&lock);
#elif KIND == UNKNOWN
        pthread_mutex_lock(&lock);
        text[0] = '1';
        pthread_mutex_unlock(&lock);
#elif KIND == ADDRESS
        set(&table[0], 1);
        set(&x, 1);
#else
        set(&x, 1);
#endif
        return unused;
}

static void reader(void)
{
        pthread_mutex_lock(&lock);
#if KIND == BRANCH
        if (x)
                abort();
#elif KIND == DATA
        if (x * 2 + 1 == 3)
                abort();
#elif KIND == ADDRESS
        seen = table[x];
#elif KIND == ARGUMENT
        seen = x;
#elif KIND == RETURN
        if (got())
                abort();
#elif KIND == PARAMETER
        take(x);
#elif KIND == MEMORY
        seen = x;
#elif KIND == UNKNOWN
        seen = (int)strtol(text, NULL, 10);
#elif KIND == HEAP
        kept = malloc(1);
#elif KIND == OBSERVED
        seen = x;
#endif
        pthread_mutex_unlock(&lock);
}

static void *other(void *unused)
{
#if KIND == MEMORY
        pthread_mutex_lock(&lock);
        if (seen)
                abort();
        pthread_mutex_unlock(&lock);
#endif
        return unused;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, writer, 0);
        pthread_create(&b, 0, other, 0);
        reader();
        pthread_join(a, 0);
        pthread_join(b, 0);
#if KIND == UNKNOWN
        if (seen)
                abort();
#elif KIND == ARGUMENT
        exit(seen);
#endif
        return 0;
}

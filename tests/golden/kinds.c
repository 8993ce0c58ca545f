/* The most common failures, one for each value of KIND, as small as they can be: their reports are read as a whole. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int a, b;
static int ready;
static int *data;

#if KIND == 1 /* lost wakeup: the flag is set without the lock, between the check and the wait */
static void *first(void *arg)
{
        pthread_mutex_lock(&m);
        if (!a)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}
static void *second(void *arg)
{
        a = 1;
        pthread_cond_signal(&c);
        return arg;
}
#elif KIND == 2 /* double free */
static void *first(void *arg)
{
        if (ready)
                free(data);
        return arg;
}
static void *second(void *arg)
{
        ready = 1;
        return first(arg);
}
#elif KIND == 3 /* crash: the pointer is used before it is set */
static void *first(void *arg)
{
        data = malloc(sizeof *data);
        return arg;
}
static void *second(void *arg)
{
        *data = 1;
        return arg;
}
#elif KIND == 4 /* leak: both threads allocate, one pointer is lost */
static void *first(void *arg)
{
        if (!data)
                data = malloc(sizeof *data);
        return arg;
}
static void *second(void *arg)
{
        return first(arg);
}
#elif KIND == 5 /* livelock: each waits for the other to give in */
static void *first(void *arg)
{
        a = 1;
        while (b)
                ;
        a = 0;
        return arg;
}
static void *second(void *arg)
{
        b = 1;
        while (a)
                ;
        b = 0;
        return arg;
}
#elif KIND == 6 /* lock misuse: the lock of another thread is released */
static void *first(void *arg)
{
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_mutex_unlock(&m);
        return arg;
}
static void *second(void *arg)
{
        pthread_mutex_unlock(&m);
        return arg;
}
#else           /* exit status, race: an update without a lock */
static void *first(void *arg)
{
        ready++;
        return arg;
}
static void *second(void *arg)
{
        return first(arg);
}
#endif

int main(void)
{
        pthread_t t, u;

        data = KIND == 2 ? malloc(sizeof *data) : NULL;
        pthread_create(&t, NULL, first, NULL);
        pthread_create(&u, NULL, second, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        if (KIND == 3 || KIND == 4)
                free(data);
        if (KIND == 7 && ready != 2)
                fprintf(stderr, "ready is %d\n", ready);
        return KIND == 7 && ready != 2;
}

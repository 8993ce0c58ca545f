/* What a call writes for its caller is a write: another thread sees it, or does not yet. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#ifndef CALL
#define CALL sem_getvalue(&sem, &v.i)
#endif

static union {
        int i;
        size_t size;
        void *p;
        pthread_t thread;
        pthread_attr_t attr;
        pthread_key_t key;
        clockid_t clock;
        cpu_set_t cpus;
        char text[16];
} v;
static sem_t sem;
static pthread_t made;
static thrd_t made_c11;
static int seen;

static void *one(void *a)
{
        (void)a;
        return (void *)1;
}

static int one_c11(void *a)
{
        (void)a;
        return 1;
}

static void *caller(void *a)
{
        CALL;
        return a;
}

static void *reader(void *a)
{
        seen = v.text[0] != 0;
        return a;
}

int main(void)
{
        pthread_t a, b;

        sem_init(&sem, 0, 1);
        (void)one;
        (void)one_c11;
        (void)made;
        (void)made_c11;
#ifdef MAKE
        MAKE;
#endif
        pthread_create(&a, NULL, caller, NULL);
        pthread_create(&b, NULL, reader, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}

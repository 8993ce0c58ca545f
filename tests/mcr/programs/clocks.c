/* Clocks that are read after the thread has synchronised: what they show follows from whom it came after.
 *   SLEEP    a thread sleeps before it takes the lock
 *   LATER    the clock is read only where the other thread was faster
 *   TIMED    a timed wait whose deadline is computed under the lock */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
long seen;

static struct timespec now(void)
{
        struct timespec t;

        clock_gettime(CLOCK_REALTIME, &t);
        return t;
}

static void *reader(void *arg)
{
        struct timespec t;

        pthread_mutex_lock(&m);
#ifdef TIMED
        t = now();
        t.tv_sec++;
        while (!ready && !pthread_cond_timedwait(&c, &m, &t))
                ;
#endif
#ifdef LATER
        if (ready)
#endif
                t = now(), seen = t.tv_sec % 1000;
        pthread_mutex_unlock(&m);
        (void)t;
        return arg;
}

static void *sleeper(void *arg)
{
#ifndef TIMED
        struct timespec t = {10, 0};

        nanosleep(&t, NULL);
#endif
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, reader, NULL);
        pthread_create(&b, NULL, sleeper, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}

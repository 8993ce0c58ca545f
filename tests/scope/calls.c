/* Built without heddle: thread calls alone are watched. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static atomic_int y;

static void *work(void *arg)
{
        pthread_mutex_lock(&mutex);
        x++;
        pthread_mutex_unlock(&mutex);
#ifdef ATOMIC
        atomic_fetch_or(&y, 2);
#elif defined FENCE
        __asm__ volatile("mfence");
#elif defined SPIN
        y = 1;
#endif
        return arg;
}

int main(void)
{
        pthread_t a, b;

#if defined BEFORE || defined SPIN
        y += 1;
        y = 0;
#endif
        pthread_create(&a, NULL, work, NULL);
#ifdef SPIN
        while (!atomic_load(&y))
                ;
#endif
        pthread_create(&b, NULL, work, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
#ifdef BEFORE
        y += 1;
#endif
        assert(x == 2);
        return 0;
}

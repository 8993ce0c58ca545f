/*
 * CHOICES: two atomic sections with a choice in each; every order of them with every choice value.
 * BESIDE: an access beside two sections races with one of them only if that comes later.
 * BEHIND: the same with an access that comes after the other section in every execution; it reads a flag (LOAD) to know.
 * OWN: a wait with a deadline on a condition variable that no other thread uses: it is late, or ends by itself (--spurious).
 * ALONE: the same without a deadline: it ends by itself, or never.
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <time.h>

#define PLAIN(v)   v
#define RELAXED(v) __atomic_load_n(&(v), __ATOMIC_RELAXED)

static int y, n;

#ifdef CHOICES
static void *one(void *arg)
{
        heddle_atomic_begin();
        int c = heddle_choose(2);
        y = y * 10 + 1;
        n = n * 10 + c;
        heddle_atomic_end();
        return arg;
}

static void *two(void *arg)
{
        heddle_atomic_begin();
        y = y * 10 + 2;
        n = n * 10 + heddle_choose(3);
        heddle_atomic_end();
        return arg;
}
#elif defined BEHIND
static void *one(void *arg)
{
        heddle_atomic_begin();
        n = 3;
        y = 1;
        heddle_atomic_end();
        return arg;
}

static void *two(void *arg)
{
        heddle_atomic_begin();
        n = 3;
        heddle_atomic_end();
        if (LOAD(y))
                n = 3;
        return arg;
}
#elif defined BESIDE
static void *one(void *arg)
{
        heddle_atomic_begin();
        n = 3;
        heddle_atomic_end();
        return arg;
}

static void *two(void *arg)
{
        one(arg);
        n = 3;
        return arg;
}
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *one(void *arg)
{
        pthread_mutex_lock(&m);
#ifdef OWN
        n = pthread_cond_timedwait(&c, &m, &(struct timespec){.tv_sec = 1}) ? 1 : 2;
#else
        n = pthread_cond_wait(&c, &m);
#endif
        pthread_mutex_unlock(&m);
        y = 1;
        return arg;
}

static void *two(void *arg)
{
        y = 2;
        return arg;
}
#endif

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}

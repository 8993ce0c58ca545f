/*
 * Loops that count, sleep, poll, or run until they are to stop.  SHAPE chooses one; with BUG an assertion behind the loop fails,
 * in some executions or in all.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#ifdef BUG
#define CHECK(ok) assert(ok)
#else
#define CHECK(ok) ((void)0)
#endif

enum { COUNT = 1, COUNT_OUT, SLEEP, SLEEP_OUT, TIMED, RETRIES, WORKER, PARK, BACKOFF, DETACHED, QUEUE, TOGGLE, TRIES, BEATS, AWAITED };

static atomic_int flag, lock;
static atomic_long beats;
static long out;
static int x, late, parked, idle, put, taken;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static struct timespec soon(void)
{
        struct timespec ts;

        clock_gettime(CLOCK_REALTIME, &ts);
        ts.tv_sec++;
        return ts;
}

static void *raise_flag(void *arg)
{
        atomic_store(&flag, 1);
        return arg;
}

static void *timed(void *arg)
{
        pthread_mutex_lock(&m);
        while (!x) {
                struct timespec ts = soon();
                late += pthread_cond_timedwait(&c, &m, &ts) != 0;
        }
        pthread_mutex_unlock(&m);
        return arg;
}

static void *retries(void *arg)
{
        for (int i = 0; i < 3; i++) {
                struct timespec ts = soon();
                if (pthread_mutex_timedlock(&m, &ts) == 0) {
                        pthread_mutex_unlock(&m);
                        return arg;
                }
                late++;
        }
        return arg;
}

static void *beat(void *arg)
{
        while (!atomic_load(&flag))
                atomic_fetch_add(&beats, 1);
        return arg;
}

static void *beat_on(void *arg)
{
        for (;;)
                atomic_fetch_add(&beats, 1);
        return arg;
}

/* Its loads wait, beside a loop without end. */
static void *await_beats(void *arg)
{
        while (atomic_load(&beats) < 3)
                ;
        return arg;
}

static void *look(void *arg)
{
        out = atomic_load(&beats);
        return arg;
}

static void *park(void *arg)
{
        for (int i = 0; i < 30; i++)
                if (atomic_load(&flag))
                        return arg;
        pthread_mutex_lock(&m);
        parked = 1;
        while (!atomic_load(&flag))
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *back_off(void *arg)
{
        for (unsigned wait = 1; atomic_exchange(&lock, 1); wait = wait < 16 ? 2 * wait : wait)
                usleep(wait);
        x++;
        atomic_store(&lock, 0);
        return arg;
}

static void *consume(void *arg)
{
        while (taken < 2) {
                pthread_mutex_lock(&m);
                if (taken < put)
                        taken++;
                else
                        idle++;
                pthread_mutex_unlock(&m);
        }
        return arg;
}

/* The failed attempts are counted, and the lock is needed in between. */
static void *tries(void *arg)
{
        int failed = 0;

        while (pthread_mutex_trylock(&m))
                failed++;
        x += failed;
        pthread_mutex_unlock(&m);
        return arg;
}

/* The local that counts is dead behind the loop. */
static void count(void)
{
        for (long n = 0; !atomic_load(&flag); n++)
                if (SHAPE == SLEEP)
                        usleep(10);
}

static long count_out(void)
{
        long n = 0;

        for (; !atomic_load(&flag); n++)
                if (SHAPE == SLEEP_OUT)
                        usleep(10);
        return n;
}

/* Another thread sees the flag raised and lowered. */
static void *watch(void *arg)
{
        while (!atomic_load(&flag))
                ;
        while (atomic_load(&flag))
                ;
        CHECK(0);
        atomic_store(&lock, 1);
        return arg;
}

static void *toggle(void *arg)
{
        for (;;) {
                atomic_store(&flag, 1);
                if (atomic_load(&lock))
                        break;
                atomic_store(&flag, 0);
        }
        return arg;
}

int main(void)
{
        void *(*start[2])(void *) = {NULL, NULL};
        pthread_t t[2];

        switch (SHAPE) {
        case TIMED: start[0] = timed; break;
        case RETRIES: start[0] = retries; break;
        case WORKER:
        case BEATS: start[0] = beat; break;
        case AWAITED: start[0] = await_beats, start[1] = beat; break;
        case PARK: start[0] = park; break;
        case BACKOFF: start[0] = start[1] = back_off; break;
        case DETACHED: start[0] = look, start[1] = beat_on; break;
        case QUEUE: start[0] = consume; break;
        case TRIES: start[0] = start[1] = tries; break;
        case TOGGLE: start[0] = watch, start[1] = toggle; break;
        default: start[0] = raise_flag;
        }
        if (SHAPE == RETRIES)
                pthread_mutex_lock(&m);
        for (int i = 0; i < 2 && start[i]; i++)
                pthread_create(&t[i], NULL, start[i], NULL);
        switch (SHAPE) {
        case COUNT:
        case SLEEP: count(); break;
        case COUNT_OUT:
        case SLEEP_OUT: out = count_out(); break;
        case TIMED:
        case QUEUE:
                for (int i = 0; i < 2; i++) {
                        pthread_mutex_lock(&m);
                        x = 1;
                        put++;
                        pthread_cond_signal(&c);
                        pthread_mutex_unlock(&m);
                }
                break;
        case RETRIES: pthread_mutex_unlock(&m); break;
        case BEATS:
                while (atomic_load(&beats) < 2)
                        ;
                atomic_store(&flag, 1);
                break;
        case AWAITED: pthread_join(t[0], NULL); /* fall through */
        case WORKER: atomic_store(&flag, 1); break;
        case PARK:
                pthread_mutex_lock(&m);
                atomic_store(&flag, 1);
                pthread_cond_signal(&c);
                pthread_mutex_unlock(&m);
                break;
        default: break;
        }
        for (int i = SHAPE == AWAITED; i < 2 && start[i] && start[i] != beat_on; i++)
                pthread_join(t[i], NULL);
        CHECK(SHAPE != COUNT && SHAPE != SLEEP && x < 2 && !parked && late < (SHAPE == RETRIES ? 3 : 1) && idle != 2);
        CHECK(out != 3 && atomic_load(&beats) != 3);
        return 0;
}

/*
 * Loops that wait, one shape for each SHAPE.  Their frames have bytes without a value: padding, locals that are set on one
 * path only, calls of different depth.  No failure is possible in any of them.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static atomic_int flag, turn, lock_word;
static atomic_long next_ticket, serving;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int data;

struct reply {
        bool ok; /* padding follows */
        long value;
        char tail; /* and here */
};

/* Writes to a part of its frame only. */
NOINLINE static int deeper(int n)
{
        volatile char some[96];

        some[n & 63] = (char)n;
        return n > 0 ? deeper(n - 1) + some[n & 63] - (char)n : some[0] * 0;
}

NOINLINE static struct reply ask(void)
{
        struct reply r;

        r.ok = atomic_load(&flag) != 0;
        if (r.ok)
                r.value = data;
        r.tail = 1;
        return r;
}

NOINLINE static bool try_once(int *out)
{
        int first, second;

        first = atomic_load_explicit(&flag, memory_order_acquire);
        if (!first)
                return false;
        second = data;
        *out = first + second;
        return true;
}

NOINLINE static bool try_deep(int depth)
{
        bool got;

        deeper(depth);
        got = atomic_load(&flag) != 0;
        return got;
}

NOINLINE static bool big_frame(void)
{
        char buffer[3000];

        buffer[0] = (char)atomic_load(&flag);
        return buffer[0] != 0;
}

static void *setter(void *arg)
{
        data = 7;
        atomic_store(&flag, 1);
        return arg;
}

#if SHAPE == 1 /* a plain wait */
static void *waiter(void *arg)
{
        while (!atomic_load(&flag))
                ;
        assert(data == 7);
        return arg;
}
#elif SHAPE == 2 /* the site is in a function that is called again each time */
static void *waiter(void *arg)
{
        int v = 0;

        while (!try_once(&v))
                ;
        assert(v == 8);
        return arg;
}
#elif SHAPE == 3 /* a struct with padding is returned */
static void *waiter(void *arg)
{
        struct reply r;

        do
                r = ask();
        while (!r.ok);
        assert(r.value == 7);
        return arg;
}
#elif SHAPE == 4 /* calls of two depths in turns */
static void *waiter(void *arg)
{
        for (;;) {
                if (try_deep(1))
                        break;
                if (try_deep(4))
                        break;
        }
        assert(data == 7);
        return arg;
}
#elif SHAPE == 5 /* yields */
static void *waiter(void *arg)
{
        while (!big_frame())
                sched_yield();
        assert(data == 7);
        return arg;
}
#elif SHAPE == 6 /* sleeps */
static void *waiter(void *arg)
{
        int v = 0;

        while (!try_once(&v))
                usleep(10);
        assert(v == 8);
        return arg;
}
#elif SHAPE == 7 /* copies */
static void *waiter(void *arg)
{
        struct reply r, copy;

        do {
                r = ask();
                memcpy(&copy, &r, sizeof copy);
        } while (!copy.ok);
        assert(copy.value == 7);
        return arg;
}
#elif SHAPE == 8 /* a lock is tried */
static void *waiter(void *arg)
{
        for (;;) {
                bool done;

                while (pthread_mutex_trylock(&mutex))
                        deeper(2);
                done = flag;
                pthread_mutex_unlock(&mutex);
                if (done)
                        break;
        }
        assert(data == 7);
        return arg;
}
#elif SHAPE == 9 /* a test-and-set lock with two users */
NOINLINE static void take(void)
{
        int expected = 0;

        while (!atomic_compare_exchange_strong(&lock_word, &expected, 1)) {
                expected = 0;
                deeper(1);
        }
}
static void *waiter(void *arg)
{
        take();
        data++;
        atomic_store(&lock_word, 0);
        return arg;
}
#define setter waiter
#elif SHAPE == 10 /* a ticket lock */
static void *waiter(void *arg)
{
        long mine = atomic_fetch_add(&next_ticket, 1);

        while (atomic_load(&serving) != mine)
                sched_yield();
        data++;
        atomic_fetch_add(&serving, 1);
        return arg;
}
#define setter waiter
#elif SHAPE == 11 /* inline assembly */
static void *waiter(void *arg)
{
        int one = 1;

        for (;;) {
                one = 1;
                __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(lock_word) : : "memory");
                if (!one)
                        break;
                deeper(1);
        }
        data++;
        atomic_store(&lock_word, 0);
        return arg;
}
#define setter waiter
#elif SHAPE == 12 /* two places in one loop */
static void *waiter(void *arg)
{
        int v = 0;

        while (!try_once(&v) && !try_deep(2))
                ;
        return arg;
}
#elif SHAPE == 13 /* a read-write lock is tried */
static void *waiter(void *arg)
{
        while (pthread_rwlock_tryrdlock(&rwlock))
                deeper(1);
        pthread_rwlock_unlock(&rwlock);
        return arg;
}
#define setter writer
static void *writer(void *arg)
{
        pthread_rwlock_wrlock(&rwlock);
        data = 7;
        pthread_rwlock_unlock(&rwlock);
        return arg;
}
#elif SHAPE == 14 /* a semaphore is tried */
static void *waiter(void *arg)
{
        char text[40];

        while (sem_trywait(&sem))
                snprintf(text, sizeof text, "%d", 12);
        return arg;
}
#define setter poster
static void *poster(void *arg)
{
        sem_post(&sem);
        return arg;
}
#elif SHAPE == 15 /* two threads take turns */
static void *waiter(void *arg)
{
        for (int i = 0; i < 2; i++) {
                while (atomic_load(&turn) != 1)
                        deeper(i);
                atomic_store(&turn, 0);
        }
        return arg;
}
#define setter other
static void *other(void *arg)
{
        for (int i = 0; i < 2; i++) {
                while (atomic_load(&turn) != 0)
                        big_frame();
                atomic_store(&turn, 1);
        }
        return arg;
}
#elif SHAPE == 16 /* memory is allocated and freed */
static void *waiter(void *arg)
{
        bool ok;

        do {
                struct reply *r = malloc(sizeof *r);

                *r = ask();
                ok = r->ok;
                free(r);
        } while (!ok);
        return arg;
}
#elif SHAPE == 17 /* only a comparison reads; the setter writes more than once */
static char text[16];
static void *waiter(void *arg)
{
        char *volatile p = text;

        while (memcmp(p, "ready", 5))
                ;
        return arg;
}
#define setter texts
static void *texts(void *arg)
{
        strcpy(text, "soon");
        strcpy(text, "ready");
        return arg;
}
#elif SHAPE == 18 /* only a copy reads; another function clears its frame meanwhile, and it waits longer each time */
static struct reply answer;
static NOINLINE void wait_for(const unsigned *p)
{
        struct reply pad[3];

        memset(pad, 0, sizeof pad);
        usleep(*p + (unsigned)pad[1].value);
}
static void *waiter(void *arg)
{
        struct reply *volatile p = &answer, r;
        unsigned wait = 1;

        for (memcpy(&r, p, sizeof r); !r.ok; memcpy(&r, p, sizeof r)) {
                wait_for(&wait);
                wait = wait < 4 ? 2 * wait : wait;
        }
        return arg;
}
#define setter answers
static void *answers(void *arg)
{
        answer.value = 1;
        answer.ok = true;
        return arg;
}
#endif

int main(void)
{
        pthread_t t, u;

        (void)setter, (void)try_once, (void)ask, (void)try_deep, (void)big_frame, (void)turn, (void)lock_word;
        (void)next_ticket, (void)serving;
        sem_init(&sem, 0, 0);
        pthread_create(&t, NULL, waiter, NULL);
        pthread_create(&u, NULL, setter, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}

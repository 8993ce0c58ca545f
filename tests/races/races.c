/*
 * Small programs with and without data races, chosen by -DCASE=N; races.tsv says what must be reported of each.  Accesses
 * that race are in lines with a tag, such as A1.
 */
#include "races.h"

#if CASE == 1 /* Blum and Gibson 2016, figure 3(a): a lock of no concern hides the race in the first execution */
THREAD(one)
{
        x = 1; /* A1 */
        LOCK();
        UNLOCK();
        return arg;
}
THREAD(two)
{
        LOCK();
        UNLOCK();
        x = 2; /* A2 */
        return arg;
}
#elif CASE == 2 /* Blum and Gibson 2016, figure 3(b): never a race, but a candidate of limited happens-before */
static _Bool flag;
THREAD(one)
{
        x = 1; /* A1 */
        LOCK();
        flag = 1;
        UNLOCK();
        return arg;
}
THREAD(two)
{
        LOCK();
        _Bool seen = flag;
        UNLOCK();
        if (seen)
                x = 2; /* A2 */
        return arg;
}
#elif CASE == 3 /* Blum and Gibson 2016, figure 5: recycled memory */
static int *published;
THREAD(one)
{
        int *p = malloc(64);
        LOCK();
        *p = 1;
        UNLOCK();
        free(p);
        return arg;
}
THREAD(two)
{
        int *q = malloc(64);
        *q = 1;
        LOCK();
        published = q;
        UNLOCK();
        *q = 2;
        return arg;
}
#elif CASE == 4 /* Blum and Gibson 2016, figure 6: recycled memory, and an old pointer to it */
static int *published;
THREAD(one)
{
        int *p = malloc(64);
        LOCK();
        published = p;
        UNLOCK();
        *p = 1; /* A1 */
        LOCK();
        free(p); /* A3 */
        published = NULL;
        UNLOCK();
        return arg;
}
THREAD(two)
{
        LOCK();
        int *old = published;
        UNLOCK();
        int *q = malloc(64);
        LOCK();
        if (old && published == old)
                *old = 2; /* A2 */
        UNLOCK();
        free(q);
        return arg;
}
#elif CASE == 5 /* publication: release and acquire */
static atomic_int ready;
THREAD(one)
{
        x = 1;
        atomic_store_explicit(&ready, 1, memory_order_release);
        return arg;
}
THREAD(two)
{
        if (atomic_load_explicit(&ready, memory_order_acquire))
                assert(x == 1);
        return arg;
}
#elif CASE == 6 /* ... relaxed: no order, although this memory model has no other */
static atomic_int ready;
THREAD(one)
{
        x = 1; /* A1 */
        atomic_store_explicit(&ready, 1, memory_order_relaxed);
        return arg;
}
THREAD(two)
{
        if (atomic_load_explicit(&ready, memory_order_relaxed))
                y = x; /* A2 */
        return arg;
}
#elif CASE == 7 /* ... by fences */
static atomic_int ready;
THREAD(one)
{
        x = 1;
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&ready, 1, memory_order_relaxed);
        return arg;
}
THREAD(two)
{
        if (atomic_load_explicit(&ready, memory_order_relaxed)) {
                atomic_thread_fence(memory_order_acquire);
                assert(x == 1);
        }
        return arg;
}
#elif CASE == 8 /* a plain and an atomic access */
static atomic_int counter;
THREAD(one)
{
        atomic_fetch_add(&counter, 1); /* A1 */
        return arg;
}
THREAD(two)
{
        *(int *)&counter = 5; /* A2 */
        return arg;
}
#elif CASE == 9 /* a lost update, and the failure that it makes */
THREAD(one)
{
        x++; /* A1 */
        return arg;
}
#define two one
#define FINALLY assert(x == 2)
#elif CASE == 10 /* a flag of one's own making: the flag races, the data can come in one order only */
static volatile int flag;
THREAD(one)
{
        x = 1;    /* A1 */
        flag = 1; /* B1 */
        return arg;
}
THREAD(two)
{
        while (!flag) /* B2 */
                ;
        y = x; /* A2 */
        return arg;
}
#elif CASE == 11 /* neighbours: different bytes are not a race, overlapping ones are */
static union {
        char byte[8];
        short half[4];
        int word[2];
} u;
THREAD(one)
{
        u.byte[0] = 1;
        u.byte[5] = 1; /* A1 */
        return arg;
}
THREAD(two)
{
        u.byte[1] = 1;
        u.half[1] = 1;
        u.word[1] = 1; /* A2 */
        return arg;
}
#elif CASE == 12 /* read-write lock: writing under a lock for reading */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
THREAD(one)
{
        pthread_rwlock_rdlock(&l);
        x = 1; /* A1 */
        pthread_rwlock_unlock(&l);
        pthread_rwlock_wrlock(&l);
        y = 1;
        pthread_rwlock_unlock(&l);
        return arg;
}
THREAD(two)
{
        pthread_rwlock_rdlock(&l);
        x = 2; /* A2 */
        int seen = y;
        pthread_rwlock_unlock(&l);
        (void)seen;
        return arg;
}
#elif CASE == 13 /* semaphore, condition variable, create and join */
static sem_t s;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;
THREAD(one)
{
        x = 1;
        sem_post(&s);
        LOCK();
        done = 1;
        pthread_cond_signal(&c);
        UNLOCK();
        return arg;
}
THREAD(two)
{
        sem_wait(&s);
        x = 2;
        LOCK();
        while (!done)
                pthread_cond_wait(&c, &m);
        y = done;
        UNLOCK();
        return arg;
}
#define BEFORE sem_init(&s, 0, 0)
#elif CASE == 14 /* atomic sections are atomic for one another, not for others */
THREAD(one)
{
        heddle_atomic_begin();
        x++;
        y++; /* A1 */
        heddle_atomic_end();
        return arg;
}
THREAD(two)
{
        heddle_atomic_begin();
        x++;
        heddle_atomic_end();
        y = 7; /* A2 */
        return arg;
}
#elif CASE == 15 /* not checked by request */
THREAD(one)
{
        heddle_ignore_begin();
        x = 1;
        heddle_ignore_end();
        return arg;
}
THREAD(two)
{
        x = 2;
        return arg;
}
#elif CASE == 16 /* access against free */
static int *block;
THREAD(one)
{
        *block = 1; /* A1 */
        return arg;
}
THREAD(two)
{
        usleep(1);
        return arg;
}
#define BEFORE block = malloc(4)
#define MEANWHILE free(block) /* A2 */
#elif CASE == 17 /* through memcpy, and through a pipe */
static char text[16];
static int ends[2];
THREAD(one)
{
        memcpy(text, "0123456", 8); /* A1 */
        x = 1;
        if (write(ends[1], "x", 1) != 1)
                abort();
        return arg;
}
THREAD(two)
{
        char copy[16], c;
        memcpy(copy, text, 4); /* A2 */
        if (read(ends[0], &c, 1) != 1)
                abort();
        x = 2;
        return arg;
}
#define BEFORE if (pipe(ends)) abort()
#elif CASE == 18 /* an update continues with the release sequence, a relaxed store breaks it */
static atomic_int a, b;
THREAD(one)
{
        x = 1;
        y = 1; /* A1 */
        atomic_store_explicit(&a, 1, memory_order_release);
        atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);
        atomic_store_explicit(&b, 1, memory_order_release);
        atomic_store_explicit(&b, 2, memory_order_relaxed);
        return arg;
}
THREAD(two)
{
        if (atomic_load_explicit(&b, memory_order_acquire) == 2)
                y = 2; /* A2 */
        else if (atomic_load_explicit(&a, memory_order_acquire) == 2)
                x = 2;
        return arg;
}
#elif CASE == 19 /* a lock that is released by a store, and a load of the own store */
static pthread_spinlock_t spin;
THREAD(one)
{
        pthread_spin_lock(&spin);
        x = x + 1;
        pthread_spin_unlock(&spin);
        y = 1; /* B1 */
        return arg;
}
THREAD(two)
{
        int seen;
        pthread_spin_lock(&spin);
        x = x + 1;
        pthread_spin_unlock(&spin);
        y = 2, seen = y; /* B2 */
        return arg;
}
#define BEFORE pthread_spin_init(&spin, 0)
#elif CASE == 20 /* once: who finds it done knows what was done, whatever waits in its buffer */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int late;
static void set(void)
{
        x = 1;
}
THREAD(one)
{
        LOCK();
        pthread_once(&once, set);
        UNLOCK();
        atomic_store_explicit(&late, 1, memory_order_relaxed);
        return arg;
}
THREAD(two)
{
        atomic_store_explicit(&late, 2, memory_order_relaxed);
        pthread_once(&once, set);
        if (x != 1)
                abort();
        return arg;
}
#elif CASE == 21 /* before a barrier and after it; and after it only */
static pthread_barrier_t b;
THREAD(one)
{
        x = 1;
        pthread_barrier_wait(&b);
        y = x; /* A1 */
        return arg;
}
THREAD(two)
{
        pthread_barrier_wait(&b);
        y = x + 1; /* A2 */
        return arg;
}
#define BEFORE pthread_barrier_init(&b, NULL, 2)
#elif CASE == 22 /* bit-fields of one word */
static struct {
        unsigned i : 3, j : 5;
} bits;
THREAD(one)
{
        bits.i = 1; /* A1 */
        return arg;
}
THREAD(two)
{
        bits.j = 2; /* A2 */
        return arg;
}
#elif CASE == 23 /* a lock of another kind excludes no thread, and a try that fails does not go in */
static pthread_spinlock_t s;
THREAD(one)
{
        pthread_spin_lock(&s);
        x++; /* A1 */
        pthread_spin_unlock(&s);
        if (!pthread_mutex_trylock(&m)) {
                y++;
                UNLOCK();
        }
        return arg;
}
THREAD(two)
{
        LOCK();
        x++; /* A2 */
        y++;
        UNLOCK();
        return arg;
}
#define BEFORE pthread_spin_init(&s, 0)
#elif CASE == 41 /* a mutex, also one that is free at once under a wakeup policy */
THREAD(one)
{
        LOCK();
        x++;
        UNLOCK();
        return arg;
}
#define two one
#elif CASE == 42 /* the same with a semaphore */
static sem_t token;
THREAD(one)
{
        sem_wait(&token);
        x++;
        sem_post(&token);
        return arg;
}
#define two one
#define BEFORE sem_init(&token, 0, 1)
#elif CASE == 43 /* ... with a read-write lock and a deadline */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
THREAD(one)
{
        if (!pthread_rwlock_timedwrlock(&l, &(struct timespec){.tv_sec = 1L << 40})) {
                x++;
                pthread_rwlock_unlock(&l);
        }
        return arg;
}
#define two one
#elif CASE == 44 /* readers do not exclude each other */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
THREAD(one)
{
        pthread_rwlock_rdlock(&l);
        x = 1; /* A1 */
        pthread_rwlock_unlock(&l);
        return arg;
}
THREAD(two)
{
        pthread_rwlock_rdlock(&l);
        x = 2; /* A2 */
        pthread_rwlock_unlock(&l);
        return arg;
}
#elif CASE == 40 /* a compare-and-swap beside a plain write, where races may not be reported */
THREAD(one)
{
        int old = 0;
        __atomic_compare_exchange_n(&y, &old, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); /* A1 */
        return arg;
}
THREAD(two)
{
        y = 2; /* A2 */
        return arg;
}
#endif

#include "../programs/nothing.h"

int main(void)
{
        pthread_t t1, t2;

        BEFORE;
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
        MEANWHILE; /* A2 */
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
        FINALLY;
        return 0;
}

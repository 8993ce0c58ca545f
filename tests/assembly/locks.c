/*
 * Locks and counters as course projects and kernels have them, in inline assembly (-DASM) or with the atomics of C11.  Both
 * must have the same executions.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifdef ASM
typedef volatile unsigned word;

static inline unsigned xchg(word *p, unsigned v) /* as in xv6 */
{
        unsigned result;
        __asm__ volatile("lock; xchgl %0, %1" : "+m"(*p), "=a"(result) : "1"(v) : "cc", "memory");
        return result;
}
static inline unsigned xadd(word *p, unsigned v)
{
        __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "cc", "memory");
        return v;
}
static inline unsigned cas(word *p, unsigned old, unsigned v)
{
        unsigned char same;
        __asm__ volatile("lock; cmpxchgl %3, %1\n sete %0" : "=q"(same), "+m"(*p), "+a"(old) : "r"(v) : "cc", "memory");
        return same;
}
static inline void atomic_inc(word *p) { __asm__ volatile("lock; incl %0" : "+m"(*p) : : "cc"); } /* as in Linux */
static inline int dec_and_test(word *p)
{
        unsigned char zero;
        __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "cc", "memory");
        return zero;
}
static inline int test_and_set(word *p)
{
        int was;
        __asm__ volatile("lock; btsl $3, %1\n sbbl %0, %0" : "=r"(was), "+m"(*p) : : "cc", "memory");
        return was;
}
static inline void clear(word *p) { __asm__ volatile("lock; andl $-9, %0" : "+m"(*p) : : "cc", "memory"); }
#else
typedef atomic_uint word;

static inline unsigned xchg(word *p, unsigned v) { return atomic_exchange(p, v); }
static inline unsigned xadd(word *p, unsigned v) { return atomic_fetch_add(p, v); }
static inline unsigned cas(word *p, unsigned old, unsigned v) { return atomic_compare_exchange_strong(p, &old, v); }
static inline void atomic_inc(word *p) { atomic_fetch_add(p, 1); }
static inline int dec_and_test(word *p) { return atomic_fetch_sub(p, 1) == 1; }
static inline int test_and_set(word *p) { return (atomic_fetch_or(p, 8) & 8) != 0; }
static inline void clear(word *p) { atomic_fetch_and(p, ~8u); }
#endif

static inline void relax(void) { __asm__ volatile("pause"); }
static inline unsigned look(word *p) { return atomic_load_explicit((atomic_uint *)p, memory_order_acquire); }
static inline void put(word *p, unsigned v) { atomic_store_explicit((atomic_uint *)p, v, memory_order_release); }

static word lock_word, serving;
static int counter;

#if defined XCHG
static void lock(void) { while (xchg(&lock_word, 1)) relax(); }
static void unlock(void) { xchg(&lock_word, 0); }
#elif defined TTAS
static void lock(void) { while (look(&lock_word) || xchg(&lock_word, 1)) relax(); }
static void unlock(void) { put(&lock_word, 0); }
#elif defined TICKET
static void lock(void) { unsigned mine = xadd(&lock_word, 1); while (look(&serving) != mine) relax(); }
static void unlock(void) { put(&serving, look(&serving) + 1); }
#elif defined CAS
static void lock(void) { while (!cas(&lock_word, 0, 1)) relax(); }
static void unlock(void) { xchg(&lock_word, 0); }
#elif defined BIT
static void lock(void) { while (test_and_set(&lock_word)) relax(); }
static void unlock(void) { clear(&lock_word); }
#elif defined BROKEN /* looks, and only then takes it */
static void lock(void) { while (look(&lock_word)) relax(); xchg(&lock_word, 1); }
static void unlock(void) { xchg(&lock_word, 0); }
#endif

#if defined STACK /* Treiber's, of numbers */
static struct node { unsigned next; int value; } nodes[THREADS + 1];
static word top;

static void push(unsigned n)
{
        unsigned old;
        do
                nodes[n].next = old = look(&top);
        while (!cas(&top, old, n));
}
static void *work(void *arg)
{
        unsigned n = (unsigned)(size_t)arg;
        nodes[n].value = (int)n;
        push(n);
        return NULL;
}
static void check(void)
{
        int sum = 0;
        for (unsigned n = look(&top); n; n = nodes[n].next)
                sum += nodes[n].value;
        assert(sum == THREADS * (THREADS + 1) / 2);
}
#elif defined REFERENCES
static word references = THREADS;
static int freed;

static void *work(void *arg)
{
        (void)arg;
        atomic_inc(&references);
        if (dec_and_test(&references))
                assert(0);
        if (dec_and_test(&references))
                freed++;
        return NULL;
}
static void check(void) { assert(freed == 1); }
#else
static void *work(void *arg)
{
        (void)arg;
        lock();
        counter++;
        unlock();
        return NULL;
}
static void check(void) { assert(counter == THREADS); }
#endif

int main(void)
{
        pthread_t t[THREADS];

        (void)&lock_word, (void)&serving, (void)&counter, (void)xadd, (void)cas, (void)atomic_inc, (void)dec_and_test;
        (void)test_and_set, (void)clear, (void)xchg, (void)relax;
        for (int i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, work, (void *)(size_t)(i + 1));
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        check();
        return 0;
}

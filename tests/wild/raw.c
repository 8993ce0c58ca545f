/* A lock of inline assembly, with the futex call as an instruction, in a program that the machine's compiler built.  The
 * argument names the case. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static int32_t word, other_word; /* 0: free, 1: held, 2: held, and there may be waiters */
static int n;

static long futex(int32_t *w, int op, int32_t value)
{
        register long timeout __asm__("r10") = 0;
        long r;

        __asm__ volatile("syscall"
                         : "=a"(r)
                         : "a"(SYS_futex), "D"(w), "S"(op), "d"(value), "r"(timeout)
                         : "rcx", "r11", "memory");
        return r;
}

static int32_t exchange(int32_t *w, int32_t value)
{
        __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*w)::"memory");
        return value;
}

static int32_t compare(int32_t *w, int32_t old, int32_t value)
{
        __asm__ volatile("lock cmpxchgl %2, %1" : "+a"(old), "+m"(*w) : "r"(value) : "memory");
        return old;
}

static void lock(int32_t *w)
{
        if (compare(w, 0, 1) == 0)
                return;
        while (exchange(w, 2) != 0)
                futex(w, FUTEX_WAIT_PRIVATE, 2);
}

static void unlock(int32_t *w)
{
        if (exchange(w, 0) == 2)
                futex(w, FUTEX_WAKE_PRIVATE, 1);
}

/* It forgets that a third thread may wait. */
static void lock_badly(int32_t *w)
{
        while (compare(w, 0, 1) != 0) {
                exchange(w, 2);
                futex(w, FUTEX_WAIT_PRIVATE, 2);
        }
}

static void *count(void *a)
{
        lock(&word);
        n++;
        unlock(&word);
        return a;
}

static void *count_badly(void *a)
{
        lock_badly(&word);
        n++;
        unlock(&word);
        return a;
}

static void *both(void *a)
{
        lock(a);
        lock(a == &word ? &other_word : &word);
        unlock(&word);
        unlock(&other_word);
        return a;
}

/* A wait that ends after some rounds, whatever others do: it is not a livelock.  The rounds are counted in a register, in memory
 * or in thread-local memory, none of which is seen. */
static volatile int rounds;
static __thread volatile int own_rounds;

static void *wait_a_while(void *kind)
{
        if (*(const char *)kind == 'r') {
                for (int i = 0; i < 100 && !__atomic_load_n(&word, __ATOMIC_ACQUIRE); i++)
                        ;
        } else if (*(const char *)kind == 'm') {
                for (rounds = 0; rounds < 100 && compare(&word, 0, 0) == 0;)
                        rounds = rounds + 1;
        } else {
                for (own_rounds = 0; own_rounds < 100 && compare(&word, 0, 0) == 0;)
                        own_rounds = own_rounds + 1;
        }
        lock(&other_word);
        n = 1;
        unlock(&other_word);
        return kind;
}

static void wait_for(const char *kind)
{
        pthread_t t;

        pthread_create(&t, NULL, wait_a_while, (void *)kind);
        pthread_join(t, NULL);
        exchange(&word, 1);
}

/* A lock that waits by plain loads in a loop that no operation is in; a plain store releases it. */
static void *count_by_loads(void *a)
{
        do {
                while (__atomic_load_n(&word, __ATOMIC_RELAXED))
                        __builtin_ia32_pause();
        } while (exchange(&word, 1) != 0);
        n++;
        __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
        return a;
}

/* A clock that is read until it has moved. */
static uint64_t ticks(void)
{
        uint64_t low, high;

        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        return high << 32 | low;
}

static void *count_after_ticks(void *a)
{
        for (uint64_t end = ticks() + 100000; ticks() < end;)
                ;
        return count(a);
}

/* The lock is released by a plain store, too early: what it protects is read and written in two steps. */
static void *add(void *a)
{
        int32_t old;

        while (compare(&word, 0, 1) != 0)
                sched_yield();
        old = __atomic_load_n(&other_word, __ATOMIC_RELAXED);
        __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
        exchange(&other_word, old + 1);
        return a;
}

/* Functions of their own take and release the lock, through pointers: by the code alone the store cannot be told from others. */
static struct cell {
        int64_t unused;
        int32_t word;
} cell;

__attribute__((noinline)) static int32_t take(struct cell *c)
{
        return compare(&c->word, 0, 1);
}

__attribute__((noinline)) static void give(int32_t *w)
{
        __atomic_store_n(w, 0, __ATOMIC_RELEASE);
}

/* The lock may be held. */
static void *never_busy(void *a)
{
        if (take(&cell) != 0)
                abort();
        n++;
        give(&cell.word);
        return a;
}

static void *busy(void *a)
{
        while (take(&cell) != 0)
                sched_yield();
        n++;
        give(&cell.word);
        return a;
}

static void run(void *(*f)(void *), void *a, void *b, int threads)
{
        pthread_t t[2];

        for (int i = 0; i < threads; i++)
                pthread_create(&t[i], NULL, f, b);
        f(a);
        for (int i = 0; i < threads; i++)
                pthread_join(t[i], NULL);
        if (f != both && n != threads + 1)
                abort();
}

int main(int argc, char **argv)
{
        const char *name = argc > 1 ? argv[1] : "";

        if (strcmp(name, "mutex") == 0)
                run(count, NULL, NULL, 1);
        else if (strcmp(name, "lost_wakeup") == 0)
                run(count_badly, NULL, NULL, 2);
        else if (strcmp(name, "lock_order") == 0)
                run(both, &word, &other_word, 1);
        else if (strcmp(name, "loads") == 0)
                run(count_by_loads, NULL, NULL, 1);
        else if (strcmp(name, "ticks") == 0)
                run(count_after_ticks, NULL, NULL, 1);
        else if (strcmp(name, "never_busy") == 0)
                run(never_busy, NULL, NULL, 1);
        else if (strcmp(name, "busy") == 0)
                run(busy, NULL, NULL, 1);
        else if (strncmp(name, "spin_", 5) == 0)
                wait_for(name + 5);
        else if (strcmp(name, "released") == 0) {
                pthread_t t;

                pthread_create(&t, NULL, add, NULL);
                add(NULL);
                pthread_join(t, NULL);
                if (other_word != 2)
                        abort();
        } else
                return 2;
        return 0;
}

/*
 * Two threads add two numbers to each other, N rounds each; the greatest result is the (2N+2)-th Fibonacci number.
 * 3, 19, 141, 1107, 8953, 73789 behaviours for N = 1 to 6, counted by walking all interleavings; there is no short
 * formula.
 *
 * REVERSE creates the threads in the other order.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef REVERSE
#define REVERSE 0
#endif

static atomic_int i = 1, j = 1;

static void *add_to_i(void *arg)
{
        (void)arg;
        for (int round = 0; round < N; round++) {
                int b = atomic_load(&j);
                int a = atomic_load(&i);
                atomic_store(&i, a + b);
        }
        return NULL;
}

static void *add_to_j(void *arg)
{
        (void)arg;
        for (int round = 0; round < N; round++) {
                int b = atomic_load(&i);
                int a = atomic_load(&j);
                atomic_store(&j, a + b);
        }
        return NULL;
}

static int fibonacci(int n)
{
        int previous = 0, current = 1;

        while (--n > 0) {
                int sum = previous + current;
                previous = current;
                current = sum;
        }
        return current;
}

int main(void)
{
        pthread_t t1, t2;

        pthread_create(&t1, NULL, REVERSE ? add_to_j : add_to_i, NULL);
        pthread_create(&t2, NULL, REVERSE ? add_to_i : add_to_j, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
#ifdef WRONG
        /* The bound is reached, but only by strictly alternating rounds. */
        assert(i < fibonacci(2 * N + 2) && j < fibonacci(2 * N + 2));
#else
        assert(i <= fibonacci(2 * N + 2) && j <= fibonacci(2 * N + 2));
#endif
        return 0;
}

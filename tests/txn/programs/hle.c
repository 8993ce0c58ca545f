/*
 * A spinlock with the prefixes of lock elision (xacquire, xrelease): the counter is exact.  LOST: released before the counter is
 * stored.
 */
#include "txn_test.h"

static int lock, c;

static void work(intptr_t me)
{
        int one = 1;
        int seen;

        (void)me;
        do {
                one = 1;
                __asm__ volatile("xacquire lock xchgl %0, %1" : "+r"(one), "+m"(lock) : : "memory");
        } while (one);
        seen = c;
#ifdef LOST
        __asm__ volatile("xrelease movl $0, %0" : "=m"(lock) : : "memory");
#endif
        c = seen + 1;
#ifndef LOST
        __asm__ volatile("xrelease movl $0, %0" : "=m"(lock) : : "memory");
#endif
}

int main(void)
{
        run();
        assert(c == K * N);
}

/*
 * The instructions themselves, in assembly: a transaction that aborts while the flag is raised, as in htm2.  LOST: the flag is not read.
 * SHORT: the instructions are at places where a jump to the runtime has no room.
 */
#include "txn_test.h"

static int c, stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#ifdef SHORT /* something jumps behind the instruction */
#define PAD(n) "jmp " #n "f\n" #n ":\n\t"
#else
#define PAD(n) "nop\n\tnop\n\t"
#endif

static unsigned begin(void)
{
        unsigned status = -1;

        __asm__ volatile("xbegin 1f\n1:" : "+a"(status) : : "memory");
        return status;
}

static int inside(void)
{
        unsigned char yes;

        __asm__ volatile("xtest\n\t" PAD(2) "setnz %0" : "=q"(yes) : : "memory", "cc");
        return yes;
}

static void work(intptr_t me)
{
        (void)me;
        assert(!inside());
        if (begin() == -1u) {
#ifndef LOST
                if (stop)
                        __asm__ volatile("xabort $7\n\t" PAD(3) : : : "memory");
#endif
                c += inside();
                __asm__ volatile("xend\n\t" PAD(4) : : : "memory");
                return;
        }
        pthread_mutex_lock(&m);
        stop = 1;
        c++;
        stop = 0;
        pthread_mutex_unlock(&m);
}

int main(void)
{
        run();
        assert(c == K * N);
}

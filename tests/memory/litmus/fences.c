/*
 * Store buffering (-DMP: message passing) with the fences that programs write otherwise than C11 does.
 *
 *     -DFORM=...   what is between store and load (-DMP: between the stores)
 */
#include <stdatomic.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "../../litmus/litmus.h"

#define SYNC     __sync_synchronize()
#define MFENCE   __asm__ volatile("mfence" ::: "memory")
#define LOCK_ADD __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc")
#define LOCK_OR  __asm__ volatile("lock orl $0, (%%rsp)" ::: "memory", "cc")
#define LOCK_NEG __asm__ volatile("lock negl %0" : "+m"((int){1})::"memory", "cc")
#define MM       _mm_mfence()
#define SFENCE   _mm_sfence()
#define LFENCE   __asm__ volatile("lfence" ::: "memory")
#define COMPILER __asm__ volatile("" ::: "memory")
#define SIGNAL   atomic_signal_fence(memory_order_seq_cst)
#define PAUSE    __asm__ volatile("pause" ::: "memory")

static volatile int x, y;
int r1, r2;

#ifdef MP
static void *left(void *arg)
{
        x = 1;
        FORM;
        y = 1;
        return arg;
}

static void *right(void *arg)
{
        r1 = y;
        r2 = x;
        return arg;
}
#else
static void *left(void *arg)
{
        x = 1;
        FORM;
        r1 = y;
        return arg;
}

static void *right(void *arg)
{
        y = 1;
        FORM;
        r2 = x;
        return arg;
}
#endif

int main(void)
{
        RUN(left, right);
}

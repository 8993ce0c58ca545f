/* What is not understood, and what is none of heddle's business. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>

static volatile int shared;

#if defined NEG
#define DO __asm__ volatile("lock negl %0" : "+m"(shared) : : "cc")
#elif defined UNLOCKED
#define DO __asm__ volatile("xaddl %0, %1" : "+r"(one), "+m"(shared) : : "cc")
#elif defined SEGMENT
static _Thread_local int own;
#define DO __asm__ volatile("lock incl %0" : "+m"(own) : : "cc")
#elif defined NARROW
#define DO __asm__ volatile("lock addl $1, (%%eax)" : : "a"(0) : "cc", "memory")
#elif defined TRAP
#define DO __asm__ volatile("lock incl %0" : "+m"(shared) : : "cc"); __builtin_trap()
#elif defined RAISE
#define DO __asm__ volatile("lock incl %0" : "+m"(shared) : : "cc"); raise(SIGTRAP)
#elif defined MIDDLE /* a jump into the middle: with the lock prefix or without */
#define DO __asm__ volatile("testl %1, %1\n je 1f\n lock\n 1: incl %0" : "+m"(shared) : "r"(one) : "cc")
#elif defined MOVED /* the store is moved out of the way, and crashes there */
#define DO __asm__ volatile("lock incl (%0)\n movl $1, (%1)" : : "r"(&shared), "r"((intptr_t)16) : "cc", "memory")
#elif defined COMPUTED /* what follows is jumped to: a trap */
#define DO                                                                         \
        void *to[] = {&&a, &&b, &&c};                                              \
        volatile int where = 1;                                                    \
        goto *to[where];                                                           \
a:      shared = 100;                                                              \
b:      where = 2;                                                                 \
        __asm__ volatile("lock incl (%0)" : : "r"(&shared) : "cc", "memory");      \
c:      __asm__ volatile("incl %0\n" : "+r"(one));                                 \
        if (one < 4)                                                               \
                goto *to[where]
#elif defined SCAN || defined IDLE_SCAN /* not understood, executed or not */
#ifdef SCAN
#define WHEN 1
#else
#define WHEN shared
#endif
#define DO                                                                                                           \
        const char *text = "text";                                                                                   \
        unsigned long rest = 10;                                                                                     \
        if (WHEN)                                                                                                    \
                __asm__ volatile("repne scasb" : "+D"(text), "+c"(rest) : "a"(0) : "cc", "memory")
#elif defined STRING /* a copy of what the other thread may have written or not */
static char from[64], to[64];
#define DO                                                                                                           \
        void *d = arg ? to : from;                                                                                   \
        const void *s = from;                                                                                        \
        unsigned long n = 64;                                                                                        \
        if (arg)                                                                                                     \
                __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");                              \
        else                                                                                                         \
                __asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(1) : "memory")
#elif defined SPLIT /* a macro that is begun in one block and ended in another: the assembler gets no marks */
__asm__(".macro twice");
__asm__("nop\n nop");
__asm__(".endm");
#define DO __asm__ volatile("twice")
#elif defined NOWHERE
#define DO __asm__ volatile("lock incl (%0)" : : "r"((intptr_t)16) : "cc", "memory")
#elif defined LOOP /* the counter is in a register that no call preserves: no spin loop */
#define DO                                                                                                   \
        for (one = 0; one < 5; one++)                                                                        \
                __asm__ volatile("lock orl %1, %0" : "+m"(shared) : "r"(one == 4 ? 2 : 0) : "cc", "memory"); \
        while (!(*(volatile int *)&shared & 2))
#elif defined RED_ZONE /* the same, with the counter where a leaf function may keep it */
__attribute__((noinline)) static void leaf(void)
{
        __asm__ volatile("movl $0, -8(%%rsp)\n"
                         "1: xorl %%eax, %%eax\n cmpl $4, -8(%%rsp)\n sete %%al\n addl %%eax, %%eax\n"
                         "lock orl %%eax, %0\n"
                         "xorl %%eax, %%eax\n incl -8(%%rsp)\n cmpl $5, -8(%%rsp)\n jne 1b"
                         : "+m"(shared) : : "rax", "cc", "memory");
}
#define DO leaf()
#endif

static void *work(void *arg)
{
        int one = 1;
        (void)arg, (void)one;
        DO;
        return NULL;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, NULL, work, NULL);
        pthread_create(&u, NULL, work, (void *)1);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
#ifdef COMPUTED
        return shared == 2 ? 0 : 1;
#endif
#ifdef STRING
        assert(to[0] && to[63]);
#endif
#if defined LOOP || defined RED_ZONE
        return shared == 2 ? 0 : 1;
#endif
        return 0;
}

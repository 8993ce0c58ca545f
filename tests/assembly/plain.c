/*
 * Plain loads, stores and updates of inline assembly (-DASM), or what they are in C11: a load acquires, a store releases, an
 * update without a lock prefix is one of each.  Both must have the same executions.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ASM
typedef volatile unsigned word;
typedef volatile unsigned short half;

static inline unsigned xchg(word *p, unsigned v) /* this and release as in xv6 */
{
        unsigned result;
        __asm__ volatile("lock; xchgl %0, %1" : "+m"(*p), "=a"(result) : "1"(v) : "cc", "memory");
        return result;
}
static inline void release(word *p) { __asm__ volatile("movl $0, %0" : "+m"(*p) : : "memory"); }
/* The next ones as in Linux. */
#define READ_ONCE(x) ({ unsigned v_; __asm__ volatile("movl %1, %0" : "=r"(v_) : "m"(x) : "memory"); v_; })
#define WRITE_ONCE(x, v) __asm__ volatile("movl %1, %0" : "=m"(x) : "ri"(v) : "memory")
#define smp_mb() __asm__ volatile("lock; addl $0, -4(%%rsp)" : : : "memory", "cc")
static inline unsigned short ticket(half *next)
{
        unsigned short v = 1;
        __asm__ volatile("lock; xaddw %0, %1" : "+r"(v), "+m"(*next) : : "memory", "cc");
        return v;
}
static inline void await(half *owner, unsigned short mine)
{
        __asm__ volatile("1: cmpw %0, %1\n je 2f\n pause\n jmp 1b\n 2:" : : "m"(*owner), "r"(mine) : "memory", "cc");
}
static inline void leave(half *owner) { __asm__ volatile("incw %0" : "+m"(*owner) : : "memory", "cc"); }
static inline void increment(word *p) { __asm__ volatile("incl %0" : "+m"(*p) : : "cc"); }
static inline void negate(word *p) { __asm__ volatile("lock; negl %0" : "+m"(*p) : : "cc"); }
static inline void shift(word *p) { __asm__ volatile("shll $1, %0" : "+m"(*p) : : "cc"); }
static inline int bit(word *p, long n)
{
        unsigned char set;
        __asm__ volatile("btl %2, %1\n setc %0" : "=q"(set) : "m"(*p), "r"((int)n) : "cc", "memory");
        return set;
}
static inline void set_bit(word *p, long n) { __asm__ volatile("btsl %1, %0" : "+m"(*p) : "r"((int)n) : "cc", "memory"); }
#else
typedef atomic_uint word;
typedef atomic_ushort half;

#define LOAD(p)     atomic_load_explicit((p), memory_order_acquire)
#define STORE(p, v) atomic_store_explicit((p), (v), memory_order_release)
static inline unsigned xchg(word *p, unsigned v) { return atomic_exchange(p, v); }
static inline void release(word *p) { STORE(p, 0); }
#define READ_ONCE(x) LOAD(&(x))
#define WRITE_ONCE(x, v) STORE(&(x), v)
#define smp_mb() atomic_thread_fence(memory_order_seq_cst)
static inline unsigned short ticket(half *next) { return atomic_fetch_add(next, 1); }
static inline void await(half *owner, unsigned short mine) { while (LOAD(owner) != mine); }
static inline void leave(half *owner) { STORE(owner, (unsigned short)(LOAD(owner) + 1)); }
static inline void increment(word *p) { STORE(p, LOAD(p) + 1); }
static inline void negate(word *p) { atomic_fetch_xor(p, 1); }
static inline void shift(word *p) { STORE(p, LOAD(p) << 1); }
static inline int bit(word *p, long n) { return LOAD(p + n / 32) >> n % 32 & 1; }
static inline void set_bit(word *p, long n) { STORE(p + n / 32, LOAD(p + n / 32) | 1u << n % 32); }
#endif

static word x, y, many[4];
static half next, owner;
static unsigned r1, r2, counter;

#if defined XV6 /* x is the lock */
static void *one(void *arg)
{
        while (xchg(&x, 1) != 0);
        counter++;
        release(&x);
        return arg;
}
#define two one
#define CHECK counter == 2
#elif defined TICKET
static void *one(void *arg)
{
        await(&owner, ticket(&next));
        counter++;
        leave(&owner);
        return arg;
}
#define two one
#define CHECK counter == 2
#elif defined SB || defined SB_MB
#ifdef SB
#undef smp_mb
#define smp_mb() __asm__ volatile("" : : : "memory")
#endif
static void *one(void *arg) { WRITE_ONCE(x, 1); smp_mb(); r1 = READ_ONCE(y); return arg; }
static void *two(void *arg) { WRITE_ONCE(y, 1); smp_mb(); r2 = READ_ONCE(x); return arg; }
#define CHECK r1 || r2
#elif defined MP
static void *one(void *arg) { counter = 1; WRITE_ONCE(x, 1); WRITE_ONCE(y, 1); return arg; }
static void *two(void *arg) { if (READ_ONCE(y)) assert(READ_ONCE(x) && counter); return arg; }
#define CHECK 1
#elif defined LOST
static void *one(void *arg) { increment(&x); return arg; }
#define two one
#define CHECK READ_ONCE(x) == 2
#elif defined UPDATES
static void *one(void *arg) { increment(&x); shift(&x); negate(&y); return arg; }
static void *two(void *arg) { increment(&x); negate(&y); return arg; }
#define CHECK READ_ONCE(y) == 0
#elif defined BITS
static void *one(void *arg) { set_bit(many, 70); r1 = (unsigned)bit(many, 33); return arg; }
static void *two(void *arg) { set_bit(many, 33); r2 = (unsigned)bit(many, 70); return arg; }
#define CHECK READ_ONCE(many[2]) == 64 && READ_ONCE(many[1]) == 2 && (r1 || r2)
#endif

int main(void)
{
        pthread_t t, u;

        (void)xchg, (void)release, (void)ticket, (void)await, (void)leave, (void)increment, (void)negate, (void)shift;
        (void)bit, (void)set_bit, (void)&x, (void)&y, (void)many, (void)&next, (void)&owner, (void)r1, (void)r2;
        pthread_create(&t, NULL, one, NULL);
        pthread_create(&u, NULL, two, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(CHECK);
        return 0;
}

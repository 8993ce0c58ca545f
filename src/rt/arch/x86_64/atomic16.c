/*
 * Atomics of 16 bytes under the names of libatomic, which compilers call for them: visible operations in a target, and
 * cmpxchg16b anywhere else.
 */
#include "rt/arch/x86_64/stub.h"
#include "rt/rt.h"

typedef unsigned __int128 u128;

/* atomic.c */
u128 atomic128_load(const volatile u128 *a, int mo);
void atomic128_store(volatile u128 *a, u128 v, int mo);
u128 atomic128_exchange(volatile u128 *a, u128 v, int mo);
int atomic128_cas_strong(volatile u128 *a, u128 *expected, u128 v, int mo, int fmo);

static bool cas16(volatile u128 *a, u128 *expected, u128 v)
{
        uint64_t lo = (uint64_t)*expected, hi = (uint64_t)(*expected >> 64);
        bool ok;

        __asm__ volatile("lock cmpxchg16b %1"
                         : "=@ccz"(ok), "+m"(*a), "+a"(lo), "+d"(hi)
                         : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
                         : "memory");
        *expected = (u128)hi << 64 | lo;
        return ok;
}

static u128 load16(volatile u128 *a)
{
        u128 v = 0;

        cas16(a, &v, 0);
        return v;
}

RT_STUB(__atomic_load_16, libatomic_load, "default")
u128 libatomic_load(const volatile void *a, int mo) __attribute__((used, visibility("hidden")));
u128 libatomic_load(const volatile void *a, int mo)
{
        return rt_cur ? atomic128_load(a, mo) : load16((volatile u128 *)(uintptr_t)a);
}

RT_STUB(__atomic_compare_exchange_16, libatomic_cas, "default")
bool libatomic_cas(volatile void *a, void *expected, u128 v, int mo, int fmo)
        __attribute__((used, visibility("hidden")));
bool libatomic_cas(volatile void *a, void *expected, u128 v, int mo, int fmo)
{
        return rt_cur ? atomic128_cas_strong(a, expected, v, mo, fmo) : cas16(a, expected, v);
}

RT_STUB_VOID(__atomic_store_16, libatomic_store, "default")
void libatomic_store(volatile void *a, u128 v, int mo) __attribute__((used, visibility("hidden")));
void libatomic_store(volatile void *a, u128 v, int mo)
{
        u128 old;

        if (rt_cur) {
                atomic128_store(a, v, mo);
                return;
        }
        old = load16(a);
        while (!cas16(a, &old, v))
                ;
}

RT_STUB(__atomic_exchange_16, libatomic_exchange, "default")
u128 libatomic_exchange(volatile void *a, u128 v, int mo) __attribute__((used, visibility("hidden")));
u128 libatomic_exchange(volatile void *a, u128 v, int mo)
{
        u128 old;

        if (rt_cur)
                return atomic128_exchange(a, v, mo);
        old = load16(a);
        while (!cas16(a, &old, v))
                ;
        return old;
}

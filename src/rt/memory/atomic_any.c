/*
 * Atomic objects of any size, under the names of libatomic, which guards them by a lock of its own: each operation is one step
 * over the whole object, after a full fence.
 */
#include <stdbool.h>
#include <stddef.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/memory/access.h"
#include "rt/memory/atomic.h"
#include "rt/sched/arrival.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

static volatile char outside; /* held by a thread that is not one of the program's */

static enum arrival any_arrive(uint32_t op, const volatile void *a, size_t n, uintptr_t site)
{
        if (!rt_cur) {
                while (__atomic_test_and_set(&outside, __ATOMIC_ACQUIRE))
                        ;
                return ARRIVE_PRIVATE;
        }
        if (mm_is_weak())
                atomic_fence(__ATOMIC_SEQ_CST);
        return atomic_arrive(op, a, (uint32_t)n, site);
}

static void any_done(enum arrival how, const volatile void *a, size_t n, uint32_t mode, const void *value,
                     uint32_t flags)
{
        uint64_t low = 0;

        rt_copy(&low, value, n < 8 ? n : 8);
        if (rt_cur)
                atomic_done(how, a, (uint32_t)n, mode, low, flags);
}

static void any_leave(void)
{
        if (!rt_cur)
                __atomic_clear(&outside, __ATOMIC_RELEASE);
}

/* The other operands are plain memory of the caller. */
static void any_operand(uint32_t op, const void *p, size_t n, uintptr_t site)
{
        if (rt_cur)
                access_range(op, p, n, site);
}

RT_STUB_VOID(__atomic_load, atomic_any_load, "default")
void atomic_any_load(size_t n, const volatile void *a, void *to, int mo) __attribute__((used));
void atomic_any_load(size_t n, const volatile void *a, void *to, int mo)
{
        uintptr_t site = RT_STUB_SITE();
        enum arrival how = any_arrive(OP_LOAD, a, n, site);

        any_done(how, a, n, WIRE_MODE_READ, (const void *)(uintptr_t)a, atomic_order(mo));
        rt_copy(to, (const void *)(uintptr_t)a, n);
        any_leave();
        any_operand(OP_WRITE, to, n, site);
}

RT_STUB_VOID(__atomic_store, atomic_any_store, "default")
void atomic_any_store(size_t n, volatile void *a, const void *from, int mo) __attribute__((used));
void atomic_any_store(size_t n, volatile void *a, const void *from, int mo)
{
        uintptr_t site = RT_STUB_SITE();
        enum arrival how;

        any_operand(OP_READ, from, n, site);
        how = any_arrive(OP_RMW, a, n, site);
        any_done(how, a, n, WIRE_MODE_WRITE, from, atomic_order(mo));
        rt_copy((void *)(uintptr_t)a, from, n);
        any_leave();
}

RT_STUB_VOID(__atomic_exchange, atomic_any_exchange, "default")
void atomic_any_exchange(size_t n, volatile void *a, const void *from, void *to, int mo) __attribute__((used));
void atomic_any_exchange(size_t n, volatile void *a, const void *from, void *to, int mo)
{
        uintptr_t site = RT_STUB_SITE();
        enum arrival how;

        any_operand(OP_READ, from, n, site);
        any_operand(OP_WRITE, to, n, site);
        how = any_arrive(OP_RMW, a, n, site);
        any_done(how, a, n, WIRE_MODE_WRITE, from, atomic_order(mo));
        for (size_t i = 0; i < n; i++) { /* `to` may be `from` */
                char old = ((volatile char *)a)[i];

                ((volatile char *)a)[i] = ((const char *)from)[i];
                ((char *)to)[i] = old;
        }
        any_leave();
}

RT_STUB(__atomic_compare_exchange, atomic_any_cas, "default")
bool atomic_any_cas(size_t n, volatile void *a, void *expected, const void *from, int mo, int fmo)
        __attribute__((used));
bool atomic_any_cas(size_t n, volatile void *a, void *expected, const void *from, int mo, int fmo)
{
        uintptr_t site = RT_STUB_SITE();
        bool same = true;
        enum arrival how;

        any_operand(OP_READ, expected, n, site);
        any_operand(OP_READ, from, n, site);
        how = any_arrive(OP_CAS, a, n, site);
        for (size_t i = 0; i < n; i++)
                same = same && ((volatile char *)a)[i] == ((char *)expected)[i];
        any_done(how, a, n, same ? WIRE_MODE_WRITE : WIRE_MODE_READ, same ? from : (const void *)(uintptr_t)a,
                 same ? atomic_order(mo) : atomic_order(fmo) | WIRE_EV_FAILED);
        rt_copy(same ? (void *)(uintptr_t)a : expected, same ? from : (const void *)(uintptr_t)a, n);
        any_leave();
        if (!same)
                any_operand(OP_WRITE, expected, n, site);
        return same;
}

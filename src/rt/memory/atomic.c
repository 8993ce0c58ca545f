/*
 * Atomics of every size, performed here: the hook is the operation.  The memory order that was asked for is in the
 * entry, for the detection of races; what happens depends on it under weak memory only (weak.c).
 *
 * A compare-and-swap that fails, and nothing else, is a read.
 */
#include "rt/memory/atomic.h"

#include "rt/arch/x86_64/stub.h"
#include "rt/memory/access_entry.h"
#include "rt/memory/heap.h"
#include "rt/memory/memcheck.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment" /* 16 bytes go to x86_64/atomic16.c */
#endif

typedef unsigned __int128 u128;

#define LOW(v)  ((uint64_t)(v))
#define SPREAD  UINT64_C(0x9fb21c651e98df25)
#define BOTH(v) (LOW(v) ^ LOW((u128)(v) >> 64) * SPREAD) /* an argument, for comparisons of states */

enum arrival atomic_arrive(uint32_t op, const volatile void *a, uint32_t size, uintptr_t site)
{
        return op_arrive(rt_cur, op, (uint64_t)(uintptr_t)a, size, NULL, site);
}

/* The flags of an entry with this memory order (__ATOMIC_*; the hooks count the same way). */
uint32_t atomic_order(int mo)
{
        switch (mo & 7) {
        case __ATOMIC_RELAXED: return WIRE_EV_ATOMIC;
        case __ATOMIC_CONSUME:
        case __ATOMIC_ACQUIRE: return WIRE_EV_ATOMIC | WIRE_EV_ACQUIRE;
        case __ATOMIC_RELEASE: return WIRE_EV_ATOMIC | WIRE_EV_RELEASE;
        default: return WIRE_EV_ATOMIC | WIRE_EV_ACQUIRE | WIRE_EV_RELEASE;
        }
}

static struct wire_event *entry(struct thread *t, enum arrival how, uintptr_t a, uint32_t size, uint32_t mode,
                                uint64_t value)
{
        struct wire_event *e;

        if (mode == WIRE_MODE_READ)
                return access_read(t, how, a, size, value);
        if (RT_LIKELY(how != ARRIVE_BUFFERED))
                return op_log(t, how, mode, value);
        e = mm_store(t, OP_STORE, a, size);
        e->value = value;
        return e;
}

/* The entry; none of private memory. */
struct wire_event *atomic_done(enum arrival how, const volatile void *a, uint32_t size, uint32_t mode, uint64_t value,
                               uint32_t flags)
{
        struct thread *t = rt_cur;
        struct wire_event *e = entry(t, how, (uintptr_t)a, size, mode, value);

        memory_check(t, t->pend.op, (uintptr_t)a, size, t->pend.site);
        if (mode == WIRE_MODE_WRITE)
                spin_write(t, (uintptr_t)a, size);
        if (how == ARRIVE_PRIVATE) {
                if (t->spin.solo)
                        spin_read(t, (uintptr_t)a, size);
                return NULL;
        }
        e->flags |= (uint8_t)flags;
        if (size > 8 && rt.flags & WIRE_VALUES)
                access_words(t, e);
        if (e->op != OP_STORE)
                spin_read(t, (uintptr_t)a, size);
        return e;
}

/* Of an update.  In a loop whose rounds may be cut, one that leaves the value as it is is a read. */
static inline uint32_t update_mode(bool same)
{
        struct thread *t = rt_cur;

        if (RT_LIKELY(!t->spin.armed)) {
                rt.up->updates = 1;
                return WIRE_MODE_WRITE;
        }
        t->pend.op = OP_UPDATE;
        return same ? WIRE_MODE_READ : WIRE_MODE_WRITE;
}

void atomic_announce(uint32_t op, uintptr_t addr, uint32_t size, int mo)
{
        struct thread *t = rt_cur;
        const volatile void *a = (const volatile void *)addr;
        struct wire_event *e;
        enum arrival how;
        uint64_t v = 0;

        if (op == OP_STORE)
                t->weak.order = mo;
        how = atomic_arrive(op, a, size, RT_SITE());
        if (op == OP_LOAD && memory_is_there(addr))
                rt_copy(&v, (const void *)addr, size < 8 ? size : 8);
        e = atomic_done(how, a, size, op == OP_LOAD ? WIRE_MODE_READ : WIRE_MODE_WRITE, v, atomic_order(mo));
        if (e && op != OP_LOAD) {
                e->weak |= WIRE_WEAK_UNSAID;
                if (rt.flags & (WIRE_DETAIL | WIRE_VALUES))
                        t->unsaid = e;
        }
}

#define FETCH(bits, type, name, expr)                                                                              \
        RT_STUB(__tsan_atomic##bits##_##name, atomic##bits##_##name, "default")                                    \
        type atomic##bits##_##name(volatile type *a, type v, int mo) __attribute__((used));                        \
        type atomic##bits##_##name(volatile type *a, type v, int mo)                                               \
        {                                                                                                          \
                type old, now;                                                                                     \
                enum arrival how;                                                                                  \
                if (!rt_cur) {                                                                                     \
                        old = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                \
                        do                                                                                         \
                                now = (type)(expr);                                                                \
                        while (!__atomic_compare_exchange_n(a, &old, now, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
                        return old;                                                                                \
                }                                                                                                  \
                rt_cur->pend.arg = BOTH(v);                                                                        \
                how = atomic_arrive(OP_RMW, a, sizeof *a, RT_STUB_SITE());                                         \
                old = *a;                                                                                          \
                now = (type)(expr);                                                                                \
                atomic_done(how, a, sizeof *a, update_mode(old == now), LOW(now), atomic_order(mo));               \
                *a = now;                                                                                          \
                return old;                                                                                        \
        }

#define CAS_BODY(bits, type)                                                                                          \
        static inline __attribute__((always_inline)) bool cas##bits(volatile type *a, type *expected, type v, int mo, \
                                                                    int fmo, uintptr_t site)                          \
        {                                                                                                             \
                enum arrival how;                                                                                     \
                type old;                                                                                             \
                if (!rt_cur)                                                                                          \
                        return __atomic_compare_exchange_n(a, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
                rt_cur->pend.arg = BOTH(*expected) * (SPREAD - 2) + BOTH(v);                                          \
                how = atomic_arrive(OP_CAS, a, sizeof *a, site);                                                      \
                old = *a;                                                                                             \
                if (old != *expected) {                                                                               \
                        atomic_done(how, a, sizeof *a, WIRE_MODE_READ, LOW(old), atomic_order(fmo) | WIRE_EV_FAILED); \
                        *expected = old;                                                                              \
                        return false;                                                                                 \
                }                                                                                                     \
                atomic_done(how, a, sizeof *a, WIRE_MODE_WRITE, LOW(v), atomic_order(mo));                            \
                *a = v;                                                                                               \
                return true;                                                                                          \
        }

#define CAS(bits, type, name)                                                                        \
        RT_STUB(__tsan_atomic##bits##_compare_exchange_##name, atomic##bits##_cas_##name, "default") \
        int atomic##bits##_cas_##name(volatile type *a, type *expected, type v, int mo, int fmo)     \
                __attribute__((used));                                                               \
        int atomic##bits##_cas_##name(volatile type *a, type *expected, type v, int mo, int fmo)     \
        {                                                                                            \
                return cas##bits(a, expected, v, mo, fmo, RT_STUB_SITE());                           \
        }

#define ATOMICS(bits, type)                                                                                   \
        RT_STUB(__tsan_atomic##bits##_load, atomic##bits##_load, "default")                                   \
        type atomic##bits##_load(const volatile type *a, int mo) __attribute__((used));                       \
        type atomic##bits##_load(const volatile type *a, int mo)                                              \
        {                                                                                                     \
                enum arrival how;                                                                             \
                type v;                                                                                       \
                if (!rt_cur)                                                                                  \
                        return __atomic_load_n((volatile type *)(uintptr_t)a, __ATOMIC_SEQ_CST);              \
                how = atomic_arrive(OP_LOAD, a, sizeof *a, RT_STUB_SITE());                                   \
                v = *a;                                                                                       \
                atomic_done(how, a, sizeof *a, WIRE_MODE_READ, LOW(v), atomic_order(mo));                     \
                return v;                                                                                     \
        }                                                                                                     \
        RT_STUB_VOID(__tsan_atomic##bits##_store, atomic##bits##_store, "default")                            \
        void atomic##bits##_store(volatile type *a, type v, int mo) __attribute__((used));                    \
        void atomic##bits##_store(volatile type *a, type v, int mo)                                           \
        {                                                                                                     \
                enum arrival how;                                                                             \
                if (!rt_cur) {                                                                                \
                        if (mo == __ATOMIC_SEQ_CST)                                                           \
                                __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                     \
                        else                                                                                  \
                                __atomic_store_n(a, v, __ATOMIC_RELEASE);                                     \
                        return;                                                                               \
                }                                                                                             \
                rt_cur->weak.order = mo;                                                                      \
                rt_cur->pend.arg = BOTH(v);                                                                   \
                how = atomic_arrive(OP_STORE, a, sizeof *a, RT_STUB_SITE());                                  \
                atomic_done(how, a, sizeof *a, WIRE_MODE_WRITE, LOW(v), atomic_order(mo));                    \
                *a = v;                                                                                       \
        }                                                                                                     \
        FETCH(bits, type, exchange, ((void)old, v))                                                           \
        FETCH(bits, type, fetch_add, old + v)                                                                 \
        FETCH(bits, type, fetch_sub, old - v)                                                                 \
        FETCH(bits, type, fetch_and, old &v)                                                                  \
        FETCH(bits, type, fetch_or, old | v)                                                                  \
        FETCH(bits, type, fetch_xor, old ^ v)                                                                 \
        FETCH(bits, type, fetch_nand, ~(old & v))                                                             \
        CAS_BODY(bits, type)                                                                                  \
        CAS(bits, type, strong)                                                                               \
        CAS(bits, type, weak)                                                                                 \
        RT_STUB(__tsan_atomic##bits##_compare_exchange_val, atomic##bits##_cas_val, "default")                \
        type atomic##bits##_cas_val(volatile type *a, type c, type v, int mo, int fmo) __attribute__((used)); \
        type atomic##bits##_cas_val(volatile type *a, type c, type v, int mo, int fmo)                        \
        {                                                                                                     \
                cas##bits(a, &c, v, mo, fmo, RT_STUB_SITE());                                                 \
                return c;                                                                                     \
        }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, u128)

RT_STUB_VOID(__tsan_atomic_thread_fence, atomic_fence, "default")
void atomic_fence(int mo) __attribute__((used));
void atomic_fence(int mo)
{
        if (!rt_cur) {
                if (mo == __ATOMIC_SEQ_CST)
                        __atomic_thread_fence(__ATOMIC_SEQ_CST);
                else
                        __atomic_thread_fence(__ATOMIC_ACQ_REL);
                return;
        }
        mm_fence(rt_cur, mo);
        op_log(rt_cur, op_arrive(rt_cur, OP_FENCE, 0, 0, NULL, RT_STUB_SITE()), WIRE_MODE_NONE, 0)->flags |=
                (uint8_t)atomic_order(mo);
}

RT_EXPORT void __tsan_atomic_signal_fence(int mo);
void __tsan_atomic_signal_fence(int mo)
{
        (void)mo;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

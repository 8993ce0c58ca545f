/*
 * Plain accesses: the hooks that `-fsanitize=thread` code calls before every load and store.
 *
 * The common case is memory that one thread owns: two loads, a compare, return.  Everything else goes, by a tail call
 * through access_stub (which keeps the caller's registers for spin detection), to access_slow().
 */
#include "rt/memory/access.h"

#include "rt/arch/x86_64/access.h"
#include "rt/arch/x86_64/stub.h"
#include "rt/memory/access_entry.h"
#include "rt/memory/access_part.h"
#include "rt/memory/atomic.h"
#include "rt/memory/heap.h"
#include "rt/memory/memcheck.h"
#include "rt/memory/own.h"
#include "rt/memory/shadow.h"
#include "rt/memory/torn.h"
#include "rt/memory/unsettled.h"
#include "rt/position.h"
#include "rt/sched/arrival.h"
#include "rt/trace/callstack_state.h"
#include "rt/trace/log.h"
#include "rt/sched/marks.h"
#include "rt/sched/operation.h"
#include "rt/loops/cut.h"
#include "rt/loops/masks.h"
#include "rt/loops/registers.h"
#include "rt/loops/spin.h"
#include "rt/loops/tracking.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/weak/mm.h"
#include "rt/world/access_fault.h"

#define INFO(op, size) ((uint32_t)(op) << 24 | (uint32_t)(size))
/* With INFO: the program makes the access itself, right after it; and was it announced by a compiler? */
#define BY_PROGRAM 0x80000000u
#define BY_HOOK    (0x40000000u | BY_PROGRAM)

_Static_assert(ACCESS_MARK == WIRE_NOW + offsetof(struct wire_now, mark) &&
                       ACCESS_ADDRESS == WIRE_NOW + offsetof(struct wire_now, address) &&
                       ACCESS_INFO == WIRE_NOW + offsetof(struct wire_now, info) && ACCESS_SIZE == WIRE_INLINE_SIZE &&
                       ACCESS_FLIP == WIRE_SHADOW_FLIP && ACCESS_SKEW == WIRE_SHADOW_SKEW && RT_SLOW == 4 << 12 &&
                       RT_KNOWN == (8 | 3) << 12,
               "access.S and C say the same");
_Static_assert(OP_READ < 0x40 && OP_WRITE < 0x40 && OP_FREE < 0x40, "two bits are taken");

RT_STUB_VOID(access_stub, access_slow, "hidden")
void access_stub(uintptr_t addr, uint32_t info, uintptr_t site);
void access_slow(uintptr_t addr, uint32_t info, uintptr_t site) __attribute__((used));

static uint64_t load(uintptr_t addr, uint32_t size)
{
        switch (size) {
        case 1: return *(const volatile uint8_t *)addr;
        case 2: return *(const volatile uint16_t *)addr;
        case 4: return *(const volatile uint32_t *)addr;
        case 8: return *(const volatile uint64_t *)addr;
        }
        return 0;
}

void access_slow(uintptr_t addr, uint32_t info, uintptr_t site)
{
        struct thread *t = rt_cur;
        uint32_t op = info >> 24 & 0x3f, size = info & 0xffffffu;
        bool wide = (addr & 7) + size > 8 && info & BY_PROGRAM;
        struct wire_event *e;
        enum arrival how;

        if (RT_UNLIKELY(signal_faults) && signal_will_fault(addr))
                return; /* not an access at all, and the runtime must not look there either */
        if (op == OP_READ && (info & BY_HOOK) == BY_HOOK)
                torn_look(t, size, site);
        if (RT_UNLIKELY(torn_open))
                torn_settle(t);
        if (RT_UNLIKELY(wide) && torn_access(t, op, addr, size, site)) {
                if (op == OP_WRITE && (info & BY_HOOK) == BY_HOOK)
                        torn_wrote(t, addr, size, site);
                return;
        }
        how = op_arrive_counted(t, op, addr, size, NULL, site);
        if (wide && (op == OP_READ || !mm_is_weak()))
                position_step(t, torn_words(addr, size) - 1);
        if (how == ARRIVE_PRIVATE) {
                if (op != OP_FREE)
                        memory_check(t, op, addr, size, site);
                if (op != OP_READ)
                        spin_write(t, addr, size);
                else if (t->spin.solo)
                        spin_read(t, addr, size);
                mm_skip(t, op, addr, size);
                return;
        }
        if (op == OP_READ) {
                bool there = rt.flags & WIRE_DETAIL && memory_is_there(addr);
                e = access_read(t, how, addr, size, there ? load(addr, size) : 0);
                if (RT_UNLIKELY(rt.flags & WIRE_DETAIL && !there))
                        e->weak |= WIRE_WEAK_UNSAID;
                if ((addr & 7) + size > 8 && rt.flags & WIRE_VALUES)
                        access_words(t, e);
                memory_check(t, op, addr, size, site);
                spin_read(t, addr, size);
        } else {
                if (RT_UNLIKELY(how == ARRIVE_BUFFERED)) /* which looks at what is there */
                        memory_check_place(t, op, addr, size, site);
                e = access_write(t, how, op, addr, size);
                if (rt.flags & WIRE_DETAIL)
                        e->weak |= WIRE_WEAK_UNSAID;
                if (op != OP_FREE && (addr & 7) + size > 8 && rt.flags & WIRE_VALUES)
                        access_words(t, e);
                if (op != OP_FREE && how != ARRIVE_BUFFERED)
                        memory_check(t, op, addr, size, site);
                if (rt.flags & (WIRE_DETAIL | WIRE_VALUES))
                        t->unsaid = e;
                spin_write(t, addr, size);
                if ((info & BY_HOOK) == BY_HOOK)
                        torn_wrote(t, addr, size, site);
        }
}

/* Would it be fast, if the thread were not followed, and is there nothing to follow? */
static __attribute__((noinline)) bool is_calm(struct thread *t, uint64_t mark, uintptr_t addr, uint32_t size,
                                              uint32_t op, uintptr_t sp)
{
        return mark == sched_fast_mark(t) && cut_ignores(t, op, addr, size, sp);
}

/* Is it an access of memory that the thread owns, at which there is nothing to do? */
static inline __attribute__((always_inline)) bool is_fast(struct thread *t, uint32_t op, uintptr_t a, uint32_t size,
                                                          uintptr_t sp)
{
        const uint64_t *s = shadow_peek(a);

        return RT_LIKELY(s && (a & 7) + size <= 8 && RT_NOW->left >= 0) &&
               (RT_LIKELY((a & 7) + size <= shadow_known(RT_MARK(*s), t->fast_mark)) ||
                (RT_UNLIKELY(t->spin.armed) && is_calm(t, RT_MARK(*s), a, size, op, sp)));
}

static inline __attribute__((always_inline)) void hook(void *addr, uint32_t op, uint32_t size, uintptr_t site)
{
        struct thread *t = rt_cur;
        uintptr_t a = (uintptr_t)addr;

        if (!t)
                return;
        RT_NOW->left--;
        if (is_fast(t, op, a, size, (uintptr_t)__builtin_frame_address(0))) {
                RT_LEAVE_NOTHING();
                return;
        }
        access_stub(a, INFO(op, size) | BY_HOOK, site);
}

/* The shadow call stack of t, which runs. */

static inline void enter(struct thread *t, uintptr_t site, uintptr_t frame, uintptr_t begun)
{
        if (RT_LIKELY(RT_NOW->n_calls < RT_MAX_CALLS))
                t->stack.calls[RT_NOW->n_calls] = (struct wire_call){site, frame, begun};
        RT_NOW->n_calls++;
        if (RT_UNLIKELY(rt.n_marks))
                mark_enter(t, begun);
}

static inline void leave(struct thread *t, uintptr_t of)
{
        if (RT_NOW->n_calls && --RT_NOW->n_calls < RT_MAX_CALLS)
                of = t->stack.calls[RT_NOW->n_calls].begun;
        if (RT_UNLIKELY(rt.n_marks))
                mark_leave(t, of);
}

/* What instrumented code calls where it has not found its own mark, or cannot note a call.  All accesses up to its next call are
 * counted already. */
void access_inline(uintptr_t site)
{
        struct thread *t = rt_cur;
        uintptr_t addr = RT_NOW->address;
        uint32_t info = (uint32_t)RT_NOW->info;
        uint32_t size = info & WIRE_INLINE_SIZE, op = info & WIRE_INLINE_WRITE ? OP_WRITE : OP_READ;
        uint32_t rest = info >> WIRE_INLINE_REST;

        if (!t)
                return;
        if (size == WIRE_INLINE_ENTER) {
                enter(t, addr, (uintptr_t)spin_regs[1], site);
        } else if (size == WIRE_INLINE_LEAVE) {
                RT_NOW->n_calls++; /* it has counted that */
                leave(t, site);
        } else if (size) {
                position_step(t, -(int64_t)(rest + wire_inline_words(size) - 1));
                if (!is_fast(t, op, addr, size, (uintptr_t)spin_regs[6]))
                        access_slow(addr, INFO(op, size) | BY_PROGRAM, site);
                position_step(t, rest);
        }
        position_refresh(t);
}

#define HOOK(name, op, size)                  \
        RT_EXPORT void name(void *a);         \
        void name(void *a)                    \
        {                                     \
                hook(a, op, size, RT_SITE()); \
        }
#define HOOKS(size)                                               \
        HOOK(__tsan_read##size, OP_READ, size)                    \
        HOOK(__tsan_write##size, OP_WRITE, size)                  \
        HOOK(__tsan_unaligned_read##size, OP_READ, size)          \
        HOOK(__tsan_unaligned_write##size, OP_WRITE, size)        \
        HOOK(__tsan_volatile_read##size, OP_READ, size)           \
        HOOK(__tsan_volatile_write##size, OP_WRITE, size)         \
        HOOK(__tsan_unaligned_volatile_read##size, OP_READ, size) \
        HOOK(__tsan_unaligned_volatile_write##size, OP_WRITE, size)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
HOOK(__tsan_vptr_read, OP_READ, 8)

RT_EXPORT void __tsan_vptr_update(void *a, void *value);
void __tsan_vptr_update(void *a, void *value)
{
        if (*(void **)a != value) /* a constructor that stores the same pointer again changes nothing */
                hook(a, OP_WRITE, 8, RT_SITE());
}

/* Ranges: in pieces that fit an entry.  The caller has noted the registers, or spin.c sees that it has not. */
static void range(uint32_t op, uintptr_t a, size_t size, uint32_t by, uintptr_t site)
{
        while (size) {
                uint32_t n = size < 0x800000 ? (uint32_t)size : 0x800000u;
                const struct access_part part = {op, (const void *)a, n};

                if (!rt_cur)
                        return;
                if (op == OP_FREE && own_parts(rt_cur, &part, 1, site)) {
                        position_step(rt_cur, 1);
                } else {
                        position_step(rt_cur, 1);
                        access_slow(a, INFO(op, n) | by, site);
                }
                spin_regs[7] = 0; /* the next piece has the same registers, and is not a round of a loop */
                a += n;
                size -= n;
        }
}

#define RANGE_HOOK(op, name, impl)                                      \
        RT_STUB_VOID(name, impl, "default")                             \
        void impl(void *a, unsigned long size) __attribute__((used));   \
        void impl(void *a, unsigned long size)                          \
        {                                                               \
                range(op, (uintptr_t)a, size, BY_HOOK, RT_STUB_SITE()); \
        }
RANGE_HOOK(OP_READ, __tsan_read_range, access_read_range)
RANGE_HOOK(OP_WRITE, __tsan_write_range, access_write_range)

void access_range(uint32_t op, const void *addr, size_t size, uintptr_t site)
{
        range(op, (uintptr_t)addr, size, 0, site);
        if (op == OP_FREE && rt.live)
                object_forget((uintptr_t)addr, size);
}

void access_noted(uint32_t op, uintptr_t addr, uint32_t size, uintptr_t site)
{
        position_step(rt_cur, 1);
        access_slow(addr, INFO(op, size) | BY_PROGRAM, site);
}

/* Under weak memory it is an update: what libc changes does not wait in a buffer. */
void access_locked(const void *addr, size_t size, uintptr_t site)
{
        struct thread *t = rt_cur;
        uintptr_t via;

        if (!t)
                return;
        via = t->stack.via;
        t->section.inside = t->section.hidden = true;
        t->stack.via = via ? via : site;
        if (mm_is_weak())
                atomic_announce(OP_RMW, (uintptr_t)addr, (uint32_t)size, __ATOMIC_ACQ_REL);
        else
                range(OP_WRITE, (uintptr_t)addr, size, 0, site);
        t->stack.via = via;
        t->section.inside = t->section.hidden = false;
}

static void part_first(struct thread *t, enum arrival how, uint32_t op, uintptr_t addr, uint32_t size)
{
        if (op == OP_READ)
                access_read(t, how, addr, size, 0);
        else
                access_write(t, how, op, addr, size);
        if (how != ARRIVE_BUFFERED)
                mm_skip(t, op, addr, size);
}

/* ... of a transition that is under way. */
static void part_next(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        bool shared = !op_ignored(t, op, addr, size) && shadow_touch(t, addr, size);

        if (RT_UNLIKELY(t->section.txn))
                speculation_note(t, op, addr, size);
        if (shared && op == OP_READ) {
                op_also(t, ARRIVE_INNER, op, addr, size, mm_read_mode(t, addr, size), 0);
                mm_forward(t, addr, size);
        } else if (shared && mm_delays(t, op, addr, size)) {
                mm_store(t, op, addr, size);
        } else {
                if (shared)
                        op_also(t, ARRIVE_INNER, op, addr, size, WIRE_MODE_WRITE, 0);
                mm_skip(t, op, addr, size);
        }
}

/* The first part that is shared is a point to switch at; the others belong to the same transition. */
void access_parts(const struct access_part *part, unsigned n, uintptr_t site)
{
        struct thread *t = rt_cur;
        bool begun = false;

        if (own_parts(t, part, n, site)) {
                position_step(t, 1);
                return;
        }
        position_step(t, 1);
        for (unsigned i = 0; i < n; i++) {
                uint64_t addr = (uint64_t)(uintptr_t)part[i].addr;
                uint32_t size = (uint32_t)part[i].size, op = part[i].op;

                if (!addr || !size)
                        continue;
                if (mm_is_weak())
                        memory_check_place(t, op, addr, size, site);
                if (!begun) {
                        enum arrival how = op_arrive_counted(t, op, addr, size, NULL, site);
                        begun = how != ARRIVE_PRIVATE && how != ARRIVE_BUFFERED;
                        part_first(t, how, op, addr, size);
                } else {
                        part_next(t, op, addr, size);
                }
                memory_check(t, op, addr, size, site);
                masks_access(t, op, addr, size);
                if (op == OP_READ)
                        spin_read(t, addr, size);
                else
                        spin_write(t, addr, size);
        }
}

void access_pair(const void *rd, size_t rn, const void *wr, size_t wn, uintptr_t site)
{
        const struct access_part parts[] = {{OP_READ, rd, rn}, {OP_WRITE, wr, wn}};

        access_parts(parts, 2, site);
}

/* The bodies of functions that run are the instrumented ones (instrument/clone.h). */
#ifndef HEDDLE_PLAIN
char __heddle_checked;
#endif

RT_EXPORT void __tsan_func_entry(void *call_site);
void __tsan_func_entry(void *call_site)
{
        struct thread *t = rt_cur;

        if (!t)
                return;
        enter(t, (uintptr_t)call_site, *(uintptr_t *)__builtin_frame_address(0), RT_SITE());
        RT_LEAVE_NOTHING();
}

RT_EXPORT void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
        struct thread *t = rt_cur;

        if (!t)
                return;
        leave(t, RT_SITE()); /* where gcc jumps to this function, that is the caller's */
        RT_LEAVE_NOTHING();
}

/* The caller continues after an exception or a longjmp: frames below its own have ended. */
RT_EXPORT void __heddle_unwound(void);
void __heddle_unwound(void)
{
        struct thread *t = rt_cur;
        uintptr_t frame = *(uintptr_t *)__builtin_frame_address(0);

        if (!t)
                return;
        for (uint64_t n; (n = RT_NOW->n_calls) && n <= RT_MAX_CALLS && t->stack.calls[n - 1].frame < frame;)
                leave(t, 0);
}

#define NOTHING(name)              \
        RT_EXPORT void name(void); \
        void name(void)            \
        {                          \
        }
NOTHING(__tsan_init)
NOTHING(__tsan_ignore_thread_begin)
NOTHING(__tsan_ignore_thread_end)

/*
 * The pool: one parked kernel thread for each fiber, for the sake of its stack, its TLS and its struct pthread.
 *
 *     slot's region:  | guard | stack of the fiber ...  <- top | parked frame | static TLS | struct pthread |
 *
 * The parked thread never runs again; a fiber uses the memory below its frame as stack and its thread pointer as its
 * own.  A slot that is used again gets the TLS as it was when the thread was created.  Regions are at fixed
 * addresses, so that they are the same whatever else is mapped.
 *
 * Under a debugger (WIRE_ISOLATE_DEBUG) the parked threads do run: a switch of fibers hands over from one kernel thread to
 * another, each on its own stack, at the addresses that fibers have.
 */
#include "rt/sched/pool.h"

#include <dlfcn.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/arch/x86_64/fiber.h"
#include "rt/arch/x86_64/gap.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/sparse.h"
#include "rt/threads.h"
#include "rt/util.h"

#define COLOUR \
        4800 /* bytes that the end of a stack differs from the next one's: another set of each cache and of the TLB */
#define COLOURS      64
#define GUARD        (UINT64_C(64) << 10)
#define PARKED_FRAME 4096        /* left to the parked thread below its first frame */
#define ALT_STACK    (64u << 10) /* as in signal.c */
#define RED_ZONE     128
#define UNUSED       65536u /* bytes of a stack that unused() fills */

/* The loader's table of a thread's TLS blocks, one for each module; the word at fs + 8 points to it.  Entry -1 holds its
 * length, entry 0 the generation of modules that it knows: loading a library with TLS changes it in place. */
struct dtv {
        uintptr_t value;
        void *to_free;
};

struct slot {
        char *first; /* where the thread begins in this execution */
        void *fs;
        struct sparse tls; /* pristine copy of [fs - tls_below, fs + tls_above) */
        struct dtv *dtv;   /* pristine copy of the thread's table of TLS blocks */
        size_t n_dtv;
        volatile uint32_t parked;
        uint32_t go;   /* futex: times that another thread handed over to it */
        uint32_t gone; /* ... and that it continued */
        void *sp;      /* where to */
};

extern void *__libc_stack_end;

static struct slot slots[WIRE_MAX_THREADS];
struct pool_stack pool_stacks[WIRE_MAX_THREADS];
uint32_t pool_n;
static struct lent { /* see pool_lent(); from the lowest to the highest address */
        uintptr_t lo, hi;
} lent[WIRE_MAX_THREADS];
static size_t tls_below, tls_above;

uint32_t pool_size(void)
{
        return pool_n;
}

/* Also of a slot that is not there yet; 0: main's, or none. */
static uint32_t region_of(uintptr_t addr)
{
        uint64_t i = addr >= POOL_BASE ? (addr - POOL_BASE) / POOL_STRIDE : 0;

        return i < WIRE_MAX_THREADS ? (uint32_t)i : 0;
}

bool pool_is_unused(uintptr_t addr, uint32_t n)
{
        return region_of(addr) >= n;
}

bool pool_stack_at(uintptr_t addr, uint32_t *slot)
{
        uint32_t i = region_of(addr);

        if (i >= pool_n || addr < pool_stacks[i].lo || addr >= pool_stacks[i].top)
                i = 0;
        *slot = i;
        return addr >= pool_stacks[i].lo && addr < pool_stacks[i].top;
}

void pool_lend(uintptr_t addr)
{
        uint32_t slot = region_of(addr);
        struct lent *l = &lent[slot];

        if (!slot)
                return;
        l->lo = l->hi && l->lo < addr ? l->lo : addr;
        l->hi = l->hi > addr + 8 ? l->hi : addr + 8;
}

bool pool_lent(uint32_t slot, uintptr_t *lo, uint32_t *size)
{
        uintptr_t bottom, top, hi = lent[slot].hi;

        if (!hi || !pool_stack_of(slot, &bottom, &top) || lent[slot].lo >= top)
                return false;
        *lo = lent[slot].lo;
        *size = (uint32_t)((hi < top ? hi : top) - *lo);
        return true;
}

static struct dtv *dtv_of(const struct slot *s)
{
        return *(struct dtv **)((char *)s->fs + 8);
}

void pool_each_local(uint32_t i, void (*f)(const void *lo, const void *hi))
{
        const struct dtv *dtv;

        if (!i || i >= pool_n)
                return;
        dtv = dtv_of(&slots[i]);
        f((char *)slots[i].fs - tls_below, (char *)slots[i].fs + tls_above);
        f(dtv, dtv + dtv[-1].value + 1);
}

static int tls_extent(struct dl_phdr_info *info, size_t size, void *arg)
{
        uintptr_t fs = (uintptr_t)arg, data = (uintptr_t)info->dlpi_tls_data;

        (void)size;
        if (data && data < fs && fs - data < 65536 && fs - data > tls_below)
                tls_below = fs - data;
        return 0;
}

static uint64_t program_mask; /* of signals, before the pool blocks them all */

/* A stack for handlers of signals, of a further kernel thread. */
static void signal_thread_init(void)
{
        stack_t stack = {.ss_sp = rt_map(ALT_STACK), .ss_size = ALT_STACK};

        rt_syscall6(SYS_sigaltstack, (long)&stack, 0, 0, 0, 0, 0);
}

static void await_turn(struct slot *s)
{
        while (__atomic_load_n(&s->go, __ATOMIC_SEQ_CST) == s->gone)
                rt_syscall6(SYS_futex, (long)&s->go, FUTEX_WAIT, s->gone, 0, 0, 0);
        s->gone++;
}

void *pool_hand_over(void *fs, void *sp)
{
        struct slot *own = NULL, *next = NULL;

        for (uint32_t i = 0; i < pool_n; i++) {
                if (slots[i].fs == fs)
                        next = &slots[i];
                if (slots[i].fs == fiber_thread_pointer())
                        own = &slots[i];
        }
        if (own == next)
                return sp;
        next->sp = sp;
        __atomic_store_n(&next->go, next->go + 1, __ATOMIC_SEQ_CST);
        rt_syscall6(SYS_futex, (long)&next->go, FUTEX_WAKE, 1, 0, 0, 0);
        await_turn(own);
        return own->sp;
}

/* For the debugger's list of threads. */
static void name_kernel_thread(uint32_t id)
{
        char name[48];

        rt_format(name, sizeof name, "T%u", id);
        rt_syscall6(SYS_prctl, 15 /* PR_SET_NAME */, (long)name, 0, 0, 0, 0);
}

static void *park(void *arg)
{
        struct slot *s = arg;
        char here;

        s->fs = fiber_thread_pointer();
        pool_stacks[s - slots].top = ((uintptr_t)&here - PARKED_FRAME) & ~(uintptr_t)63;
        __atomic_store_n(&s->parked, 1, __ATOMIC_SEQ_CST);
        rt_syscall6(SYS_futex, (long)&s->parked, FUTEX_WAKE, 1, 0, 0, 0);
        await_turn(s); /* forever, but under a debugger */
        signal_thread_init();
        name_kernel_thread((uint32_t)(s - slots));
        rt_syscall6(SYS_rt_sigprocmask, 2, (long)&program_mask, 0, 8, 0, 0);
        fiber_continue(s->sp);
        return NULL;
}

static void save_tls(struct slot *s)
{
        const struct dtv *dtv = dtv_of(s);
        char *tls;

        tls = rt_map(tls_below + tls_above);
        rt_copy(tls, (char *)s->fs - tls_below, tls_below + tls_above);
        sparse_init(&s->tls, tls, tls_below + tls_above);
        s->n_dtv = dtv[-1].value + 1;
        s->dtv = rt_map(s->n_dtv * sizeof *dtv);
        rt_copy(s->dtv, dtv, s->n_dtv * sizeof *dtv);
}

static void slot_create(uint32_t i, size_t stack)
{
        static __typeof__(pthread_create) *create;
        struct slot *s = &slots[i];
        pthread_attr_t attr;
        pthread_t handle;
        uintptr_t end = POOL_BASE + (i + 1) * POOL_STRIDE - i % COLOURS * COLOUR; /* does not depend on its size */
        uintptr_t base = (end - stack - GUARD) & ~(uintptr_t)4095;

        if (!create)
                create = rt_real("pthread_create");
        if (rt_syscall6(SYS_mmap, (long)base, (long)(end - base), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != (long)base)
                rt_fault("the runtime could not map a thread's stack");
        rt_syscall6(SYS_mprotect, (long)base, GUARD, PROT_NONE, 0, 0, 0);
        pool_stacks[i].lo = base + GUARD;
        pthread_attr_init(&attr);
        pthread_attr_setstack(&attr, (void *)pool_stacks[i].lo, end - pool_stacks[i].lo);
        if (create(&handle, &attr, park, s))
                rt_fault("the runtime could not create a thread (is `ulimit -u` too low?)");
        pthread_attr_destroy(&attr);
        while (!__atomic_load_n(&s->parked, __ATOMIC_SEQ_CST))
                rt_syscall6(SYS_futex, (long)&s->parked, FUTEX_WAIT, 0, 0, 0, 0);
        save_tls(s);
}

void pool_init(uint32_t n)
{
        const unsigned *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
        size_t stack = (size_t)rt.down->stack_kb << 10;
        struct thread helper = {.id = WIRE_MAX_THREADS - 1}; /* whose arena pays for what libc allocates */
        struct thread *saved = rt_cur;
        uint64_t mask = ~UINT64_C(0);

        tls_above = size && *size < 65536 ? *size : 2304;
        dl_iterate_phdr(tls_extent, fiber_thread_pointer());
        slots[0].fs = fiber_thread_pointer();
        pool_main_stack((uintptr_t)__libc_stack_end - stack, (uintptr_t)__libc_stack_end);
        rt_syscall6(SYS_rt_sigprocmask, 0, (long)&mask, (long)&program_mask, 8, 0, 0);
        rt_run(&helper);
        for (uint32_t i = 1; i < n; i++)
                slot_create(i, stack);
        rt_run(saved);
        rt_syscall6(SYS_rt_sigprocmask, 2, (long)&program_mask, 0, 8, 0, 0);
        pool_n = n;
        if (rt.down->isolate == WIRE_ISOLATE_DEBUG) {
                fiber_use_kernel_threads();
                name_kernel_thread(0);
        }
}

uintptr_t thread_frames(const struct thread *t, uintptr_t *own_end)
{
        uintptr_t lo, hi, sp = (uintptr_t)t->fiber.sp;

        *own_end = sp;
        if (!pool_stack_of(t->id, &lo, &hi) || t->fiber.frames >= hi || t->fiber.frames < sp + RT_GAP)
                return sp;
        *own_end = t->fiber.frames - RT_GAP;
        return t->fiber.frames;
}

void pool_main_stack(uintptr_t lo, uintptr_t hi)
{
        pool_stacks[0] = (struct pool_stack){lo, hi};
}

void *pool_handle(uint32_t slot)
{
        return slots[slot].fs;
}

uint32_t pool_slot(const void *handle)
{
        return (uint32_t)(((uintptr_t)handle - POOL_BASE) / POOL_STRIDE);
}

/* Empties [lo, hi) from `from` on, and poisons what is below. */
static void empty(char *lo, char *hi, char *from)
{
        uint64_t *p = (uint64_t *)((uintptr_t)(lo + 7) & ~(uintptr_t)7);

        from = from < lo ? lo : from > hi ? hi : from;
        rt_zero(from, (size_t)(hi - from));
        if (RT_UNLIKELY(rt.poison))
                for (uint64_t word = rt.poison; p + 1 <= (uint64_t *)from; p++)
                        *p = word = word * UINT64_C(0x9fb21c651e98df25) + 1;
}

/* Below `top` nothing of the stack is in use but [used, end).  States of loops are compared with the first of the execution. */
static void unused(uint32_t slot, char *top, char *used, char *end)
{
        size_t room = (uintptr_t)top - pool_stacks[slot].lo, most = room < UNUSED ? room : UNUSED;
        size_t depth = rt.down->cycles == WIRE_CYCLES_ALL ? UNUSED : rt.down->loop_depth;
        char *lo = top - most, *from = top - (depth < most ? depth : most);

        slots[slot].first = top;
        empty(lo > end ? lo : end, top, from);
        if (lo < used)
                empty(lo, used, from);
}

void pool_main_unused(void)
{
        uintptr_t end, frames = thread_frames(&threads[0], &end);

        unused(0, (char *)frames, threads[0].fiber.sp, (char *)end);
}

uint32_t pool_depth(uint32_t slot, uintptr_t sp)
{
        uintptr_t first = (uintptr_t)slots[slot].first;

        return sp >= first ? 0 : first - sp < UNUSED ? (uint32_t)(first - sp) : UNUSED;
}

void pool_prepare(struct thread *t, void (*entry)(void))
{
        struct slot *s = &slots[t->id];
        char *top = (char *)pool_stacks[t->id].top;

        sparse_put(&s->tls, (char *)s->fs - tls_below);
        if (dtv_of(s)->value != s->dtv->value)
                rt_copy(dtv_of(s), s->dtv, s->n_dtv * sizeof *s->dtv);
        t->fiber.fs = s->fs;
        unused(t->id, top, top, top);
        t->fiber.sp = fiber_prepare(top, entry);
}

/*
 * Invariants.  A function of the program is called where a thread's transition is complete, on a stack of its own, as an
 * extra thread that may only look: its hooks note what it reads, and anything but a look is refused.
 *
 * What it says is a function of the memory that it reads.  So it is called again only after a write to a granule that it
 * has ever read; these are marked in shadow memory, one bit for each invariant, and known from the start of every
 * execution like shared memory (found out in the middle: the run does not count).  A transition that writes such a
 * granule is *visible*: it gets an entry that writes WIRE_OBJ_WATCH(k), which makes all visible transitions of an
 * invariant dependent on each other, so that a reduction keeps every order of them, and with it every state that the
 * invariant can tell apart.
 *
 * Under weak memory it sees what has reached memory, and is called after flushes too; those are then the visible writes.
 */
#include "rt/user/invariants.h"

#include "rt/arch/x86_64/fiber.h"
#include "rt/map.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/trace/debug.h"
#include "rt/sched/end.h"
#include "rt/trace/entry.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

#define STACK_SIZE (256u << 10)
#define MAX_LOOKS  32u

struct look {
        uint64_t addr;
        uint32_t size;
};

struct thread watch_thread = {.id = WIRE_MAX_THREADS - 1,
                              .tag = WIRE_MAX_THREADS,
                              .state = WIRE_T_READY,
                              .fast_mark = RT_MARK_NONE,
                              .left = UINT32_MAX,
                              .turn.patience = UINT32_MAX};
static struct thread *subject; /* the thread that made the state */
static char *stack;
static void *sp, *back; /* of the watcher's fiber, and of the subject meanwhile */
static int (*function)(void);
static uint32_t number; /* of the function under way; finals from WIRE_MAX_WATCHED on */
static bool holds;
static struct look looks[MAX_LOOKS];
static uint32_t n_looks;

const struct thread *watch_subject(const struct thread *t)
{
        return watch_is(t) ? subject : t;
}

static void body(void)
{
        for (;;) {
                holds = function() != 0;
                fiber_switch(&sp, back, subject->fiber.fs);
        }
}

static void prepare(void)
{
        if (!stack) {
                stack = rt_map(STACK_SIZE);
                watch_thread.stack.calls = rt_map(RT_MAX_CALLS * sizeof *watch_thread.stack.calls);
        }
        sp = fiber_prepare(stack + STACK_SIZE, body);
}

void watch_init_run(void)
{
        ex.watch_dirty = UINT32_MAX;
        ex.watch_broken = 0;
        ex.watch_site = 0;
        if (rt.down->n_invariants || rt.down->n_finals)
                prepare();
}

static bool call(struct thread *t, uint64_t addr, uint32_t index)
{
        function = (int (*)(void))(uintptr_t)addr;
        number = index;
        n_looks = 0;
        holds = true;
        subject = t;
        watch_thread.stack.n_calls = watch_thread.section.ignored = 0;
        rt_run(&watch_thread);
        fiber_switch(&back, sp, t->fiber.fs);
        rt_run(t);
        return holds;
}

_Noreturn void watch_abandon(void)
{
        void *ignored;

        if (number < WIRE_MAX_WATCHED)
                ex.watch_broken |= 1u << number;
        prepare();
        fiber_switch(&ignored, back, subject->fiber.fs);
        __builtin_unreachable();
}

_Noreturn void watch_misuse(const char *what)
{
        exec_end_text(WIRE_END_MISUSE, number, what);
}

/* The invariant reads: from now on writes there are visible. */
static void note_read(uint64_t addr, uint32_t size)
{
        uint64_t bit = UINT64_C(1) << number;

        for (uintptr_t g = addr >> 3; g <= (addr + (size ? size - 1 : 0)) >> 3; g++)
                if (!shadow_watched(g, bit) && ex.n_new_shared < WIRE_MAX_SHARED)
                        rt.up->new_shared[ex.n_new_shared++] = g | bit << WIRE_WATCHED_SHIFT;
}

static void note_look(uint64_t addr, uint32_t size)
{
        for (uint32_t i = 0; i < n_looks; i++)
                if (looks[i].addr == addr && looks[i].size == size)
                        return;
        if (n_looks < MAX_LOOKS)
                looks[n_looks++] = (struct look){addr, size};
}

enum arrival watch_arrive(uint32_t op, uint64_t obj, uint32_t size)
{
        bool own = obj >= (uintptr_t)stack && obj < (uintptr_t)stack + STACK_SIZE, final = number >= WIRE_MAX_WATCHED;

        if (op_has(op, OPF_LOADS)) {
                if (!own) {
                        note_look(obj, size);
                        if (!final && !watch_thread.section.ignored)
                                note_read(obj, size);
                }
        } else if (op != OP_FENCE &&
                   !(op_object(op) == OP_OBJ_MEMORY && (own || final || watch_thread.section.ignored))) {
                watch_misuse(op_name(op));
        }
        return ARRIVE_PRIVATE;
}

void watch_write(struct thread *t, uint64_t obj, uint32_t size)
{
        uint32_t bits = 0;

        for (uintptr_t g = obj >> 3; g <= (obj + (size ? size - 1 : 0)) >> 3; g++)
                bits |= shadow_watchers(g);
        ex.watch_dirty |= bits;
        if (bits)
                ex.watch_site = t->pend.site;
        for (; bits; bits &= bits - 1)
                entry_add(t, 0, OP_WATCH, WIRE_OBJ_WATCH(__builtin_ctz(bits)), 8, WIRE_MODE_WRITE, 0);
}

/* It does not hold: reported with what it read.  The place is that of the last write that it can tell; what the thread
 * did after that in the same transition does not matter.  In the first state, and where writes are not seen, it is that of
 * the thread's last operation. */
static void broken(struct thread *t, struct thread *by, uint64_t addr)
{
        const struct wire_event *last = ex.n_events ? &rt.up->events[ex.n_events - 1] : NULL;
        struct wire_failure *f;

        if (ex.n_failures == WIRE_MAX_FAILURES)
                return;
        f = &rt.up->failures[ex.n_failures++];
        rt_zero(f, sizeof *f);
        f->kind = WIRE_FAIL_INVARIANT;
        f->actor = (uint16_t)thread_owner(by);
        f->status = number;
        f->addr = addr;
        f->site = number < WIRE_MAX_WATCHED && last && last->actor == by->id ? last->site : addr + 1;
        if (number < WIRE_MAX_WATCHED && ex.watch_site)
                f->site = ex.watch_site;
        f->event = ex.n_events;
        for (uint32_t i = 0; i < n_looks; i++) {
                uint64_t v = 0;
                rt_copy(&v, (const void *)(uintptr_t)looks[i].addr, looks[i].size < 8 ? looks[i].size : 8);
                entry_add(by, 0, OP_LOOK, looks[i].addr, looks[i].size, WIRE_MODE_NONE, v);
        }
        debug_broken(t);
}

void watch_state(struct thread *t, struct thread *by)
{
        const struct wire_down *d = rt.down;
        uint32_t dirty = (d->watch_always ? UINT32_MAX : ex.watch_dirty) & ~ex.watch_broken;

        ex.watch_dirty = 0;
        if (dirty)
                mm_uncover();
        for (uint32_t k = 0; dirty && k < d->n_invariants && k < WIRE_MAX_WATCHED; k++) {
                if (!(dirty >> k & 1) || call(t, d->invariants[k], k))
                        continue;
                ex.watch_broken |= 1u << k; /* reported once in an execution */
                broken(t, by, d->invariants[k]);
                if (!(rt.flags & WIRE_KEEP_GOING)) {
                        if (by == t)
                                t->state = WIRE_T_FAILED;
                        exec_end(WIRE_END_FAILED);
                }
        }
        if (dirty)
                mm_cover();
        ex.watch_site = 0;
}

void watch_end(struct thread *t)
{
        const struct wire_down *d = rt.down;

        for (uint32_t k = 0; k < d->n_finals && k < WIRE_MAX_WATCHED; k++)
                if (!call(t, d->finals[k], WIRE_MAX_WATCHED + k))
                        broken(t, t, d->finals[k]);
}

/* See stub.h. */
#include "stub.h"

#include <sys/mman.h>

#include "rt/fault.h"
#include "rt/memory/bytes.h"
#include "rt/memory/heap.h"
#include "rt/memory/own.h"
#include "rt/memory/shadow.h"
#include "rt/copy/step.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/choice.h"
#include "rt/loops/cycle.h"
#include "rt/sched/failure.h"
#include "rt/sched/path.h"
#include "rt/sched/section.h"
#include "rt/loops/registers.h"
#include "rt/loops/spin.h"
#include "rt/loops/tracking.h"
#include "rt/signal/mask_calls.h"
#include "rt/signal/unsafe.h"
#include "rt/thread/cancel.h"
#include "rt/sync/object.h"
#include "rt/util.h"
#include "rt/txn/speculation.h"
#include "rt/world/modules.h"

struct stub stub;

void stub_run(uint32_t slot)
{
        static struct wire_down nothing;
        static bool now;

        rt.live = true;
        rt.down = &nothing;
        threads[slot].id = (uint16_t)slot;
        if (!now)
                now = mmap(RT_NOW, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
                      RT_NOW;
        rt_run(&threads[slot]);
        stub.n_seen = stub.n_transitions = stub.n_yields = 0;
        stub.text[0] = 0;
}

void stub_pause(void)
{
        rt_run(NULL);
}

static void see(uint32_t op, const void *addr, size_t size)
{
        if (!size || stub.n_seen == STUB_MAX_SEEN)
                return;
        stub.seen[stub.n_seen].op = op;
        stub.seen[stub.n_seen].addr = addr;
        stub.seen[stub.n_seen++].size = size;
}

static void transition(void)
{
        void (*meanwhile)(void) = stub.meanwhile;

        stub.n_transitions++;
        stub.meanwhile = NULL;
        if (meanwhile)
                meanwhile();
}

void access_range(uint32_t op, const void *addr, size_t size, uintptr_t site)
{
        (void)site;
        see(op, addr, size);
        transition();
}

void access_parts(const struct access_part *part, unsigned n, uintptr_t site)
{
        (void)site;
        for (unsigned i = 0; i < n; i++)
                see(part[i].op, part[i].addr, part[i].size);
        transition();
}

/* All memory is shared, so every word is a step. */
bool step_seen(uintptr_t site)
{
        return rt_on() && !rt_site_in_libc(site);
}

bool own_two(const void *a, size_t n, uint32_t op, const void *b, size_t m, uint32_t steps, uintptr_t site)
{
        (void)a, (void)n, (void)op, (void)b, (void)m, (void)steps, (void)site;
        return false;
}

bool step_shared(const void *addr)
{
        (void)addr;
        return true;
}

bool step_begin(const struct access_part *part, unsigned n, uint32_t steps, uintptr_t site)
{
        (void)part;
        (void)n;
        (void)site;
        stub.n_foreseen = steps;
        return true;
}

uint32_t step_read(void *to, const void *from, uint32_t n, const struct step_end *end, uintptr_t site)
{
        const unsigned char *p = from;
        uint32_t size = n;

        (void)site;
        transition();
        for (uint32_t i = 0; end && i + end->unit <= n && size == n; i += end->unit) {
                uint32_t v = 0;
                bytes_copy(&v, p + i, end->unit);
                if (v == end->stop || (!v && !end->raw))
                        size = i + end->unit;
        }
        see(OP_READ, from, size);
        bytes_copy(to, from, size);
        return size;
}

void step_write(void *to, const void *from, uint32_t n, uintptr_t site)
{
        (void)site;
        transition();
        see(OP_WRITE, to, n);
        bytes_copy(to, from, n);
}

bool rt_site_in_libc(uintptr_t pc)
{
        extern char __executable_start, etext;

        return pc < (uintptr_t)&__executable_start || pc > (uintptr_t)&etext;
}

void rt_fail(enum wire_failure_kind kind, uintptr_t site, const char *text)
{
        (void)kind;
        (void)site;
        rt_text(stub.text, sizeof stub.text, text);
        longjmp(stub.stop, 1);
}

_Noreturn void rt_fail_heap(enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr, uint32_t size,
                            uint32_t op, const struct heap_block *b)
{
        (void)addr;
        (void)size;
        (void)op;
        (void)b;
        stub.kind = kind;
        rt_fail(kind, site, text);
        __builtin_unreachable();
}

void rt_fault(const char *text)
{
        rt_fail(WIRE_FAIL_ABORT, 0, text);
}

void rt_refuse(const char *name)
{
        rt_fail(WIRE_FAIL_ABORT, 0, name);
}

void rt_assume_fail(uintptr_t site)
{
        rt_fail(WIRE_FAIL_ABORT, site, "assume");
}

void shadow_own(const struct thread *t, uintptr_t addr, size_t size)
{
        (void)t;
        (void)addr;
        (void)size;
}

void shadow_slow(uintptr_t addr, size_t size)
{
        (void)addr;
        (void)size;
}

bool shadow_is_shared(uintptr_t addr)
{
        (void)addr;
        return stub.shared;
}

bool rt_malloc_fails(uintptr_t site)
{
        (void)site;
        return false;
}

uint32_t rt_choose(uint32_t n, uintptr_t site)
{
        (void)site;
        return stub.choice % n;
}

void cancel_point(uintptr_t site)
{
        (void)site;
}

void rt_yield(uintptr_t site)
{
        (void)site;
        stub.n_yields++;
}

void rt_note_incomplete(enum reason reason, const char *detail)
{
        stub.incomplete |= REASON_BIT(reason);
        rt_text(stub.text, sizeof stub.text, detail ? detail : "");
}

void rt_atomic_begin(uintptr_t site)
{
        (void)site;
}

void rt_atomic_end(uintptr_t site)
{
        (void)site;
}

void rt_preempt(uintptr_t site)
{
        (void)site;
}

void rt_ignore(int delta)
{
        (void)delta;
}

void rt_name_object(const void *p, const char *name)
{
        (void)p;
        (void)name;
}

bool rt_site_in_unwinder(uintptr_t pc)
{
        (void)pc;
        return false;
}

uint64_t spin_regs[9], spin_args[6];
bool cycle_on;

void cycle_heap(void)
{
}

void cycle_asked(void)
{
}

void *effect_target(void *data);
void *effect_target(void *data)
{
        return data;
}

void *unlisted_target(void *data);
void *unlisted_target(void *data)
{
        return data;
}

void *stream_target(void *data);
void *stream_target(void *data)
{
        return data;
}

void spin_progress(struct thread *t)
{
        (void)t;
}

void object_set_policy(const void *addr, uint32_t policy)
{
        (void)addr;
        (void)policy;
}

uint64_t signal_sleep(struct thread *t, uint64_t ns, uintptr_t site)
{
        (void)t;
        (void)ns;
        (void)site;
        return 0;
}

void speculation_kernel(struct thread *t)
{
        (void)t;
}

void rt_yield_kernel(uintptr_t site)
{
        rt_yield(site);
}

bool program_handler_any;

void unsafe_enter_slow(struct thread *t, const void *stream, uintptr_t site)
{
        (void)t;
        (void)stream;
        (void)site;
}

uint64_t path_left_at(void)
{
        return 0;
}

/*
 * See live.h.  The explorer computes liveness from the code (binary/liveness.h).  Frames are walked from the innermost one as
 * long as their sites are known; what lies beyond counts as live.
 */
#include "rt/loops/live.h"

#include "base/hash.h"
#include "rt/loops/registers.h"
#include "rt/loops/words.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/util.h"

#define SLOTS (2 * WIRE_MAX_LOOPS) /* a power of two */

static struct {
        uint64_t site;
        uint32_t loop; /* index + 1 in `loops` of the wire, 0: the slot is empty */
} slots[SLOTS];
static uint32_t n_known;

static uint32_t slot_of(uint64_t site)
{
        return (uint32_t)(hash_mix(5, site) >> 32) % SLOTS;
}

static const struct wire_loop *find(uint64_t site)
{
        for (uint32_t i = slot_of(site); slots[i].loop; i = (i + 1) % SLOTS)
                if (slots[i].site == site)
                        return &rt.down->loops[slots[i].loop - 1];
        return NULL;
}

void live_init_run(void)
{
        if (rt.down->n_loops < n_known) {
                rt_zero(slots, sizeof slots);
                n_known = 0;
        }
        for (; n_known < rt.down->n_loops && n_known < WIRE_MAX_LOOPS; n_known++) {
                uint32_t i = slot_of(rt.down->loops[n_known].site);
                while (slots[i].loop)
                        i = (i + 1) % SLOTS;
                slots[i].site = rt.down->loops[n_known].site;
                slots[i].loop = n_known + 1;
        }
}

const struct wire_loop *live_loop(uintptr_t site)
{
        const struct wire_loop *l = n_known ? find(site) : NULL;

        return l && l->looks ? l : NULL;
}

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* The bytes of a word that these bits do not name: bit k into byte k, from there into its highest bit, and into all of it. */
static uint64_t live_bytes(uint8_t dead)
{
        uint64_t bits = (uint8_t)~dead * EACH_BYTE & UINT64_C(0x8040201008040201);

        return ((bits + 0x7f * EACH_BYTE) >> 7 & EACH_BYTE) * 0xff;
}

static uint64_t frame_hash(uint64_t h, uintptr_t p, const struct wire_loop *l)
{
        for (uint32_t i = 0; i < l->frame; i += 8) {
                uint8_t dead = i < WIRE_LOOP_FRAME ? (uint8_t)(l->dead[i / 64] >> (i % 64)) : 0;
                uint64_t w = *(const uint64_t *)(p + i);

                if (dead != 0xff)
                        h = hash_mix(h, dead ? w & live_bytes(dead) : w);
        }
        return h;
}

static bool at_instruction(const struct thread *t)
{
        return position_of(t) - t->locked.n == t->locked.after && t->locked.run;
}

/* The word below the frame: the return address of a call; an instruction has none. */
static uintptr_t below_frame(const struct thread *t)
{
        return (uintptr_t)spin_regs[6] - (at_instruction(t) ? 8 : 0);
}

/* At an instruction of inline assembly, or a hook that keeps registers. */
static uint64_t scratch_hash(uint64_t h, uint32_t live)
{
        for (uint32_t i = 0; i < 17; i++)
                if (live >> i & 1)
                        h = hash_mix(h, spin_scratch[i]);
        return hash_mix(h, spin_scratch[17]);
}

/* Of registers and stack. */
static uint64_t live_hash(const struct thread *t, const struct wire_loop *l)
{
        uintptr_t lo, hi = 0, p = below_frame(t);
        uint64_t h = p;

        for (uint32_t i = 0; i < 6; i++)
                if (!l || l->live >> i & 1)
                        h = hash_mix(h, spin_regs[i]);
        if (spin_is_kept() || at_instruction(t))
                h = scratch_hash(h, l ? l->scratch : WIRE_LOOP_SCRATCH);
        spin_stack_of(t, &lo, &hi);
        for (; l && l->frame != UINT32_MAX && p + 16 + l->frame <= hi;
             p += 8 + l->frame, l = find(*(const uint64_t *)p))
                h = frame_hash(hash_mix(h, *(const uint64_t *)p), p + 8, l);
        return words_hash(h, p, hi);
}

bool live_is_told(const struct thread *t, const struct wire_loop *l, uint64_t addr)
{
        uintptr_t lo, hi = 0, p = below_frame(t);

        spin_stack_of(t, &lo, &hi);
        for (; l && l->frame != UINT32_MAX && p + 16 + l->frame <= hi;
             p += 8 + l->frame, l = find(*(const uint64_t *)p))
                if (addr >= p + 8 && addr < p + 8 + l->frame)
                        return l->told;
        return false;
}

bool live_lacks_arguments(const struct thread *t)
{
        uint32_t op = t->pend.op;

        if (op_has(op, OPF_ATOMIC))
                return t->pend.size & (t->pend.size - 1); /* those of odd sizes */
        return !op_has(op, OPF_IN_STATES) || op == OP_SEM_GETVALUE || op == OP_CREATE;
}

/* The arguments of atomic operations are known, that of a join, and those of copies; others have none but their object. */
uint64_t live_local(const struct thread *t, const struct wire_loop *l)
{
        const struct pending *p = &t->pend;
        uint64_t h = hash_mix(hash_mix(p->obj, p->size), p->op);

        if ((op_has(p->op, OPF_ATOMIC) && !op_has(p->op, OPF_LOADS)) || p->op == OP_JOIN)
                h = hash_mix(h, p->arg);
        if (op_has(p->op, OPF_PLAIN))
                h = hash_mix(h, spin_args_hash());
        return hash_mix(h, live_hash(t, live_lacks_arguments(t) ? NULL : l));
}

/* p: the word below the frame that the site is in. */
static _Noreturn void report(const struct thread *t, uintptr_t p, uintptr_t site, bool looks)
{
        uintptr_t lo, hi = 0;
        uint32_t n = 0;

        pool_stack_of(t->id, &lo, &hi);
        rt.up->loop_stack[n++] = site;
        for (p += 8; p + 8 <= hi && n < WIRE_LOOP_STACK; p += 8)
                rt.up->loop_stack[n++] = *(const uint64_t *)p;
        rt.up->n_loop_stack = n;
        rt.up->loop_looks = looks;
        rt.up->loop_depth = pool_depth(t->id, (uintptr_t)spin_regs[6]);
        exec_end(WIRE_END_LOOP);
}

_Noreturn void live_report(const struct thread *t, uintptr_t site)
{
        report(t, below_frame(t), site, true);
}

const struct wire_loop *live_site(const struct thread *t, uintptr_t site)
{
        uintptr_t lo, hi = 0, p = below_frame(t);
        const struct wire_loop *first = find(site), *l = first;

        if (rt.down->n_loops == WIRE_MAX_LOOPS)
                return first;
        spin_stack_of(t, &lo, &hi);
        for (; l && l->frame != UINT32_MAX && p + 16 + l->frame <= hi; l = find(site)) {
                p += 8 + l->frame;
                site = *(const uint64_t *)p;
        }
        if (!l)
                report(t, p, site, false);
        return first;
}

/* See registers.h. */
#include "rt/loops/registers.h"

#include "base/hash.h"
#include "rt/loops/words.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"

uint64_t spin_regs[9], spin_args[6], spin_scratch[18], spin_kept;

bool spin_is_kept(void)
{
        return spin_kept && spin_kept == spin_regs[7];
}

uint64_t spin_scratch_hash(void)
{
        uint64_t h = 0;

        for (int i = 0; i < 18; i++)
                h = hash_mix(h, spin_scratch[i]);
        return h;
}

uint64_t spin_args_hash(void)
{
        uint64_t h = 1;

        for (int i = 1; i < 6; i++)
                h = hash_mix(h, spin_args[i]);
        return spin_args[0] == spin_regs[7] ? h : 0;
}

/* Does it run on the stack that we know?  Otherwise its local state cannot be compared. */
bool spin_on_own_stack(const struct thread *t)
{
        uintptr_t lo, hi;

        return pool_stack_of(t->id, &lo, &hi) && spin_regs[6] >= lo && spin_regs[6] < hi;
}

bool spin_stack_of(const struct thread *t, uintptr_t *lo, uintptr_t *hi)
{
        bool known = pool_stack_of(t->id, lo, hi);

        if (t->fiber.end)
                *hi = t->fiber.end;
        return known;
}

bool spin_stack_has(const struct thread *t, uint64_t addr)
{
        uintptr_t lo, hi;

        return spin_stack_of(t, &lo, &hi) && addr >= lo && addr < hi;
}

uint64_t spin_stack_hash(const struct thread *t)
{
        uintptr_t lo, hi = 0;

        spin_stack_of(t, &lo, &hi);
        return words_hash(0, (uintptr_t)spin_regs[6] & ~(uintptr_t)7, hi);
}

bool spin_knows(const struct thread *t, uintptr_t site)
{
        return spin_regs[7] == site && spin_on_own_stack(t);
}

void spin_inside(struct thread *t, uint64_t value)
{
        if (RT_LIKELY(!t->stack.inputs)) {
                spin_regs[7] = 0;
                return;
        }
        t->stack.inputs = hash_mix(t->stack.inputs, value) | 1;
        spin_regs[7] |= SPIN_INSIDE;
}

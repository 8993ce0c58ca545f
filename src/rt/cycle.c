/*
 * Executions that come back to a state they were in.  What can follow can follow the first visit too, so the execution
 * is cut there (WIRE_END_CYCLE; `step` is the transition before which it was in the same state).
 *
 * A state is, of each thread, its registers and stack at the point where it stands, and what it is about to do; the
 * states of locks; and all memory that was written since states are remembered, stacks of the writer apart.  States are
 * compared by a 64-bit hash.  Of a thread whose registers are not known (it came by a call that does not note them) it
 * is known only that it has not moved since.
 *
 * Only loops that look at memory and take and release locks come back: whatever else is done (cycle_did) makes all
 * states before it different from all after it.  Left out: what libc keeps without telling, as in spin.c.
 *
 * Stacks begin empty, so that what lies in them unused depends on the execution alone.  Should it not (a stack was used
 * deeper than that), a cycle may be seen in one run and not in the next with the same beginning: the schedule's prefix is
 * never cut.
 *
 * To remember states costs too much for every execution: without WIRE_CYCLES_ALL that is done for some transitions now
 * and then, enough to learn that a program has cycles.
 */
#include "rt/cycle.h"

#include "rt/sched.h"
#include "rt/spin.h"

#define FIRST     64u    /* the transition at which states are first remembered, ... */
#define WINDOW    256u   /* ... for so many, ... */
#define FARTHER   16u    /* ... and again after so many times as many */
#define CLEAN     65536u /* bytes of each stack that are zero at first */
#define MAX_WORDS 2048u
#define SLOTS     16384u /* a power of two, of states; as many as half of them are remembered */

struct word {
        uint64_t addr, first; /* value when states began to be remembered */
        bool absolute;        /* in a stack: its owner writes to it unseen, so that `first` means nothing */
};

struct seen {
        uint64_t hash;
        uint32_t run, transition;
};

uint32_t cycle_from = UINT32_MAX;
bool cycle_on;

static struct word words[MAX_WORDS];
static uint16_t slots[2 * MAX_WORDS]; /* index + 1 in words */
static uint32_t n_words;
static struct seen seen[SLOTS];
static uint32_t n_seen, run, until;
static uint64_t epoch;   /* states of different epochs are different */
static uint64_t n_stays; /* of threads whose registers are not known, at a point */
static uint64_t local[WIRE_MAX_THREADS];

static uint64_t mix(uint64_t h, uint64_t v)
{
        h = (h ^ v) * UINT64_C(0x9fb21c651e98df25);
        return h ^ h >> 32;
}

static void begin(uint32_t last)
{
        cycle_on = true;
        until = last;
        n_words = n_seen = 0;
        epoch = n_stays = 0;
        run++; /* what stands in `seen` is forgotten */
        rt_zero(slots, sizeof slots);
        rt_zero(local, sizeof local);
        spin_watchers++;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                threads[i].fast_mark = RT_MARK_NONE;
}

/* Enough was seen, or too much to remember. */
static void stop(void)
{
        cycle_on = false;
        cycle_from = rt.down->cycles == WIRE_CYCLES_ALL ? UINT32_MAX : cycle_from * FARTHER;
        spin_watchers--;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (!threads[i].solo && !spin_suspects(&threads[i]))
                        threads[i].fast_mark = sched_fast_mark(&threads[i]);
}

void cycle_init_run(void)
{
        cycle_on = false; /* spin_watchers was reset with everything else */
        cycle_from = UINT32_MAX;
        if (!rt.segments && rt.down->cycles)
                cycle_from = rt.down->cycles == WIRE_CYCLES_ALL ? 0 : FIRST;
}

void cycle_clean_stack(char *lo, char *top)
{
        size_t size = (size_t)(top - lo) < CLEAN ? (size_t)(top - lo) : CLEAN;

        if (rt.down->cycles == WIRE_CYCLES_ALL)
                rt_zero(top - size, size);
}

/* Is it in a stack? */
static bool in_stack(const struct thread *writer, uint64_t addr, bool *own)
{
        uintptr_t lo, hi;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (pool_stack_of(i, &lo, &hi) && addr >= lo && addr < hi) {
                        *own = i == writer->id;
                        return true;
                }
        return false;
}

static void note_word(const struct thread *t, uint64_t addr)
{
        uint32_t i = (uint32_t)(mix(1, addr) >> 40) % (2 * MAX_WORDS);
        bool own = false, stack;

        for (; slots[i]; i = (i + 1) % (2 * MAX_WORDS))
                if (words[slots[i] - 1].addr == addr)
                        return;
        stack = in_stack(t, addr, &own);
        if (own)
                return;
        if (n_words == MAX_WORDS) {
                stop();
                return;
        }
        words[n_words].addr = addr;
        words[n_words].first = *(const uint64_t *)(uintptr_t)addr;
        words[n_words].absolute = stack;
        slots[i] = (uint16_t)++n_words;
}

void cycle_write(const struct thread *t, uint64_t addr, uint32_t size)
{
        for (uint64_t a = addr & ~UINT64_C(7); cycle_on && a < addr + size; a += 8)
                note_word(t, a);
}

void cycle_progress(void)
{
        epoch++;
}

void cycle_did(uint32_t op)
{
        switch (op) {
        case OP_READ:
        case OP_WRITE:
        case OP_LOAD:
        case OP_STORE:
        case OP_RMW:
        case OP_CAS:
        case OP_FENCE:
        case OP_PREEMPT:
        case OP_MUTEX_LOCK:
        case OP_MUTEX_TRYLOCK:
        case OP_MUTEX_UNLOCK:
        case OP_SPIN_LOCK:
        case OP_SPIN_TRYLOCK:
        case OP_SPIN_UNLOCK:
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_WRLOCK:
        case OP_RWLOCK_TRYRDLOCK:
        case OP_RWLOCK_TRYWRLOCK:
        case OP_RWLOCK_UNLOCK: return;
        }
        epoch++;
}

static uint64_t memory_hash(void)
{
        uint64_t h = 0;

        for (uint32_t i = 0; i < n_words; i++) {
                uint64_t now = *(const uint64_t *)(uintptr_t)words[i].addr;
                if (words[i].absolute || now != words[i].first)
                        h += mix(mix(2, words[i].addr), now);
        }
        for (uint32_t i = 0; i < ex.n_objects; i++)
                h += mix(mix(mix(3, objects[i].addr), objects[i].state), objects[i].ticket);
        return h;
}

/* Who ran last counts too: going on costs no preemption (--bound). */
static uint64_t state_hash(const struct thread *last)
{
        uint64_t h = mix(mix(epoch, last->id), memory_hash());

        for (uint32_t i = 0; i < ex.n_threads; i++) {
                const struct thread *t = &threads[i];
                h = mix(mix(h, local[i]), t->state);
                if (t->state == WIRE_T_READY || t->state == WIRE_T_SPIN)
                        h = mix(mix(h, t->pend.op), t->pend.obj);
        }
        return h;
}

void cycle_look(struct thread *t, uintptr_t site)
{
        bool all = rt.down->cycles == WIRE_CYCLES_ALL;
        uint64_t h;
        uint32_t i;

        if (!cycle_on)
                begin(all ? UINT32_MAX : ex.n_transitions + WINDOW);
        if (ex.n_transitions > until || n_seen == SLOTS / 2) {
                stop();
                return;
        }
        local[t->id] = spin_knows(t, site) ? mix(spin_local(t), site) : mix(~UINT64_C(0), ++n_stays);
        if (t->atomic_depth || t->eager_parent)
                return;
        h = state_hash(t);
        for (i = (uint32_t)(h >> 32) % SLOTS; seen[i].run == run; i = (i + 1) % SLOTS)
                if (seen[i].hash == h && seen[i].transition < ex.n_transitions && ex.n_transitions >= rt.n_prefix) {
                        rt.up->cycle_state = h;
                        exec_end_text(WIRE_END_CYCLE, seen[i].transition, "");
                }
        seen[i] = (struct seen){h, run, ex.n_transitions};
        n_seen++;
}

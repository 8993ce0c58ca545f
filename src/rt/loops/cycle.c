/*
 * Executions that come back to a state they were in.  What can follow can follow the first visit too, so the execution
 * is cut there (WIRE_END_CYCLE; `step` is the transition before which it was in the same state).  With WIRE_CYCLES_ALL the
 * explorer receives the state before each transition, and compares those of different executions (filters.c).
 *
 * A state is a hash of 64 bits.  Of each thread it has registers and stack at the point where it is, and what it is
 * about to do; of locks and threads what is modelled; all memory that was seen to be written, stacks of the writer apart;
 * and the data of the program's own modules and the heap, for what is written unseen (state_memory.h).
 *
 * What else an operation changes (queues, pipes, random numbers ...) is not checked.  Instead, after such an *opaque*
 * step, the state before it and what was done become a part of this and all later states (`past`): they are equal only if
 * the same was done in the same state, and so has the same result.  The same goes for a thread that comes by a call which does not
 * note its registers.  By induction equal states are the same in what is not checked, too.
 *
 * Not a part of a state: virtual time.  A program that asks for it is reported as incomplete.
 *
 * A thread that loops by itself while no other thread can continue is left to spin.c, since that is a livelock.
 *
 * Stacks begin empty, so that what lies in them unused depends on the execution alone.  Should it not (a stack was used
 * deeper than that), a state may be known in one run and not in the next with the same beginning: the schedule's prefix is
 * never cut.
 *
 * To look at all states costs too much for every execution: with WIRE_CYCLES_SOME that is done for some transitions now
 * and then, and with less care, enough to learn that a program may have cycles.
 */
#include "rt/loops/cycle.h"

#include "base/hash.h"
#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/enabled.h"
#include "rt/sched/end.h"
#include "rt/sched/pool.h"
#include "rt/loops/live.h"
#include "rt/loops/registers.h"
#include "rt/loops/state_memory.h"
#include "rt/loops/tracking.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"
#include "rt/world/regions.h"

#define FIRST       256u  /* the transition at which states are first remembered, ... */
#define WINDOW      1024u /* ... for so many, ... */
#define FARTHER     16u   /* ... and again after so many times as many */
#define PATIENCE    8u    /* times that a state may be met again where spin.c, which has its turn first, may end that */
#define SMALL_STACK 16384u
#define LARGE_STACK 131072u
#define MAX_WORDS   2048u
#define FEW_WORDS   256u
#define SLOTS       16384u /* a power of two, of states; as many as half of them are remembered */

_Static_assert(SLOTS / 2 <= WIRE_MAX_HASHES, "all that are remembered can be reported");

struct word {
        uint64_t addr, first; /* value when states began to be remembered */
        bool absolute;        /* in a stack: its owner writes to it unseen, so that `first` means nothing */
};

struct seen {
        uint64_t hash;
        uint32_t run, transition;
        uint32_t again; /* how often it was met again */
};

uint32_t cycle_from = UINT32_MAX;

static struct word words[MAX_WORDS];
static uint16_t slots[2 * MAX_WORDS]; /* index + 1 in words */
static uint32_t n_words;
static struct seen seen[SLOTS];
static uint32_t n_seen, run, until;
static bool heap_seen;             /* the heap is a part of states */
static uint64_t past;              /* of the last opaque step */
static uint64_t last_state;        /* the state that was checked last, ... */
static uint32_t last_event;        /* ... entries up to there, ... */
static bool opaque;                /* ... and was there an opaque step since? */
static uint32_t alone, alone_from; /* the thread that came by last, and the state since which no other did */
static uint64_t local[WIRE_MAX_THREADS];
static uint64_t kept[WIRE_MAX_THREADS][sizeof spin_regs / sizeof *spin_regs];

static bool looks_at_all(void)
{
        return rt.down->cycles == WIRE_CYCLES_ALL;
}

static void begin(uint32_t last)
{
        cycle_on = true;
        until = last;
        n_words = n_seen = 0;
        past = last_state = 0;
        last_event = ex.n_events;
        opaque = false;
        heap_seen = true;
        alone = alone_from = UINT32_MAX;
        run++; /* what is in `seen` is forgotten */
        rt_zero(slots, sizeof slots);
        rt_zero(local, sizeof local);
        if (looks_at_all())
                state_memory_begin();
        spin_watchers++;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                position_mark(&threads[i], RT_MARK_NONE);
}

/* Enough was seen, or too much to remember. */
static void stop(void)
{
        cycle_on = false;
        cycle_from = looks_at_all() ? UINT32_MAX : cycle_from * FARTHER;
        spin_watchers--;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                tracking_end(&threads[i]);
}

void cycle_init_run(void)
{
        cycle_on = false; /* spin_watchers was reset with everything else */
        cycle_from = UINT32_MAX;
        rt.up->n_hashes = 0;
        if (!rt.segments && rt.down->cycles && !(rt.flags & WIRE_NO_CYCLES))
                cycle_from = looks_at_all() ? 0 : FIRST;
}

/* Is it in a stack? */
static bool in_stack(const struct thread *writer, uint64_t addr, bool *own)
{
        uintptr_t lo, hi;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (spin_stack_of(&threads[i], &lo, &hi) && addr >= lo && addr < hi) {
                        *own = i == writer->id;
                        return true;
                }
        return false;
}

static void note_word(const struct thread *t, uint64_t addr)
{
        uint32_t i = (uint32_t)(hash_mix(1, addr) >> 40) % (2 * MAX_WORDS);
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

void cycle_gone(uint64_t lo, uint64_t hi)
{
        for (uint32_t i = 0; cycle_on && i < n_words; i++)
                if (words[i].addr + 8 > lo && words[i].addr < hi)
                        stop();
}

void cycle_opaque(void)
{
        opaque = true;
}

void cycle_heap(void)
{
        opaque |= !heap_seen;
}

void cycle_asked(void)
{
        if (cycle_on && looks_at_all())
                rt_note_incomplete(REASON_CYCLE_TIME, NULL);
}

void cycle_did(uint32_t op)
{
        opaque |= !op_has(op, OPF_IN_STATES);
}

static uint64_t memory_hash(void)
{
        uint64_t h = 0;

        for (uint32_t i = 0; i < n_words; i++) {
                uint64_t now = *(const uint64_t *)(uintptr_t)words[i].addr;
                if (words[i].absolute || now != words[i].first)
                        h += hash_mix(hash_mix(2, words[i].addr), now);
        }
        for (uint32_t i = 0; i < ex.n_objects; i++)
                h += hash_mix(hash_mix(hash_mix(3, objects[i].addr), objects[i].state), objects[i].ticket);
        if (!looks_at_all())
                return h;
        return hash_mix(h, state_memory_hash(&heap_seen));
}

static uint64_t thread_hash(uint64_t h, const struct thread *t)
{
        h = hash_mix(h, (uint64_t)t->state << 32 | t->handle.detached << 24 | t->handle.joined << 16 |
                                t->handle.claimed << 8 | t->cancel.requested);
        if (t->state == WIRE_T_UNUSED)
                return h;
        h = hash_mix(h, (uintptr_t)t->body.retval);
        if (t->state == WIRE_T_DONE)
                return h;
        h = hash_mix(hash_mix(hash_mix(h, local[t->id]), t->pend.op), t->pend.obj);
        h = hash_mix(hash_mix(hash_mix(h, (uintptr_t)t->body.start), (uintptr_t)t->body.arg), t->n_children);
        h = hash_mix(hash_mix(h, (uint64_t)(uint32_t)t->identity.rank << 2 | t->cancel.off << 1 | t->cancel.async),
                     t->signals.mask);
        h = hash_mix(hash_mix(h, t->identity.stack_size), t->identity.guard_size);
        for (uint32_t i = 0; i < t->held.n_reads && i < 8; i++)
                h = hash_mix(h, t->held.reads[i]->addr);
        return h;
}

static uint64_t state_hash(void)
{
        uint64_t h = hash_mix(past, memory_hash());

        for (uint32_t i = 0; i < ex.n_threads; i++)
                h = thread_hash(h, &threads[i]);
        return h ? h : 1;
}

/* What was done since the last state, which it led on from. */
static uint64_t way_here(void)
{
        uint64_t h = hash_mix(4, last_state);

        for (uint32_t i = last_event; i < ex.n_events; i++) {
                const struct wire_event *e = &rt.up->events[i];
                h = hash_mix(h, (uint64_t)e->actor << 48 | (uint64_t)e->op << 32 | e->choice);
        }
        return h;
}

/* Where states are checked now and then only, that must cost little. */
static bool too_dear(const struct thread *t, bool knows)
{
        uintptr_t lo, hi;
        bool all = looks_at_all();

        return (!all && n_words > FEW_WORDS) ||
               (knows && pool_stack_of(t->id, &lo, &hi) && hi - spin_regs[6] > (all ? LARGE_STACK : SMALL_STACK));
}

static bool another_can_go(const struct thread *t)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (&threads[i] != t && sched_enabled(&threads[i]))
                        return true;
        return false;
}

/* The state at hand; of a heap that has become too large it is as after an opaque step. */
static uint64_t look(void)
{
        bool had_heap = heap_seen;
        uint64_t h;

        if (opaque)
                past = way_here();
        h = state_hash();
        if (had_heap != heap_seen) {
                past = way_here();
                h = state_hash();
        }
        last_state = h;
        last_event = ex.n_events;
        opaque = false;
        return h;
}

/* Transitions that ended in no point have no state. */
static void report(uint64_t h)
{
        struct wire_up *up = rt.up;

        if (ex.n_transitions >= WIRE_MAX_HASHES)
                return;
        while (up->n_hashes < ex.n_transitions)
                up->hashes[up->n_hashes++] = 0;
        up->hashes[ex.n_transitions] = h;
        up->n_hashes = ex.n_transitions + 1;
}

/* The thread is back in a state.  Is that to be reported?  Not at once where a program with loops that wait, which needs no
 * search over states, may do so too; nor where the thread is alone and no other thread can continue. */
static bool counts(const struct thread *t, struct seen *s)
{
        s->again += s->transition != ex.n_transitions;
        if (ex.n_transitions < rt.n_prefix || s->transition == ex.n_transitions)
                return false;
        return s->again >= PATIENCE || (looks_at_all() && (s->transition < alone_from || another_can_go(t)));
}

/* Are they those of its call, or of one with known inputs that continues? */
static bool knows_registers(const struct thread *t, uintptr_t site)
{
        bool inside = t->stack.inputs && spin_regs[7] == (site | SPIN_INSIDE);

        return spin_knows(t, site) || (inside && spin_on_own_stack(t));
}

void cycle_back(const struct thread *t)
{
        rt_copy(spin_regs, kept[t->id], sizeof spin_regs);
}

/* Of the thread that has come to a point.  Where it does not say all the step there is opaque. */
static uint64_t local_state(const struct thread *t, uintptr_t site, bool knows)
{
        uint64_t h;

        opaque |= !knows || live_lacks_arguments(t);
        if (!knows)
                return 0;
        h = live_local(t, looks_at_all() ? live_site(t, site) : NULL);
        return hash_mix(hash_mix(hash_mix(h, site), t->stack.inputs), spin_regs[7]);
}

void cycle_look(struct thread *t, uintptr_t site)
{
        bool all = looks_at_all(), knows = knows_registers(t, site);
        uint64_t h;
        uint32_t i;

        if (!cycle_on)
                begin(all ? UINT32_MAX : ex.n_transitions + WINDOW);
        if (ex.n_transitions > until || n_seen == SLOTS / 2 || too_dear(t, knows)) {
                stop();
                return;
        }
        local[t->id] = local_state(t, site, knows);
        rt_copy(kept[t->id], spin_regs, sizeof spin_regs);
        if (t->section.atomic || t->turn.eager_parent)
                return;
        if (t->id != alone) {
                alone = t->id;
                alone_from = ex.n_transitions ? ex.n_transitions - 1 : 0;
        }
        h = look();
        if (all)
                report(h);
        for (i = (uint32_t)(h >> 32) % SLOTS; seen[i].run == run; i = (i + 1) % SLOTS)
                if (seen[i].hash == h) {
                        if (counts(t, &seen[i]))
                                exec_end_text(WIRE_END_CYCLE, seen[i].transition, "");
                        return;
                }
        seen[i] = (struct seen){h, run, ex.n_transitions, 0};
        n_seen++;
}

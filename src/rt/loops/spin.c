/*
 * Spin loops (the idea is LocalCycleDetection of SCALE, algorithm 5).
 *
 * A thread spins when it is back at the same place with the same registers and stack, has changed no byte outside its
 * stack since it was there, and no other thread has written to what it read in between.  Another round would
 * change nothing: it is blocked (WIRE_T_SPIN) until another thread writes to something it read.
 *
 * A place is a visible operation that only looks: a read, an atomic update or try that may leave all as it is, or
 * taking a lock.  Where the loop takes mutexes, only places count at which it holds none: others must be able to run.
 * On the second visit to a place the thread is suspected: its state is hashed, and from then on every write of it comes
 * by here (fast_mark is RT_MARK_NONE), which notes the old bytes; on the next visit they are compared.  A third visit in
 * the same state blocks.  If the thread comes to another place twice before it is back, it is in another loop, and that
 * place is the one to look at; each time this happens it takes twice as many visits, since in a loop around two others it
 * never ends.  Sleeping changes nothing; probing at the clock, and rand() and similar functions, are progress.
 *
 * A write of another thread to what a suspect read starts the comparison again, and does not end the suspicion: the thread may
 * have left that loop, and equivalent executions would wait in the next one after different numbers of rounds.
 *
 * Whether a thread is blocked must follow from the program and the schedule alone: equal prefixes are run many times, and the
 * explorer takes a difference for the program's.  Frames have bytes that the program never writes.  So entries to the runtime
 * keep their distance from the program's frames and leave nothing in registers (x86_64/gap.h, stub.h): what lies in such bytes
 * is what the program left there, or the same at all visits of an execution.  Where a schedule says that a thread continued, it
 * does (spin_overrule).
 */
#include "rt/loops/spin.h"

#include "base/hash.h"
#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/loops/await.h"
#include "rt/loops/cut.h"
#include "rt/loops/cycle.h"
#include "rt/position.h"
#include "rt/trace/entry.h"
#include "rt/sched/path.h"
#include "rt/sched/pool.h"
#include "rt/loops/registers.h"
#include "rt/loops/state_memory.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

#define MAX_SITES 16u
#define MAX_WATCH 64u
#define MAX_OLD   64u

struct old { /* bytes before the first write since the last visit */
        uint64_t addr;
        uint32_t size;
        uint8_t bytes[8];
};

struct watch {
        uint64_t obj;
        uint32_t size;
};

struct spin {
        uintptr_t sites[MAX_SITES]; /* places since the last progress, and since the last visit, a ring */
        uint32_t n_sites;
        uint32_t repeats;    /* how often one of these came again ... */
        uint32_t patience;   /* ... and how often it must, for another suspect */
        uintptr_t suspect;   /* the place of the loop, 0: none */
        uint64_t regs[8];    /* at the last visit */
        uint64_t hash;       /* of the stack then */
        uint64_t scratch;    /* of the other registers, see same_scratch() */
        uint64_t args;       /* of a copy, a comparison or a search */
        uint64_t unseen;     /* of memory that the program may write unseen */
        uint32_t n_hooks;    /* hook calls of the thread up to then, but for inline assembly ... */
        uint32_t run;        /* ... of which there were so many since the last one */
        uint32_t n_sync;     /* lock operations of the thread up to then */
        uint32_t lap, power; /* visits since then, and how many make a new reference (Brent's cycle detection) */
        bool dirty;          /* something changed since then that cannot be followed */
        bool toggled;        /* ... memory had another value in between */
        bool overtaken;      /* another thread has written to what it read since then */
        bool unlocked;       /* only places where no mutex is held count */
        uint64_t seen;       /* when it was blocked: a hash of what it watches */
        uint32_t n_watch, n_old;
        struct watch watch[MAX_WATCH];
        struct old old[MAX_OLD];
};

static struct spin spins[WIRE_MAX_THREADS];
static uint32_t n_suspects;
static bool noted_any; /* one of them is not as at the begin of an execution */

static void forget(struct thread *t, struct spin *s)
{
        if (s->suspect) {
                s->suspect = 0;
                t->spin.suspected = false;
                n_suspects--;
                spin_watchers--;
                tracking_end(t);
        }
        s->n_sites = 0;
        s->n_watch = 0;
        s->n_old = 0;
        s->dirty = s->overtaken = false;
        s->unlocked = false;
}

void spin_moved(struct thread *t)
{
        struct spin *s = &spins[t->id];

        cut_effect(t);
        if (s->n_sites || s->suspect)
                forget(t, s);
}

void spin_progress(struct thread *t)
{
        if (RT_UNLIKELY(cycle_on))
                cycle_opaque();
        await_opaque(t);
        spin_moved(t);
}

static bool unchanged(const struct spin *s)
{
        if (s->dirty || s->toggled || s->overtaken)
                return false;
        for (uint32_t i = 0; i < s->n_old; i++) {
                const uint8_t *now = (const uint8_t *)(uintptr_t)s->old[i].addr;
                for (uint32_t k = 0; k < s->old[i].size; k++)
                        if (now[k] != s->old[i].bytes[k])
                                return false;
        }
        return true;
}

static uint32_t hooks_of(const struct thread *t)
{
        return position_of(t) - t->locked.n;
}

/* More happens in a round than can be followed: nothing of it needs to be seen until the next visit. */
static void lose_track(struct thread *t, struct spin *s)
{
        s->dirty = true;
        if (!t->spin.solo)
                position_mark(t, sched_fast_mark(t));
}

/* How many instructions of inline assembly it has performed since its last hook. */
static uint32_t run_of(const struct thread *t)
{
        return hooks_of(t) == t->locked.after ? t->locked.run : 0;
}

/* Registers that a call need not preserve hold nothing at a hook, unless it preserves them.  At an instruction of inline assembly they may: either
 * from the last visit on, or computed since a hook in between, by as many instructions as the last time. */
static bool same_scratch(const struct thread *t, const struct spin *s)
{
        if (spin_is_kept())
                return spin_scratch_hash() == s->scratch;
        return hooks_of(t) == s->n_hooks ? spin_regs[8] == s->scratch : run_of(t) == s->run;
}

/* Of a program that is not instrumented no write is seen: a loop may count its rounds anywhere. */
static uint64_t unseen_memory(void)
{
        return rt.down->watch_always ? state_memory_all() : 0;
}

/* This visit is the one that later ones are compared with. */
static void visit(struct thread *t, struct spin *s)
{
        position_mark(t, RT_MARK_NONE);
        path_visit(&t->path);
        rt_copy(s->regs, spin_regs, sizeof s->regs);
        s->hash = spin_stack_hash(t);
        s->scratch = spin_is_kept() ? spin_scratch_hash() : spin_regs[8];
        s->args = spin_args_hash();
        s->unseen = unseen_memory();
        s->n_hooks = hooks_of(t);
        s->run = run_of(t);
        s->n_sync = t->held.n_sync;
        s->lap = 0;
        s->dirty = false;
        s->toggled = false;
        s->overtaken = false;
        s->n_watch = 0;
        s->n_old = 0;
}

static bool same_regs(const struct spin *s)
{
        for (int i = 0; i < 8; i++)
                if (s->regs[i] != spin_regs[i])
                        return false;
        return true;
}

/* Of the memory that it reads; objects are not memory. */
static uint64_t watched_hash(const struct spin *s)
{
        uint64_t h = 0;

        for (uint32_t i = 0; i < s->n_watch; i++) {
                const struct watch *w = &s->watch[i];
                if (w->obj >> 47 || !memory_is_there(w->obj))
                        continue;
                for (uint32_t k = 0; k < w->size && k < 64; k++)
                        h = hash_mix(h, ((const uint8_t *)(uintptr_t)w->obj)[k]);
        }
        return h;
}

void spin_overrule(struct thread *t)
{
        t->state = WIRE_T_READY;
        if (cut_continues(t))
                return;
        spin_moved(t);
        rt.up->overruled++;
}

bool spin_stale(void)
{
        return rt.flags & WIRE_CUT_LOOPS && !cut_missed() && !cut_current();
}

bool spin_missed(void)
{
        if (cut_missed())
                return true;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state == WIRE_T_SPIN && spins[i].suspect && watched_hash(&spins[i]) != spins[i].seen)
                        return true;
        return false;
}

/* The suspect is back at its place.  The stack is checked last: in a recursion it is another one each time. */
static void revisit(struct thread *t, struct spin *s)
{
        if (t->held.n_mutexes &&
            t->held.n_sync != s->n_sync) { /* it takes a mutex in the loop: it must not be blocked holding it */
                forget(t, s);
                s->unlocked = true;
        } else if (same_regs(s) && same_scratch(t, s) && s->args == spin_args_hash() &&
                   (s->n_watch || t->held.n_sync != s->n_sync) && unchanged(s) && spin_stack_hash(t) == s->hash &&
                   unseen_memory() == s->unseen) {
                t->state = WIRE_T_SPIN;
                path_waits(&t->path);
                s->seen = watched_hash(s);
        } else if (s->overtaken || ++s->lap == s->power) {
                s->power = s->overtaken ? 1 : 2 * s->power;
                visit(t, s);
        }
}

/* The loop is here, as it seems; before it may have seemed to be elsewhere. */
static void suspect(struct thread *t, struct spin *s, uintptr_t site)
{
        s->patience = s->suspect ? 2 * s->patience : 1;
        s->power = 1;
        if (rt.down->isolate != WIRE_ISOLATE_DEBUG) /* there nothing is run again */
                cut_keep_above(t);
        if (!s->suspect) {
                n_suspects++;
                spin_watchers++;
        }
        s->suspect = site;
        t->spin.suspected = true;
        visit(t, s);
}

static bool came_before(const struct spin *s, uintptr_t site)
{
        for (uint32_t i = 0; i < MAX_SITES && i < s->n_sites; i++)
                if (s->sites[i] == site)
                        return true;
        return false;
}

void spin_check(struct thread *t, uint32_t op, uintptr_t site)
{
        struct spin *s = &spins[t->id];
        bool back;

        if (RT_UNLIKELY(t->spin.armed))
                cut_settle(t);
        /* Private memory: others cannot tell when it is read.  The other operations that look (poll, tryjoin ...) may wait, or
         * look several times in one call: such a thread is woken. */
        if (rt.flags & WIRE_CUT_LOOPS && !t->spin.solo && op_has(op, OPF_IN_STATES)) {
                cut_check(t, op, site);
                return;
        }
        if (!op_has(op, OPF_LOOKS) || (t->held.n_mutexes && s->unlocked) || t->section.atomic || spin_regs[7] != site ||
            !spin_on_own_stack(t))
                return;
        back = s->suspect == site;
        noted_any = true;
        if (back) {
                revisit(t, s);
        } else if (came_before(s, site) && (!s->suspect || ++s->repeats >= s->patience)) {
                suspect(t, s, site);
                back = true;
        }
        if (back) {
                s->n_sites = s->repeats = 0;
                return;
        }
        if (s->suspect && s->n_sites > 4 * MAX_SITES) { /* it never came back: look for another place */
                forget(t, s);
                return;
        }
        s->sites[s->n_sites++ % MAX_SITES] = site;
}

void spin_read_slow(struct thread *t, uint64_t obj, uint32_t size)
{
        struct spin *s = &spins[t->id];

        cut_read(t, obj, size);
        if (!s->suspect || s->dirty)
                return;
        for (uint32_t i = 0; i < s->n_watch; i++)
                if (s->watch[i].obj == obj && s->watch[i].size >= size)
                        return;
        if (s->n_watch == MAX_WATCH) {
                lose_track(t, s);
                return;
        }
        s->watch[s->n_watch].obj = obj;
        s->watch[s->n_watch++].size = size;
}

/* Were the bytes at the last visit noted already?  If they are others now, threads that look there may see them. */
static bool noted(struct spin *s, uint64_t addr, uint32_t size)
{
        for (uint32_t i = 0; i < s->n_old; i++) {
                const struct old *o = &s->old[i];

                if (o->addr > addr || addr + size > o->addr + o->size)
                        continue;
                for (uint32_t k = 0; k < size; k++)
                        s->toggled |= ((const uint8_t *)(uintptr_t)addr)[k] != o->bytes[addr - o->addr + k] &&
                                      shadow_is_shared(addr);
                return true;
        }
        return false;
}

void spin_write_slow(struct thread *t, uint64_t obj, uint32_t size)
{
        struct spin *s = &spins[t->id];

        if (RT_UNLIKELY(cycle_on))
                cycle_write(t, obj, size);
        cut_write(t, obj, size);
        if (!s->suspect || s->dirty || spin_stack_has(t, obj))
                return;
        for (; size; obj += 8) {
                uint32_t n = size < 8 ? size : 8;
                struct old *o;
                size -= n;
                if (noted(s, obj, n))
                        continue;
                if (s->n_old == MAX_OLD) {
                        lose_track(t, s);
                        return;
                }
                o = &s->old[s->n_old++];
                o->addr = obj;
                o->size = n;
                rt_copy(o->bytes, (const void *)(uintptr_t)obj, n);
        }
}

/* Did the thread read there, or write, since its last visit? */
static bool watches(const struct spin *s, uint64_t obj, uint32_t size)
{
        for (uint32_t i = 0; i < s->n_old; i++)
                if (s->old[i].addr < obj + size && obj < s->old[i].addr + s->old[i].size)
                        return true;
        for (uint32_t i = 0; i < s->n_watch; i++)
                if (s->watch[i].obj < obj + size && obj < s->watch[i].obj + s->watch[i].size)
                        return true;
        return false;
}

void spin_interrupt(struct thread *t, struct thread *w)
{
        struct wire_event *e = entry_add(t, 0, OP_WAKE, WIRE_OBJ_THREAD(w->id), 8, WIRE_MODE_NONE, 0);

        e->choice = w->id;
        e->flags |= WIRE_EV_SPUN;
        forget(w, &spins[w->id]);
        w->state = WIRE_T_READY;
}

void spin_wake(struct thread *t, uint64_t obj, uint32_t size)
{
        if (rt.flags & WIRE_CUT_LOOPS)
                cut_others(t, obj, size);
        for (uint32_t i = 0; n_suspects && i < ex.n_threads; i++) {
                struct thread *w = &threads[i];
                struct spin *s = &spins[i];

                if (w == t || i == thread_owner(t) || !s->suspect || !watches(s, obj, size))
                        continue;
                if (w->state != WIRE_T_SPIN) {
                        s->overtaken = true;
                        continue;
                }
                spin_interrupt(t, w);
        }
}

bool spin_retries(const struct thread *t, bool *all)
{
        const struct spin *s = &spins[t->id];

        if (cut_retries(t, all))
                return true;
        *all = s->n_watch == 1 && !s->n_old;
        return s->suspect && watches(s, WIRE_OBJ_TXN, 8);
}

void spin_reset(void)
{
        for (uint32_t i = 0; noted_any && i < ex.n_threads; i++) {
                spins[i].suspect = 0;
                threads[i].spin.suspected = false;
                spins[i].n_sites = 0;
                spins[i].n_watch = 0;
                spins[i].n_old = 0;
                spins[i].dirty = spins[i].overtaken = false;
                spins[i].unlocked = false;
        }
        noted_any = false;
        spin_watchers = n_suspects = 0;
        cut_reset();
}

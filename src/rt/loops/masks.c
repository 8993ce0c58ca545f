/*
 * See masks.h and docs/proofs/loops.md, which has the argument.
 *
 * A variable whose address is handed to a function counts as live (binary/liveness.h): the result of an attempt that fails, which
 * the next attempt overwrites (`*result = value; if (compare_exchange(...)) return true;`), makes rounds look different.  Where
 * the state at a place would be an earlier one but for bytes that the thread has written since, these bytes are masked there,
 * and the exploration restarts.  All accesses there must be announced, which those of gcc are not (`told` of struct wire_loop).
 * From then on the thread is followed from each visit to that place until it has overwritten them, or
 * the frame is gone.  If it reads them before, they are masked there no more, and the exploration restarts once more.
 *
 * What is known is kept with what the explorer keeps of loops (learnt.h), as words that say which bytes at which place.
 */
#include "rt/loops/masks.h"

#include "base/hash.h"
#include "rt/loops/changes.h"
#include "rt/loops/cut_state.h"
#include "rt/loops/learnt.h"
#include "rt/loops/live.h"
#include "rt/loops/registers.h"
#include "rt/loops/tracking.h"
#include "rt/loops/words.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/weak/mm.h"

#define MAX_MASKS  64u
#define MAX_WRITES 16u
#define MAX_DEPTH  (1u << 22)

/* A word of what is known: a tag, the place, the depth of the first byte in the stack, how many bytes there are. */
#define TAG       (UINT64_C(0x15a3) << 51)
#define TAG_BITS  (UINT64_C(0x1fff) << 51)
#define LIVE      UINT64_C(2) /* the thread has read them: they are not masked */
#define PLACE(w)  ((uint32_t)((w) >> 27) & 0xffffffu)
#define DEPTH(w)  ((uint32_t)((w) >> 5) & (MAX_DEPTH - 1))
#define LENGTH(w) (((uint32_t)((w) >> 2) & 7) + 1)

static uint64_t masks[MAX_MASKS]; /* words that are not known to be live */
static uint32_t n_masks, n_known; /* n_known: with those that are */

/* What a thread has written to its own stack since it notes what it does: the value before the first time. */
struct written {
        uint64_t addr, before;
        uint32_t size;
        uint32_t visits; /* up to there */
};

static struct following {
        uint64_t stale; /* bits of masks that it must overwrite before it reads */
        uint32_t n;
        bool full;
        struct written writes[MAX_WRITES];
} following[WIRE_MAX_THREADS];
static uint32_t n_following; /* of them are in use, at most */

static uint64_t word_of(uint32_t place, uint64_t depth, uint32_t size)
{
        return TAG | (uint64_t)place << 27 | depth << 5 | (uint64_t)(size - 1) << 2 | 1;
}

void masks_init_run(void)
{
        const struct wire_down *d = rt.down;

        n_masks = n_known = 0;
        for (uint32_t i = 0; i < d->n_agreed && n_known < MAX_MASKS; i++) {
                if ((d->agreed[i] & TAG_BITS) != TAG)
                        continue;
                n_known++;
                if (!(d->agreed[i] & LIVE) && !learnt_has(d->agreed[i] | LIVE))
                        masks[n_masks++] = d->agreed[i];
        }
        for (uint32_t i = 0; i < n_following; i++)
                following[i].stale = following[i].n = 0;
        n_following = 0;
}

static struct following *following_of(const struct thread *t)
{
        n_following = t->id < n_following ? n_following : t->id + 1u;
        return &following[t->id];
}

static uintptr_t top_of(const struct thread *t)
{
        uintptr_t lo, hi = 0;

        return spin_stack_of(t, &lo, &hi) ? hi : 0;
}

uint32_t masks_place(const struct thread *t, uintptr_t site)
{
        return (uint32_t)(hash_mix(site, top_of(t) - (uintptr_t)spin_regs[6]) >> 40);
}

static void put(uint64_t addr, uint32_t size, uint64_t value)
{
        rt_copy((void *)(uintptr_t)addr, &value, size);
}

/* Where the bytes are, 0: they are not in the stack of the thread as it is now. */
static uint64_t at(uint64_t mask, uintptr_t top, uintptr_t sp)
{
        uint64_t addr = top - DEPTH(mask);

        return top && addr >= sp && addr + LENGTH(mask) <= top ? addr : 0;
}

uint64_t masks_local(const struct thread *t, const struct wire_loop *l, uint32_t place, uint64_t all)
{
        uint64_t kept[MAX_MASKS], h;
        uintptr_t top = top_of(t), sp = (uintptr_t)spin_regs[6];
        bool any = false;

        for (uint32_t i = 0; i < n_masks; i++) {
                uint64_t addr = PLACE(masks[i]) == place ? at(masks[i], top, sp) : 0;

                if (!addr)
                        continue;
                any = true;
                kept[i] = word_at(addr, LENGTH(masks[i]));
                put(addr, LENGTH(masks[i]), 0);
        }
        if (!any)
                return all;
        h = live_local(t, l);
        for (uint32_t i = n_masks; i-- > 0;) {
                uint64_t addr = PLACE(masks[i]) == place ? at(masks[i], top, sp) : 0;

                if (addr)
                        put(addr, LENGTH(masks[i]), kept[i]);
        }
        return h;
}

void masks_arm(const struct thread *t)
{
        struct following *f = following_of(t);

        f->n = 0;
        f->full = false;
}

/* Follows the thread as long as there is something that it must overwrite. */
static void set_stale(struct thread *t, struct following *f, uint64_t stale)
{
        f->stale = stale;
        if (t->spin.follows == (stale != 0))
                return;
        t->spin.follows = stale != 0;
        position_mark(t, t->spin.armed ? RT_MARK_NONE : sched_fast_mark(t));
}

void masks_visit(struct thread *t, uint32_t place)
{
        struct following *f = following_of(t);
        uint64_t stale = f->stale;

        for (uint32_t i = 0; i < n_masks; i++)
                if (PLACE(masks[i]) == place && at(masks[i], top_of(t), (uintptr_t)spin_regs[6]))
                        stale |= UINT64_C(1) << i;
        set_stale(t, f, stale);
}

/* Notes. */

static void note(const struct thread *t, struct following *f, uint64_t addr, uint32_t size)
{
        uint32_t i = 0;

        while (i < f->n && (f->writes[i].addr != addr || f->writes[i].size != size))
                i++;
        if (i < f->n)
                return;
        f->full |= f->n == MAX_WRITES;
        if (!f->full)
                f->writes[f->n++] = (struct written){addr, word_at(addr, size), size, cuts[t->id].n_visits};
}

void masks_follow(struct thread *t, uint32_t op, uint64_t addr, uint32_t size)
{
        struct following *f = following_of(t);
        uintptr_t top = top_of(t), here = (uintptr_t)__builtin_frame_address(0);
        uint64_t stale = f->stale;

        if (!spin_stack_has(t, addr))
                return;
        for (uint32_t i = 0; i < n_masks && stale; i++) {
                uint64_t bytes = stale >> i & 1 ? at(masks[i], top, here) : 0;
                uint32_t n = LENGTH(masks[i]);

                if (!bytes) {
                        stale &= ~(UINT64_C(1) << i);
                } else if (op == OP_WRITE && addr <= bytes && bytes + n <= addr + size) {
                        stale &= ~(UINT64_C(1) << i);
                } else if (op != OP_WRITE && overlap(addr, size, bytes, n)) {
                        learnt_restart(masks[i] | LIVE);
                }
        }
        if (stale != f->stale)
                set_stale(t, f, stale);
        if (op == OP_WRITE && t->spin.armed && size && size <= 8)
                note(t, f, addr, size);
}

/* Discovery. */

/* Has it been written since visit number k, and is another value there now? */
static bool differs(const struct written *w, uint32_t k, uintptr_t sp)
{
        return w->visits > k && w->addr >= sp && word_at(w->addr, w->size) != w->before;
}

/* What differs since visit number k gets the other value. */
static void swap(struct following *f, uint32_t k, uint64_t *values, bool back)
{
        for (uint32_t i = 0; i < f->n; i++) {
                const struct written *w = &f->writes[back ? f->n - 1 - i : i];
                uint64_t *value = &values[w - f->writes];

                if (w->visits <= k)
                        continue;
                if (!back)
                        *value = word_at(w->addr, w->size);
                put(w->addr, w->size, back ? *value : w->before);
        }
}

/* The last visit to this place, UINT32_MAX: there is none that is noted. */
static uint32_t last_there(const struct cut *c, uint32_t place)
{
        for (uint32_t k = c->n_visits; k-- > 0 && k + CUT_MAX_VISITS >= c->n_visits;)
                if (c->visits[k % CUT_MAX_VISITS].place == place)
                        return k;
        return UINT32_MAX;
}

void masks_explain(const struct thread *t, const struct cut *c, const struct wire_loop *l, const struct visit *now)
{
        struct following *f = following_of(t);
        uint32_t k = last_there(c, now->place), n = 0;
        const struct visit *v = &c->visits[k % CUT_MAX_VISITS];
        uintptr_t top = top_of(t), sp = (uintptr_t)spin_regs[6];
        uint64_t values[MAX_WRITES], words[WIRE_NEW_WASTED], h;

        if (k == UINT32_MAX || mm_is_weak() || f->full || v->n_reads >= c->n_reads || v->masked == now->masked ||
            ex.n_transitions < rt.n_prefix)
                return;
        for (uint32_t i = 0; i < f->n; i++) {
                const struct written *w = &f->writes[i];
                uint64_t word = word_of(now->place, top - w->addr, w->size);

                if (!differs(w, k, sp) || learnt_has(word))
                        continue;
                if (!live_is_told(t, l, w->addr) || n == WIRE_NEW_WASTED || n_known + n == MAX_MASKS ||
                    top - w->addr >= MAX_DEPTH)
                        return;
                words[n++] = word;
        }
        if (!n || !changes_undone(t, c, v))
                return;
        swap(f, k, values, false);
        h = masks_local(t, l, now->place, live_local(t, l));
        swap(f, k, values, true);
        if (h != v->masked)
                return;
        for (uint32_t i = 0; i < n; i++)
                rt.up->wasted[i] = words[i];
        rt.up->n_wasted = n;
        rt.up->restart = WIRE_RESTART_MUST;
        rt.up->n_loop_stack = 0;
        exec_end(WIRE_END_LOOP);
}

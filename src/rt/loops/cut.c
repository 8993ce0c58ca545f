/*
 * See cut.h and docs/proofs/loops.md, which has the argument.
 *
 * At a looking point of a known loop (live.h) a thread notes its local state: a *visit*.  From the first visit on, what it
 * reads is noted with the values, and every write of it comes by here.  An effect ends the notes: a write to shared memory
 * that changes a value, or an operation that changes an object.  Memory that no other thread accesses is a part of the local
 * state: what it holds at a visit follows from the old bytes of the writes since.
 */
#include "rt/loops/cut.h"

#include "base/hash.h"
#include "rt/loops/await.h"
#include "rt/loops/changes.h"
#include "rt/loops/cut_state.h"
#include "rt/loops/live.h"
#include "rt/loops/masks.h"
#include "rt/loops/places.h"
#include "rt/loops/registers.h"
#include "rt/loops/retry.h"
#include "rt/loops/spare.h"
#include "rt/loops/tracking.h"
#include "rt/loops/words.h"
#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/sched/pool.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

struct cut cuts[WIRE_MAX_THREADS];
uint32_t cut_n_stopped;

/* Notes. */

static void arm(struct thread *t, struct cut *c)
{
        t->spin.armed = true;
        c->n_visits = c->n_reads = c->n_changes = c->n_settled = 0;
        spin_watchers++;
        position_mark(t, RT_MARK_NONE);
        masks_arm(t);
}

static void disarm(struct thread *t, struct cut *c)
{
        if (!t->spin.armed)
                return;
        t->spin.armed = false;
        cut_n_stopped -= c->stopped;
        c->stopped = c->again = false;
        spin_watchers--;
        tracking_end(t);
}

void cut_effect(struct thread *t)
{
        disarm(t, &cuts[t->id]);
}

void cut_reset(void)
{
        for (uint32_t i = 0; cut_n_stopped && i < ex.n_threads; i++) {
                cut_n_stopped -= cuts[i].stopped;
                cuts[i].stopped = cuts[i].again = false;
        }
        places_reset();
}

void cut_read(struct thread *t, uint64_t obj, uint32_t size)
{
        struct cut *c = &cuts[t->id];
        bool memory = !t->pend.object && !(obj >> 47) && memory_is_there(obj) && memory_is_there(obj + size - 1);

        if (!t->spin.armed)
                return;
        if (c->n_reads == CUT_MAX_READS) {
                disarm(t, c);
                return;
        }
        c->reads[c->n_reads++] = (struct look){.obj = obj,
                                               .size = size,
                                               .event = ex.n_events,
                                               .n_changes = c->n_changes,
                                               .serial = mm_forwards(t, obj, size),
                                               .memory = memory,
                                               .value = memory ? bytes_hash(obj, size) : 0};
}

bool cut_ignores(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size, uintptr_t sp)
{
        if (!t->spin.armed || t->spin.solo || t->spin.suspected)
                return false;
        masks_access(t, op, addr, size);
        if (op == OP_READ) { /* without a call, which would write to the stack below the frame of the program */
                bool own = addr < sp || addr >= t->spin.stack_end;
                t->spin.peeked |= own;
                t->spin.strayed |= own;
                return true;
        }
        return addr >= sp && spin_stack_has(t, addr);
}

void cut_write(struct thread *t, uint64_t obj, uint32_t size)
{
        if (t->spin.armed && !changes_write(t, &cuts[t->id], obj, size))
                disarm(t, &cuts[t->id]);
}

/* It is about to perform the operation of an entry that may change an object. */
void cut_performs(struct thread *t)
{
        if (t->spin.armed && !op_has(t->pend.op, OPF_PLAIN | OPF_ATOMIC) && /* cut_write() follows */
            !changes_perform(t, &cuts[t->id]))
                disarm(t, &cuts[t->id]);
}

void cut_reach(struct thread *t, const struct mm_reached *r)
{
        if (t->spin.armed && !changes_reach(&cuts[t->id], r))
                disarm(t, &cuts[t->id]);
}

void cut_settle(const struct thread *t)
{
        changes_settle(&cuts[t->id]);
}

void cut_keep_above(const struct thread *t)
{
        uint32_t depth = pool_depth(t->id, (uintptr_t)spin_regs[6]);

        if (RT_LIKELY(depth <= rt.down->loop_depth))
                return;
        rt.up->n_loop_stack = 0;
        rt.up->loop_depth = depth;
        exec_end(WIRE_END_LOOP);
}

/* Rounds. */

/* Of the memory that the last round read. */
static uint64_t round_hash(const struct cut *c)
{
        uint64_t h = 0;

        for (uint32_t i = c->last; i < c->n_reads; i++)
                if (c->reads[i].memory && memory_is_there(c->reads[i].obj))
                        h = hash_mix(h, bytes_hash(c->reads[i].obj, c->reads[i].size));
        return h;
}

/* The first entry since the visit. */
static uint32_t entry_after(const struct cut *c, const struct visit *v)
{
        uint32_t first = ex.n_events;

        if (v->n_reads < c->n_reads)
                first = c->reads[v->n_reads].event;
        if (v->n_changes < c->n_changes && c->changes[v->n_changes].event < first)
                first = c->changes[v->n_changes].event;
        return first;
}

/* The visit at which a wasted round began; NULL: there is none.  A round may be nothing but a lock that is taken and given back. */
static struct visit *back_at(const struct thread *t, struct cut *c, uint64_t masked)
{
        struct visit *last = NULL;
        uint32_t n = 0;

        for (uint32_t i = 0; i < CUT_MAX_VISITS && i < c->n_visits; i++) {
                struct visit *v = &c->visits[i];

                if (v->masked != masked || (v->n_reads == c->n_reads && v->n_changes == c->n_changes) ||
                    !changes_undone(t, c, v))
                        continue;
                last = last && last->n_reads + last->n_changes > v->n_reads + v->n_changes ? last : v;
                c->since = n++ && c->since < entry_after(c, v) ? c->since : entry_after(c, v);
        }
        return last && n > spare_rounds(c, last) ? last : NULL;
}

/* Its last round began with these. */
static void stop(struct cut *c, uint32_t read, uint32_t change, uint32_t serial)
{
        cut_n_stopped += !c->stopped;
        c->stopped = true;
        c->last = read;
        c->last_change = change;
        c->last_serial = serial;
        c->seen = round_hash(c);
        c->touched = false;
}

/* Its last operation was one of a round that can be left out. */
static void stop_retry(struct thread *t, struct cut *c)
{
        t->state = WIRE_T_SPIN;
        stop(c, c->n_reads - 1, c->n_changes, mm_serial(t));
        c->again = true;
}

bool cut_continues(struct thread *t)
{
        struct cut *c = &cuts[t->id];

        if (!c->again)
                return false;
        cut_n_stopped--;
        c->stopped = c->again = false;
        return true;
}

/* At a place where states are not noted. */
static void elsewhere(struct thread *t, struct cut *c, uint32_t op, uintptr_t site)
{
        uint32_t before;

        if (t->spin.armed && op_has(op, OPF_IN_STATES) && !live_lacks_arguments(t) && retry_follows(t, c)) {
                cut_keep_above(t);
                if (retry_again(t, c, live_local(t, live_site(t, site))))
                        stop_retry(t, c);
        }
        if (!op_has(op, OPF_LOOKS))
                return;
        if (RT_UNLIKELY(retry_wants(site)))
                live_report(t, site);
        if (places_visit(t, site, &before))
                retry_returns(t, before);
}

static void visit(struct thread *t, struct cut *c, const struct visit *now)
{
        uintptr_t low;

        c->visits[c->n_visits++ % CUT_MAX_VISITS] = *now;
        t->spin.strayed = !spin_stack_of(t, &low, &t->spin.stack_end);
        masks_visit(t, now->place);
        if (await_notes)
                await_visit(t, now->hash, c->n_visits);
}

void cut_check(struct thread *t, uint32_t op, uintptr_t site)
{
        struct cut *c = &cuts[t->id];
        const struct wire_loop *l;
        struct visit now, *v;
        bool again;

        if (t->section.atomic || !spin_knows(t, site) ||
            (op_has(op, OPF_ATOMIC) && (t->pend.size & (t->pend.size - 1)))) /* arguments of odd sizes are not known */
                return;
        l = op_has(op, OPF_LOOKS) ? live_loop(site) : NULL;
        if (!l) {
                elsewhere(t, c, op, site);
                return;
        }
        cut_keep_above(t);
        if (!t->spin.armed)
                arm(t, c);
        now = (struct visit){.hash = live_local(t, l),
                             .place = masks_place(t, site),
                             .n_reads = c->n_reads,
                             .n_changes = c->n_changes,
                             .serial = mm_serial(t),
                             .obj = t->pend.obj,
                             .size = t->pend.size,
                             .op = (uint8_t)op,
                             .retries = retry_notes(op, site)};
        now.masked = masks_local(t, l, now.place, now.hash);
        v = back_at(t, c, now.masked);
        if (v && (v != &c->visits[(c->n_visits - 1) % CUT_MAX_VISITS] || c->n_reads != v->n_reads + 1 ||
                  v->hash != now.hash || !changes_none(t, c, v) || !await_wasted(t, c->n_visits))) {
                t->state = WIRE_T_SPIN;
                stop(c, v->n_reads, v->n_changes, v->serial);
                return;
        }
        if (!v)
                masks_explain(t, c, l, &now);
        again = retry_follows(t, c) && retry_again(t, c, now.hash);
        visit(t, c, &now);
        if (again)
                stop_retry(t, c);
}

/* The end. */

void cut_waits(void)
{
        for (uint32_t i = 0; await_notes && i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                struct cut *c = &cuts[i];

                if (t->state != WIRE_T_SPIN || !t->spin.held || c->stopped)
                        continue;
                if (c->n_reads == CUT_MAX_READS)
                        c->n_reads--;
                cut_read(t, t->pend.obj, t->pend.size);
                stop(c, c->n_reads - 1, c->n_changes, mm_serial(t));
        }
}

void cut_others(const struct thread *t, uint64_t obj, uint32_t size)
{
        for (uint32_t i = 0; cut_n_stopped && i < ex.n_threads; i++) {
                struct cut *c = &cuts[i];

                if (!c->stopped || &threads[i] == t)
                        continue;
                for (uint32_t k = c->last; k < c->n_reads && !c->touched; k++)
                        c->touched = overlap(c->reads[k].obj, c->reads[k].size, obj, size);
        }
}

static bool still_there(const struct cut *c, const struct look *r)
{
        if (r->memory && changes_seen(c, r))
                return true;
        if (r->memory)
                return memory_is_there(r->obj) && bytes_hash(r->obj, r->size) == r->value;
        for (uint32_t i = r->event; i < ex.n_events; i++) {
                const struct wire_event *e = &rt.up->events[i];

                if ((e->mode == WIRE_MODE_WRITE || e->mode == WIRE_MODE_COMMUTE) &&
                    overlap(e->obj, e->size, r->obj, r->size))
                        return false;
        }
        return true;
}

static bool is_current(const struct cut *c)
{
        if (c->again || !changes_current(c))
                return false;
        for (uint32_t k = c->last; k < c->n_reads; k++)
                if (c->reads[k].obj == WIRE_OBJ_TXN || !still_there(c, &c->reads[k]))
                        return false;
        return true;
}

bool cut_current(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (cuts[i].stopped && !is_current(&cuts[i]))
                        return false;
        return true;
}

/* Is there a thread that waits for the lock?  NULL: there is none. */
static bool waited_for(const struct object *lock)
{
        for (uint32_t i = 0; i < ex.n_threads && lock; i++)
                if (threads[i].state == WIRE_T_READY && threads[i].pend.object == lock)
                        return true;
        return false;
}

/* Does the last round of stopped thread i change something that that of another one reads?  Then they may end each other's
 * loops. */
static bool shows(uint32_t i)
{
        const struct cut *c = &cuts[i];

        for (uint32_t x = c->last_change; x < c->n_changes; x++)
                if (c->changes[x].before != c->changes[x].after && waited_for(c->changes[x].lock))
                        return true;
        for (uint32_t x = c->last_change; x < c->n_changes; x++)
                for (uint32_t k = 0; k < ex.n_threads && c->changes[x].before != c->changes[x].after; k++)
                        for (uint32_t r = cuts[k].last; k != i && cuts[k].stopped && r < cuts[k].n_reads; r++)
                                if (overlap(c->changes[x].addr, c->changes[x].size, cuts[k].reads[r].obj,
                                            cuts[k].reads[r].size))
                                        return true;
        return false;
}

bool cut_shows(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (cuts[i].stopped && shows(i))
                        return true;
        return false;
}

bool cut_retries(const struct thread *t, bool *all)
{
        const struct cut *c = &cuts[t->id];
        uint32_t n = 0;

        for (uint32_t k = c->last; c->stopped && k < c->n_reads; k++)
                n += c->reads[k].obj == WIRE_OBJ_TXN;
        *all = n == c->n_reads - c->last && c->n_changes == c->last_change;
        return n;
}

bool cut_missed(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (cuts[i].stopped && !cuts[i].touched && round_hash(&cuts[i]) != cuts[i].seen)
                        return true;
        return false;
}

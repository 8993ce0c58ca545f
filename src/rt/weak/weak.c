/*
 * Store buffers in the target: when stores enter them, which may leave, and whose view memory shows.
 *
 * Stores enter in program order and are not transitions.  The thread then depends on its own view only, so it does not
 * matter where between two of its visible operations its stores are made.  Operations that drain (fences, atomic
 * updates, locks) are enabled when the buffer is empty; thread ends are waited for together with their buffers.
 *
 * Memory orders mean what a compiler for such a machine makes of them: a sequentially consistent store is a store and a
 * fence, an atomic update a fence on both sides; release is nothing under tso, and under pso keeps a store behind all
 * earlier ones.  Loads are never delayed.
 *
 * An atomic store of up to 16 bytes is one; a plain one that is not within 8 aligned bytes is a store for each of these words, in
 * the order of their addresses.
 */
#include "rt/weak/weak.h"

#include "rt/map.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/arrival.h"
#include "rt/sched/end.h"
#include "rt/sched/pool.h"
#include "rt/loops/tracking.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/above.h"
#include "rt/weak/buffer.h"
#include "rt/weak/drain.h"
#include "rt/weak/model.h"
#include "rt/weak/reached.h"

static struct store_buffer buffers[WIRE_MAX_THREADS]; /* of threads */
static uint32_t n_used;                               /* those below have been used in this execution */
static struct thread *shown;                          /* whose view memory holds */

uint32_t mm_actors(void)
{
        uint32_t n = pool_size() + (mm_model ? mm_model->n_buffers() : 0);

        return n < WIRE_MAX_THREADS ? n : WIRE_MAX_THREADS;
}

void mm_init_run(void)
{
        for (uint32_t i = 0; i < n_used; i++)
                buffers[i].n = buffers[i].open = buffers[i].serial = buffers[i].fence = 0;
        n_used = 0;
        if (mm_model && mm_model->init_run)
                mm_model->init_run();
        shown = &threads[0];
}

struct store_buffer *weak_buffer(const struct thread *t)
{
        return &buffers[t->id];
}

/* At most, by plain stores. */
static uint32_t words_of(uintptr_t addr, size_t size)
{
        return size <= BUFFER_MAX_BYTES ? (uint32_t)(((addr & 7) + size + 7) / 8) : (uint32_t)((size + 14) / 8);
}

/* Does it reach memory as a whole?  A plain store does if it is within a word. */
static bool is_one(uint32_t op, uintptr_t addr, size_t size)
{
        return op != OP_WRITE || (addr & 7) + size <= 8;
}

static bool is_shared(uintptr_t addr)
{
        const uint64_t *s = shadow_peek(addr);

        return s && (RT_MARK(*s) & 0xffffu) == RT_SHARED;
}

static bool has_room(const struct thread *t, uintptr_t addr, size_t size)
{
        return words_of(addr, size) + weak_buffer(t)->n <= BUFFER_MAX_STORES;
}

/* Is there a buffer for every part of the store, and room in it? */
static bool fits(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        if (!has_room(t, addr, size))
                return false;
        if (!mm_model->none_left)
                return true;
        if (is_one(op, addr, size))
                return !mm_model->none_left(t, addr);
        for (uintptr_t a = addr, end = addr + size; a < end; a = (a | 7) + 1)
                if (is_shared(a) && mm_model->none_left(t, a))
                        return false;
        return true;
}

static bool is_store(const struct thread *t, uint32_t op)
{
        return op_has(op, OPF_BUFFERED) && !drain_waits(t, op);
}

void weak_arrive(struct thread *t, uint32_t op)
{
        if (t->section.txn) { /* a transaction has its turn, or will not commit */
                t->weak.drains = false;
                return;
        }
        t->weak.drains = t->weak.undrained && drain_waits(t, op);
        /* What cannot be delayed comes after what was. */
        if (t->weak.undrained && is_store(t, op) && !fits(t, op, (uintptr_t)t->pend.obj, t->pend.size))
                t->weak.drains = true;
}

/* Has every part of the store a buffer that it can go to? */
static bool all_named(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        bool all = true;

        if (!mm_model->has_buffer)
                return true;
        if (is_one(op, addr, size))
                return mm_model->has_buffer(t, addr);
        for (uintptr_t a = addr, end = addr + size; a < end; a = (a | 7) + 1)
                if (is_shared(a) && !mm_model->has_buffer(t, a))
                        all = false;
        return all;
}

static void note_full(void)
{
        rt_note_incomplete(mm_model->full, NULL);
}

void mm_undelayed(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        if (is_store(t, op) && !fits(t, op, addr, size))
                note_full();
}

bool weak_buffers(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        if (t->section.atomic || t->weak.drains || !is_store(t, op))
                return false;
        if (fits(t, op, addr, size))
                return all_named(t, op, addr, size);
        note_full();
        if (t->weak.buffered) /* a part of a transition that is under way: it would overtake what is in the buffer */
                exec_end_text(WIRE_END_DEPTH, 0, "the store buffer is full");
        return false;
}

void weak_settle(struct thread *t)
{
        struct store_buffer *m = weak_buffer(t);
        uint32_t from = m->n - m->open;

        buffer_settle(m);
        t->weak.open = false;
        for (uint32_t i = from; i < m->n && (rt.flags & (WIRE_DETAIL | WIRE_VALUES)); i++) { /* a range has many */
                const struct buffer_store *s = &m->at[i];
                if (!s->ignored && !s->object)
                        rt_copy(&rt.up->events[s->entry].value, s->now, s->size < 8 ? s->size : 8);
        }
}

/* The actor that flushes what the thread stores there. */
static struct thread *actor_for(const struct thread *t, uint64_t addr)
{
        uint32_t id = pool_size() + mm_model->buffer_of(t, addr);
        struct thread *b;

        if (id >= WIRE_MAX_THREADS)
                mm_above->cut(&threads[t->id], REASON_BUFFERS);
        b = &threads[id];
        if (b->state == WIRE_T_BUFFER)
                return b;
        rt_zero(b, sizeof *b);
        b->id = (uint16_t)id;
        b->state = WIRE_T_BUFFER;
        b->pend.op = OP_FLUSH;
        b->pend.peer = t->id;
        if (id >= ex.n_threads)
                ex.n_threads = id + 1;
        return b;
}

/* What the actor does next. */
static void show_next(struct thread *b)
{
        const struct store_buffer *m = &buffers[b->pend.peer];
        uint32_t i = 0;

        while (i < m->n && (m->at[i].actor != b->id || m->at[i].ignored))
                i++;
        if (i == m->n)
                return;
        b->pend.op = m->at[i].op;
        b->pend.arg = i;
        b->pend.obj = m->at[i].addr;
        b->pend.size = m->at[i].size;
        b->pend.site = (uintptr_t)m->at[i].site;
}

/* The entry of a store that goes to the buffer. */
static struct wire_event *enter(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        struct wire_event *e = t->weak.begun;

        t->weak.begun = NULL;
        if (RT_UNLIKELY(e != NULL) && e->obj == addr && e->size == size)
                return e;
        return mm_above->also(t, ARRIVE_INNER, op, addr, size, WIRE_MODE_NONE, 0);
}

static struct wire_event *store_one(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size, struct object *o)
{
        struct store_buffer *m = weak_buffer(t);
        struct thread *b = actor_for(t, addr);
        struct buffer_store *s;
        struct wire_event *e;

        if (!m->at)
                m->at = rt_map(BUFFER_MAX_STORES * sizeof *m->at);
        if (t->id >= n_used)
                n_used = t->id + 1u;
        s = buffer_push(m, addr, size);
        s->site = t->pend.site;
        s->pos = position_of(t);
        s->actor = b->id;
        s->op = o ? (uint8_t)op : OP_FLUSH;
        s->ignored = false;
        s->object = o;
        s->arg = t->clock.vtime;
        if (mm_model->release_orders && (o || (op == OP_STORE && t->weak.order >= __ATOMIC_RELEASE)))
                s->behind = s->serial;
        s->number = b->turn.transitions + ++b->weak.buffered;
        t->weak.buffered++;
        t->weak.open = t->weak.undrained = true;
        if (b->weak.buffered == 1)
                show_next(b);
        e = enter(t, op, addr, size);
        e->weak |= WIRE_WEAK_BUFFERED;
        e->choice = b->id;
        s->entry = (uint32_t)(e - rt.up->events);
        return e;
}

struct wire_event *mm_store(struct thread *t, uint32_t op, uintptr_t addr, size_t size)
{
        struct wire_event *e = NULL;
        uint32_t pos = position_of(t);

        if (is_one(op, addr, size)) {
                for (uintptr_t a = addr; a < addr + size; a = (a | 7) + 1)
                        shadow_share(a); /* a private store later on would be hidden by what is in the buffer */
                return store_one(t, op, addr, (uint32_t)size, NULL);
        }
        for (uintptr_t a = addr, end = addr + size, next; a < end; a = next, position_step(t, 1)) {
                next = (a | 7) + 1 < end ? (a | 7) + 1 : end;
                if (is_shared(a))
                        e = store_one(t, op, a, (uint32_t)(next - a), NULL);
        }
        position_set(t, pos);
        weak_skip(t, addr, size);
        return e;
}

void mm_release(struct thread *t, struct object *o, uint32_t size)
{
        store_one(t, t->pend.op, (uintptr_t)o->addr, size, o);
}

bool weak_looks(const struct thread *t)
{
        return t->weak.undrained && !rt.down->posix_fences && !t->section.atomic;
}

void weak_skip(struct thread *t, uintptr_t addr, size_t size)
{
        position_step(t, words_of(addr, size) - 1);
}

/* Stores that are not reported. */

static bool waits(const struct store_buffer *m, uint32_t i)
{
        return mm_model->in_order ? i > 0 : buffer_stays_behind(m, i);
}

/* What store i waits for stands for it where it is loaded: until that has reached memory, neither has this. */
static void attach(const struct store_buffer *m, uint32_t i)
{
        struct buffer_store *s = &m->at[i];
        uint32_t k = i;

        while (--k > 0 && !mm_model->in_order && m->at[k].serial >= s->behind &&
               !buffer_overlap(&m->at[k], s->addr, s->size))
                ;
        s->actor = m->at[k].actor;
        s->number = m->at[k].number;
}

static void hide_one(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        struct store_buffer *m = weak_buffer(t);
        struct buffer_store *s = buffer_push(m, addr, size);

        s->serial = --m->serial; /* it is none of those that the explorer counts */
        s->ignored = true;
        s->object = NULL;
        if (op == OP_STORE && t->weak.order >= __ATOMIC_RELEASE)
                s->behind = s->serial + 1;
        if (waits(m, m->n - 1)) {
                attach(m, m->n - 1);
                t->weak.buffered++;
                t->weak.open = true;
        } else {
                m->n--;
                m->open--;
        }
}

void weak_hide(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        if (!is_store(t, op) || t->section.atomic || t->weak.drains)
                return;
        if (!has_room(t, addr, size)) {
                note_full();
                return;
        }
        for (uintptr_t a = addr, end = addr + size, next; a < end; a = next) {
                next = size <= BUFFER_MAX_BYTES || (a | 7) + 1 >= end ? end : (a | 7) + 1;
                hide_one(t, op, a, (uint32_t)(next - a));
        }
}

void weak_fence(struct thread *t, int order)
{
        if (mm_model->release_orders && (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL))
                weak_buffer(t)->fence = weak_buffer(t)->serial + 1;
}

/* Flushes. */

bool mm_waiting(const struct thread *t, uint32_t i, uint64_t *addr, uint32_t *size, uint64_t *value)
{
        const struct store_buffer *m = weak_buffer(t);

        if (i >= m->n - m->open)
                return false;
        *addr = m->at[i].addr;
        *size = m->at[i].size;
        *value = 0;
        rt_copy(value, m->at[i].now, *size < 8 ? *size : 8);
        return true;
}

bool weak_ready(const struct thread *b)
{
        return b->weak.buffered && !buffer_stays_behind(&buffers[b->pend.peer], (uint32_t)b->pend.arg);
}

uint32_t weak_position(const struct thread *b)
{
        return buffers[b->pend.peer].at[b->pend.arg].pos;
}

static void reach_memory(struct store_buffer *m, struct thread *owner, uint32_t i)
{
        if (owner == shown) {
                buffer_drop(m, i);
        } else {
                buffer_take_out(weak_buffer(shown));
                buffer_drop_out(m, i);
                buffer_put_in(weak_buffer(shown));
        }
        owner->weak.buffered--;
        for (; i < m->n; i++)
                if (threads[m->at[i].actor].pend.arg == i + 1)
                        threads[m->at[i].actor].pend.arg = i;
}

/* Stores that are not reported follow as soon as they can, without a turn of their own.  Threads that wait for them in a loop
 * read again. */
static void follow(struct thread *b, struct store_buffer *m, struct thread *owner)
{
        for (uint32_t i = 0; i < m->n; i++) {
                const struct buffer_store s = m->at[i];

                if (!s.ignored || waits(m, i))
                        continue;
                reach_memory(m, owner, i--);
                mm_above->changed(b, s.addr, s.size);
        }
}

/* The thread may be in a loop: is it as if it had not stored? */
static void tell_loops(struct thread *owner, const struct buffer_store *s)
{
        uint8_t before[BUFFER_MAX_BYTES];

        weak_uncover();
        rt_copy(before, (const void *)(uintptr_t)s->addr, s->size);
        weak_cover();
        mm_above->reached(owner, &(struct mm_reached){.addr = s->addr,
                                                      .size = s->size,
                                                      .serial = s->serial,
                                                      .object = s->object,
                                                      .before = before,
                                                      .after = s->now});
}

void mm_flush(struct thread *b)
{
        struct thread *owner = &threads[b->pend.peer];
        struct store_buffer *m = weak_buffer(owner);
        uint32_t i = (uint32_t)b->pend.arg;
        const struct buffer_store *s = &m->at[i];
        struct wire_event *e;
        uint64_t value = 0;

        if (s->object)
                value = ((struct object *)s->object)->state;
        else
                rt_copy(&value, s->now, s->size < 8 ? s->size : 8);
        position_set(b, s->pos);
        e = mm_above->log(b, ARRIVE_EVENT, WIRE_MODE_WRITE, value);
        e->choice = s->behind;
        if (s->behind)
                e->weak |= WIRE_WEAK_DRAINED;
        if (RT_UNLIKELY(owner->spin.armed))
                tell_loops(owner, s);
        if (s->object) {
                ((struct object *)s->object)->state = 0;
                ((struct object *)s->object)->vtime = s->arg;
        }
        mm_above->flush(b, s->addr, s->size);
        reach_memory(m, owner, i);
        b->weak.buffered--;
        follow(b, m, owner);
        show_next(b);
}

struct thread *weak_awake(const struct thread *t)
{
        const struct store_buffer *m = weak_buffer(t);

        for (uint32_t i = 0; i < m->n; i++) {
                struct thread *b = &threads[m->at[i].actor];
                if (!b->sleep.asleep && weak_ready(b))
                        return b;
                if (mm_model->in_order)
                        return NULL;
        }
        return NULL;
}

struct thread *mm_segment(uint32_t id, uint32_t until)
{
        const struct store_buffer *m = &buffers[id];
        for (uint32_t i = 0; i < m->n; i++)
                if (mm_model->in_order ? m->at[i].pos <= until : m->at[i].pos == until)
                        return weak_ready(&threads[m->at[i].actor]) ? &threads[m->at[i].actor] : NULL;
        return NULL;
}

void weak_switch(struct thread *to)
{
        if (to == shown)
                return;
        if (shown->weak.buffered)
                buffer_take_out(weak_buffer(shown));
        if (to->weak.buffered)
                buffer_put_in(weak_buffer(to));
        shown = to;
}

void weak_uncover(void)
{
        buffer_take_out(weak_buffer(shown));
}

void weak_cover(void)
{
        buffer_put_in(weak_buffer(shown));
}

bool weak_wakes(const struct wire_access *sleeper, const struct wire_access *done)
{
        const struct thread *b = &threads[WIRE_FORWARD_BUFFER(sleeper->value) % WIRE_MAX_THREADS];

        /* before its first store, the buffer is as another execution has left it */
        return thread_is_buffer(b) && done->actor != b->id &&
               b->turn.transitions >= WIRE_FORWARD_NUMBER(sleeper->value) && op_overlap(sleeper, done);
}

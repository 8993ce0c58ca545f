/*
 * See speculation.h, and wire/txn.h for the protocol.
 *
 * A transaction is an atomic section, so one at a time runs, and what is kept here is of that one.  The set of what it reads has
 * each byte once, without those that it wrote before: an abort reads what the transaction read of the others, and writes nothing.
 * All hooks of the thread come by, those at private memory too: the run that follows does not perform them, and must still know
 * that the thread uses that memory.
 */
#include "rt/txn/speculation.h"

#include "base/hash.h"
#include "rt/loops/await.h"
#include "rt/loops/tracking.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/txn/guard.h"

#define SLOTS      (1u << 17) /* a power of two */
#define MAX_WORDS  (SLOTS / 2)
#define MAX_EVENTS (1u << 16) /* entries and ... */
#define MAX_HOOKS  (1u << 22) /* ... hook calls of one transaction: an interrupt comes by then */

struct word { /* 8 bytes of memory, or an object */
        uint64_t number;
        uint32_t run;          /* of which transaction; another: the slot is free */
        uint32_t at;           /* a line: its place among the reads */
        uint8_t read, written; /* bytes */
};

struct line {
        uint64_t number;
        uint32_t run;
};

static struct word words[SLOTS];
static struct line lines[SLOTS];
static uint32_t run, n_words, n_lines, n_reads;

void speculation_begin(struct thread *t, bool must_abort)
{
        run++;
        n_words = n_lines = n_reads = 0;
        t->section.atomic++;
        t->section.txn = 1;
        t->section.must_abort = must_abort;
        t->section.conflict = false;
        t->section.hooks = position_of(t);
        t->section.events = ex.n_events;
        t->section.begun = ex.n_transitions - 1;
        position_mark(t, RT_MARK_NONE);
        guard_begin();
}

void speculation_conflict(struct thread *t, uint32_t code)
{
        speculation_begin(t, true);
        t->section.conflict = true;
        t->section.code = code;
}

void speculation_end(struct thread *t)
{
        guard_end();
        t->section.txn = 0;
        t->section.aborts = 0;
        t->section.atomic--;
        tracking_end(t);
}

static _Noreturn void no_room(void)
{
        rt.up->txn.full = 1;
        exec_end(WIRE_END_DEPTH);
}

_Noreturn void speculation_stop(struct thread *t, uint32_t status)
{
        const struct wire_txns *d = &rt.down->txns;
        const struct wire_txn *last = d->n ? &d->at[d->n - 1] : NULL;

        if (d->n == WIRE_MAX_TXNS || (last && last->first + last->count + n_reads > WIRE_MAX_TXN_ALL))
                no_room();
        rt.up->txn.conflict = t->section.conflict;
        if (t->section.conflict)
                status = t->section.code;
        else if (t->section.txn > 1 && status != WIRE_TXN_STARTED)
                status |= WIRE_TXN_NESTED;
        rt.up->txn.last = (struct wire_txn){.transition = t->section.begun, .status = status, .count = n_reads};
        exec_end(WIRE_END_TXN);
}

void speculation_kernel(struct thread *t)
{
        if (t->section.txn)
                speculation_stop(t, 0);
}

static struct word *word_of(uint64_t number)
{
        uint32_t i = (uint32_t)(hash_mix(1, number) % SLOTS);

        while (words[i].run == run && words[i].number != number)
                i = (i + 1) % SLOTS;
        if (words[i].run != run) {
                words[i] = (struct word){.number = number, .run = run};
                n_words++;
        }
        return &words[i];
}

/* More lines than a cache has room for? */
static void touch_line(struct thread *t, uint64_t number)
{
        uint32_t i = (uint32_t)(hash_mix(2, number) % SLOTS);

        while (lines[i].run == run && lines[i].number != number)
                i = (i + 1) % SLOTS;
        if (lines[i].run == run)
                return;
        lines[i] = (struct line){number, run};
        if (t->section.offered) { /* accesses of others to the line are in the trace then */
                shadow_touch(t, number * rt.down->txn.line_size, rt.down->txn.line_size);
                await_accessed(number * rt.down->txn.line_size, rt.down->txn.line_size);
        }
        if (++n_lines > rt.down->txn.lines && !t->section.conflict)
                speculation_stop(t, WIRE_TXN_CAPACITY);
}

static void add_read(const struct thread *t, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode, uint64_t value)
{
        if (n_reads == WIRE_MAX_TXN_READS || n_words > MAX_WORDS)
                no_room();
        rt.up->txn.reads[n_reads++] = (struct wire_txn_read){.obj = obj,
                                                             .value = value,
                                                             .site = t->pend.site,
                                                             .size = size,
                                                             .op = (uint16_t)op,
                                                             .mode = (uint16_t)mode};
}

static uint32_t bytes_of(uint64_t word, uint64_t from, uint64_t to)
{
        uint64_t lo = from > word ? from - word : 0, hi = to < word + 8 ? to - word : 8;

        return (1u << hi) - (1u << lo);
}

/* The bytes of an access; true: it reads some of them that were not read or written before. */
static bool note_bytes(uint64_t obj, uint64_t end, bool reads, bool writes)
{
        bool fresh = false;

        for (uint64_t a = obj & ~UINT64_C(7); a < end; a += 8) {
                struct word *w = word_of(a);
                uint32_t bytes = bytes_of(a, obj, end);

                fresh |= reads && (bytes & ~(uint32_t)(w->written | w->read));
                w->read |= (uint8_t)(reads ? bytes : 0);
                w->written |= (uint8_t)(writes ? bytes : 0);
        }
        return fresh;
}

/* A line that a conflict may be about. */
static void note_line(struct thread *t, uint64_t line, bool writes)
{
        uint32_t size = rt.down->txn.line_size;
        struct word *w = word_of(line * size);

        if (!w->read) {
                w->at = n_reads;
                add_read(t, OP_TXN_LINE, line * size, size, WIRE_MODE_LINE_READ, 0);
                w->read = 1;
        }
        if (writes)
                rt.up->txn.reads[w->at].mode = WIRE_MODE_LINE_WRITE;
}

static void note_memory(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        bool loads = op_has(op, OPF_LOADS), reads = loads || op == OP_RMW || op == OP_CAS || op == OP_UPDATE;
        uint64_t end = obj + size;

        if (!t->section.conflict && note_bytes(obj, end, reads, !loads))
                add_read(t, OP_READ, obj, size, WIRE_MODE_READ, 0);
        for (uint64_t l = obj / rt.down->txn.line_size; l <= (end - 1) / rt.down->txn.line_size; l++) {
                touch_line(t, l);
                if (t->section.conflict)
                        note_line(t, l, !loads);
        }
}

static void note_object(struct thread *t, uint64_t obj, uint32_t size)
{
        struct word *w = word_of(obj);
        bool conflict = t->section.conflict;

        if (!w->read)
                add_read(t, conflict ? OP_TXN_LINE : OP_PEEK, obj, size,
                         conflict ? WIRE_MODE_LINE_WRITE : WIRE_MODE_READ, t->pend.object ? t->pend.object->state : 0);
        w->read = 0xff;
}

void speculation_note(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        if (ex.n_events - t->section.events > MAX_EVENTS || position_of(t) - t->section.hooks > MAX_HOOKS)
                speculation_stop(t, 0);
        if (!size)
                return;
        if (op_object(op) == OP_OBJ_MEMORY)
                note_memory(t, op, obj, size);
        else
                note_object(t, obj, size);
}

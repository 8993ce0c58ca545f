/*
 * Calls that are listed in calls.def, run as their rows say.
 *
 *   reads     announced as one transition, again if what is to be read has grown while the thread waited for its turn
 *   the call  made at once, with its effects on the process (effect.def)
 *   writes    those to shared memory are taken back and announced word by word, each written in its turn
 *
 * Memory that is not shared is written by the call itself; the announcement takes ownership and checks the heap.  The count
 * of hook calls is the number of words, shared or not.  What a call changes within its bounds beyond what the row says
 * (an element that was read in part) is written too.
 *
 * Assumed: a call reads its arguments in one step.  Calls that run code of the program in the middle (comparing, streams by
 * fopencookie) are not rows of this kind; where other threads run in the middle all the same, since a block is freed, the
 * writes are announced where the call returns.
 */
#include "rt/calls/listed.h"

#include <stdio.h>

#include "base/search.h"
#include "rt/calls/effect.h"
#include "rt/calls/input.h"
#include "rt/calls/stream.h"
#include "rt/memory/access.h"
#include "rt/memory/bytes.h"
#include "rt/copy/range.h"
#include "rt/memory/shadow.h"
#include "rt/copy/step.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/loops/spin.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"

#define MOST_SAVED    4096u             /* granules */
#define MOST_BOUND    ((size_t)1 << 26) /* bytes */
#define UNKNOWN_BOUND ((size_t)1 << 12) /* characters, where a call is not given a limit */

size_t listed_string(const void *p, size_t width, size_t max)
{
        const char *s = p;
        size_t n = 0;

        while (n < max && (width == 1 ? s[n] != 0 : ((const int32_t *)p)[n] != 0))
                n++;
        return (n < max ? n + 1 : n) * width;
}

/* Saves the shared granules of a range, or counts them. */
static void bound(struct listed *c, uintptr_t lo, uintptr_t hi)
{
        struct listed_bound *b = &c->bound[c->n_bounds];

        if (c->n_bounds == LISTED_PARTS) {
                c->too_many = true;
                return;
        }
        *b = (struct listed_bound){.lo = lo, .hi = hi, .first = c->n_saved};
        for (uintptr_t g = lo; g <= hi; g++) {
                const uint64_t *s = shadow_peek(g << 3);
                bool before = false;

                if (!s) {
                        g |= ((uintptr_t)1 << (SHADOW_BITS - 3)) - 1;
                        continue;
                }
                if ((*s & 0xffffu) != RT_SHARED)
                        continue;
                for (unsigned i = 0; i < c->n_bounds; i++)
                        before |= g >= c->bound[i].lo && g <= c->bound[i].hi;
                if (before)
                        continue;
                if (c->saved && !c->tears)
                        c->saved[c->n_saved] = (struct listed_saved){(uint64_t *)(g << 3), *(uint64_t *)(g << 3), 0};
                c->n_saved++;
                b->n++;
        }
        c->n_bounds++;
}

void listed_range(struct listed *c, uint32_t op, const void *p, size_t n)
{
        uintptr_t a = (uintptr_t)p;

        if (!p || !n || (op == OP_READ) != (c->stage == LISTED_READS))
                return;
        if (c->stage == LISTED_BOUNDS) {
                bound(c, a >> 3, (a + (n < MOST_BOUND ? n : MOST_BOUND) - 1) >> 3);
                return;
        }
        if (op == OP_READ && rt_is_constant(a, n))
                return;
        if (c->n == LISTED_PARTS) {
                c->too_many = true;
                return;
        }
        c->part[c->n++] = (struct access_part){op, p, n};
}

static bool succeeded(const struct listed *c)
{
        uint64_t r = c->f->rax;

        switch (c->row->ok) {
        case OK_ZERO: return (int)r == 0;
        case OK_TRUE: return (int)r != 0;
        case OK_NOTNEG: return (int)r >= 0;
        case OK_POINTER: return r != 0;
        case OK_COUNT: return r < UINT64_MAX - 1;
        default: return true;
        }
}

static size_t least(size_t a, size_t b)
{
        return a < b ? a : b;
}

/* The result of a call that counts; an int if the row says so. */
static long result(const struct listed *c)
{
        bool is_int = c->row->ok == OK_ZERO || c->row->ok == OK_TRUE || c->row->ok == OK_NOTNEG;

        return is_int ? (int)c->f->rax : (long)c->f->rax;
}

/* Bytes that a row writes according to the call's result, or may write. */
static size_t extent_result(const struct listed *c, const struct listed_part *p)
{
        size_t most = p->a == LISTED_NONE ? UNKNOWN_BOUND : listed_arg(c, p->a);
        size_t unit = p->size * (p->b == LISTED_NONE ? 1 : listed_arg(c, p->b));
        long n = result(c) + (p->rule == RULE_PRINTED);

        if (c->stage == LISTED_BOUNDS)
                return least(most, MOST_BOUND) * unit;
        if (p->a == LISTED_NONE)
                most = SIZE_MAX;
        return n <= 0 ? 0 : least((size_t)n, most) * unit;
}

/* Bytes by the rule of a part, in this stage. */
static size_t extent(const struct listed *c, const struct listed_part *p)
{
        size_t most = p->a == LISTED_NONE ? SIZE_MAX / 64 : listed_arg(c, p->a);

        switch (p->rule) {
        case RULE_FIXED: return p->size;
        case RULE_COUNT: return most * p->size;
        case RULE_PRODUCT: return most * listed_arg(c, p->b) * p->size;
        case RULE_STRING:
                if (c->stage == LISTED_BOUNDS)
                        return least(most, UNKNOWN_BOUND) * p->size;
                return listed_string(listed_pointer(c, p->arg), p->size, most);
        case RULE_CHANGED: return c->stage == LISTED_BOUNDS ? listed_string(listed_pointer(c, p->arg), 1, SIZE_MAX) : 0;
        default: return extent_result(c, p);
        }
}

static void walk(struct listed *c, enum listed_stage stage)
{
        c->stage = stage;
        c->n = 0;
        if (stage == LISTED_BOUNDS)
                c->n_bounds = c->n_saved = 0;
        if (stage == LISTED_WRITES && !succeeded(c))
                return;
        for (unsigned i = 0; i < c->row->n; i++) {
                const struct listed_part *p = &c->row->part[i];

                if (p->dir == LISTED_SPECIAL)
                        p->special(c, p);
                else if (p->dir == (stage == LISTED_READS ? LISTED_IN : LISTED_OUT) && listed_pointer(c, p->arg))
                        listed_range(c, stage == LISTED_READS ? OP_READ : OP_WRITE, listed_pointer(c, p->arg),
                                     extent(c, p));
        }
}

static bool covers(const struct access_part *old, unsigned n_old, const struct access_part *now, unsigned n)
{
        for (unsigned i = 0; i < n; i++) {
                uintptr_t a = (uintptr_t)now[i].addr, o = i < n_old ? (uintptr_t)old[i].addr : 0;

                if (i >= n_old || a < o || a + now[i].size > o + old[i].size)
                        return false;
        }
        return true;
}

static void announce_reads(struct listed *c)
{
        struct access_part old[LISTED_PARTS];
        unsigned n;

        walk(c, LISTED_READS);
        while (c->n) {
                uint32_t before = ex.n_transitions;

                n = c->n;
                rt_copy(old, c->part, n * sizeof *old);
                access_parts(old, n, c->f->site);
                if (ex.n_transitions == before) /* no other thread has changed anything */
                        return;
                walk(c, LISTED_READS);
                if (covers(old, n, c->part, c->n))
                        return;
        }
}

/* What the call has written to this granule, NULL: it is not shared. */
static struct listed_saved *find(struct listed *c, uintptr_t granule)
{
        for (unsigned i = 0; i < c->n_bounds; i++) {
                const struct listed_bound *b = &c->bound[i];
                uint32_t at;

                if (granule < b->lo || granule > b->hi)
                        continue;
                at = b->first + SEARCH(k, b->n, (uintptr_t)c->saved[b->first + k].at >> 3 < granule);
                if (at < b->first + b->n && (uintptr_t)c->saved[at].at >> 3 == granule)
                        return &c->saved[at];
        }
        return NULL;
}

static void announce(struct listed *c, const char *p, size_t n, uint32_t words)
{
        const struct access_part part = {OP_WRITE, p, n};

        if (!words)
                return;
        position_step(c->t, (int64_t)words - 1);
        access_parts(&part, 1, c->f->site);
}

/* Announces a range, and writes again what is shared of it. */
static void put(struct listed *c, char *p, size_t n)
{
        char *run = p; /* of words that are not shared */
        uint32_t words = 0;

        while (n) {
                size_t at = (uintptr_t)p & 7, k = range_word((uintptr_t)p, n);
                struct listed_saved *s = c->tears ? NULL : find(c, (uintptr_t)p >> 3);

                if (s) {
                        announce(c, run, (size_t)(p - run), words);
                        announce(c, p, k, 1);
                        bytes_copy(p, (const char *)&s->other + at, k);
                        s->done |= (uint8_t)(((1u << k) - 1) << at);
                        run = p + k;
                        words = 0;
                } else {
                        words++;
                }
                p += k;
                n -= k;
        }
        announce(c, run, (size_t)(p - run), words);
}

/* What was changed beyond the ranges of the row. */
static void put_rest(struct listed *c)
{
        for (uint32_t i = 0; i < c->n_saved; i++) {
                struct listed_saved *s = &c->saved[i];
                const char *now = (const char *)s->at, *wrote = (const char *)&s->other;

                for (unsigned k = 0; k < 8; k++)
                        if (!(s->done >> k & 1) && now[k] != wrote[k])
                                put(c, (char *)s->at + k, 1);
        }
}

static void take_back(struct listed *c)
{
        for (uint32_t i = 0; i < c->n_saved; i++) {
                uint64_t wrote = *c->saved[i].at;

                *c->saved[i].at = c->saved[i].other;
                c->saved[i].other = wrote;
        }
}

/* The call, after its reads.  `saved` has room for what the walk over its bounds has counted. */
static void make(struct listed *c, struct listed_saved *saved)
{
        uint32_t turns = c->t->turn.transitions;

        c->saved = saved;
        if (c->n_saved)
                walk(c, LISTED_BOUNDS);
        listed_make(c->row->real, c->f);
        c->tears |= c->t->turn.transitions != turns;
        walk(c, LISTED_WRITES);
        if (c->tears)
                c->n_saved = 0;
        take_back(c);
        for (unsigned i = 0; i < c->n; i++)
                put(c, (char *)(uintptr_t)c->part[i].addr, c->part[i].size);
        put_rest(c);
}

/* Counts what is to be saved, before it is known how much memory that takes. */
static uint32_t count(struct listed *c)
{
        walk(c, LISTED_BOUNDS);
        if (c->n_saved <= MOST_SAVED && !c->too_many)
                return c->n_saved;
        rt_note_incomplete(REASON_CALL_SIZE, c->row->name);
        c->tears = true;
        return 0;
}

static const void *stream_of(const struct listed *c, const struct listed_part *p)
{
        switch (p->arg) {
        case LISTED_STDIN: return stdin;
        case LISTED_STDOUT: return stdout;
        case LISTED_STDERR: return stderr;
        default: return listed_pointer(c, p->arg);
        }
}

/* What a row asks for apart from accesses. */
static void prepare(struct listed *c)
{
        for (unsigned i = 0; i < c->row->n; i++) {
                const struct listed_part *p = &c->row->part[i];

                if (p->dir == LISTED_PROGRESS)
                        spin_progress(c->t);
                if (p->dir == LISTED_STREAM && p->a == LISTED_LOCKS)
                        stream_use(c->t, stream_of(c, p), p->b, c->f->site);
                if (p->dir == LISTED_STREAM && p->a == LISTED_SEEKS)
                        stream_move(c->t, stream_of(c, p), c->f->site);
                if (p->dir == LISTED_STREAM && p->a == LISTED_UNLOCKED)
                        stream_unlocked(c->t, stream_of(c, p), c->row->name);
                if (p->dir == LISTED_STREAM && p->b)
                        input_stream(stream_of(c, p), c->f->site);
                if (p->dir == LISTED_ALLOCATES && !c->t->stack.allocates)
                        c->t->stack.allocates = c->f->site;
        }
}

static void run_seen(struct listed_row *row, struct call_frame *f)
{
        struct listed c; /* large: the arrays are not cleared */
        uintptr_t allocates = rt_cur->stack.allocates;

        c.row = row;
        c.f = f;
        c.t = rt_cur;
        c.too_many = c.tears = false;
        c.saved = NULL;
        c.kept[0] = c.kept[1] = 0;
        prepare(&c);
        if (step_seen(f->site)) {
                announce_reads(&c);
                if (row->effect)
                        effect_run(row->effect, f->gp, f->site);
                make(&c, __builtin_alloca((count(&c) + 1) * sizeof *c.saved));
        } else {
                listed_make(row->real, f);
        }
        c.t->stack.allocates = allocates;
}

void listed_run(struct listed_row *row, struct call_frame *f)
{
        uint64_t kept[22];
        va_list list;

        if (!row->real) {
                row->real = rt_real(row->real_name);
                row->effect = effect_find(row->name);
        }
        f->is_x87 = row->is_x87;
        if (row->variable != LISTED_NONE) {
                rt_copy(kept, f, sizeof kept);
                list[0].gp_offset = row->variable * 8u;
                list[0].fp_offset = 48;
                list[0].reg_save_area = kept;
                list[0].overflow_arg_area = (void *)(uintptr_t)f->stack;
                f->gp[row->variable] = (uint64_t)(uintptr_t)list;
        }
        if (rt_cur)
                run_seen(row, f);
        else
                listed_make(row->real, f);
}

long listed_call(struct listed_row *row, uintptr_t site, const uint64_t *arg)
{
        static const uint64_t nothing[8];
        struct call_frame frame __attribute__((aligned(16))) = {.site = site, .stack = nothing};

        rt_copy(frame.gp, arg, sizeof frame.gp);
        listed_run(row, &frame);
        return (long)frame.rax;
}

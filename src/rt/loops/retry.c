/*
 * See retry.h.
 *
 * That a read of value v in one state leads to another state, without an access to anything but the own stack between, is learnt from
 * executions that did it: a hash of the three, kept for all executions of this process.  A thread that has read v by its last
 * operation, and is in that state, stops if it was in the first state before and has had no effect since.  What is not known yet is
 * explored.
 *
 * The read is often before the loop (`a = load(x); while (!cas(x, &a, a + 1));`), and its place not one where states are noted.  When a
 * compare-and-swap fails, the last read of the same place before it becomes such a place.
 */
#include "rt/loops/retry.h"

#include "base/hash.h"
#include "rt/loops/await.h"
#include "rt/loops/changes.h"
#include "rt/loops/cut_state.h"
#include "rt/loops/learnt.h"
#include "rt/loops/spare.h"
#include "rt/threads.h"

#define SLOTS     (1u << 14) /* at most half of which are used */
#define MAX_WANT  32u
#define MOST_RUNS 1024u
#define FAR_BACK  64u /* entries in which the read before a loop is looked for */

static uint64_t steps[SLOTS]; /* hashes, 0: empty; even ones were not known when they were asked for */
static uint32_t n_steps;
static uint32_t n_runs;    /* since the exploration began, or restarted */
static uint32_t n_late;    /* steps that were learnt after they had been asked for, since then */
static uint32_t next = 16; /* so many runs before the next restart */
static uintptr_t wanted[MAX_WANT];
static uint32_t n_wanted;

void retry_init_run(void)
{
        n_runs++;
}

static uint32_t slot_of(uint64_t h)
{
        uint32_t i = (uint32_t)(h >> 32) % SLOTS;

        while (steps[i] && (steps[i] | 1) != h)
                i = (i + 1) % SLOTS;
        return i;
}

static void put(uint64_t h, uint64_t to)
{
        uint32_t i = slot_of(h);

        if (!steps[i] && n_steps == SLOTS / 2)
                return;
        n_steps += !steps[i];
        steps[i] = to;
}

/* Is it known?  If not, it is noted that it was asked for. */
static bool known(uint64_t h)
{
        uint64_t s = steps[slot_of(h)];

        if (!s)
                put(h, h & ~UINT64_C(1));
        return s == h;
}

static uint64_t step_hash(const struct thread *t, uint64_t from, uint64_t value, uint64_t to)
{
        return hash_mix(hash_mix(hash_mix(from, t->id), value), to) | 1;
}

/* An exploration that is young restarts, now and then, if threads could have stopped before. */
static void learn(uint64_t h)
{
        uint64_t s = steps[slot_of(h)];

        n_late += s && s != h;
        put(h, h);
        if (!n_late || n_runs < next || next > MOST_RUNS || ex.n_transitions < rt.n_prefix)
                return;
        next *= 2;
        n_runs = n_late = 0;
        learnt_more();
}

/* Places. */

static bool is_wanted(uintptr_t site)
{
        for (uint32_t i = 0; i < n_wanted; i++)
                if (wanted[i] == site)
                        return true;
        return false;
}

bool retry_notes(uint32_t op, uintptr_t site)
{
        return await_notes && (op == OP_CAS || (op == OP_LOAD && is_wanted(site)));
}

bool retry_wants(uintptr_t site)
{
        return await_notes && n_wanted && rt.down->n_loops < WIRE_MAX_LOOPS && is_wanted(site);
}

static void want(uintptr_t site)
{
        if (n_wanted < MAX_WANT && !is_wanted(site))
                wanted[n_wanted++] = site;
}

/* A compare-and-swap of the thread that is the last entry before entry i has failed: the read before it may be the one of its loop. */
static bool want_read(const struct thread *t, uint32_t i, uint64_t obj, uint32_t size)
{
        uint32_t least = i > FAR_BACK ? i - FAR_BACK : 0;

        while (i-- > least) {
                const struct wire_event *e = &rt.up->events[i];

                if (e->actor != t->id || e->op != OP_LOAD || e->obj != obj || e->size != size)
                        continue;
                want(e->site);
                return true;
        }
        return false;
}

void retry_returns(const struct thread *t, uint32_t i)
{
        const struct wire_event *e = &rt.up->events[i];

        if (!await_notes || t->pend.op != OP_CAS)
                return;
        for (; i < ex.n_events && e->actor != t->id; i++)
                e++;
        if (i < ex.n_events && e->op == OP_CAS && e->mode == WIRE_MODE_READ && want_read(t, i, e->obj, e->size))
                want(e->site);
}

/* Steps. */

static const struct visit *last_visit(const struct cut *c)
{
        return &c->visits[(c->n_visits - 1) % CUT_MAX_VISITS];
}

bool retry_follows(const struct thread *t, const struct cut *c)
{
        const struct visit *v = last_visit(c);
        const struct look *r = &c->reads[c->n_reads - 1];

        return t->spin.armed && await_notes && !rt.sends_signals && !t->section.txn && c->n_visits && v->retries &&
               c->n_reads == v->n_reads + 1 && changes_none(t, c, v) && !t->spin.strayed && r->memory &&
               r->obj == v->obj && r->size == v->size;
}

/* Has the thread changed nothing since?  What it has in memory of its own must be as it was. */
static bool unchanged(const struct thread *t, const struct cut *c, const struct visit *v)
{
        return changes_none_seen(t, c, v) && !spare_rounds(c, v);
}

bool retry_again(const struct thread *t, const struct cut *c, uint64_t local)
{
        const struct visit *last = last_visit(c);
        uint64_t value = c->reads[c->n_reads - 1].value;
        bool load = last->op == OP_LOAD;

        learn(step_hash(t, last->hash, value, local));
        for (uint32_t i = 0; i < CUT_MAX_VISITS && i < c->n_visits; i++) {
                const struct visit *v = &c->visits[i];
                bool same = v->obj == last->obj && v->size == last->size;

                if (v == last || !v->retries)
                        continue;
                load |= same && v->op == OP_LOAD;
                if (same && unchanged(t, c, v) && known(step_hash(t, v->hash, value, local)))
                        return true;
        }
        if (!load)
                want_read(t, ex.n_events, last->obj, last->size);
        return false;
}

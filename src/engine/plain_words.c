/*
 * A plain store releases many a lock.  Most are recognised by the code (binary/asm_words.h); one that another function makes through
 * a pointer is not.  So the words that locked instructions update in the first execution are watched by the machine's debug registers in
 * further ones of the same schedule, WATCHPOINTS at a time.  Instructions that access them become operations.
 *
 * A replay finds the same ones, since all is a function of the program and the options: the schedule, the order of the words and their
 * number.  Words that several threads update come first, then one for each locked instruction.
 */
#include "engine/plain_words.h"

#include <string.h>

#include "base/log.h"
#include "base/search.h"
#include "op/op.h"
#include "op/row.h"
#include "program/start.h"
#include "target/watchpoints.h"

#define GROWTHS   64u /* runs that find more shared memory */
#define MAX_WORDS (8 * WATCHPOINTS)
#define EVENTS    8192u /* that are searched */

struct words {
        struct watched_word at[MAX_WORDS];
        uint64_t site[MAX_WORDS]; /* of the first update */
        uint32_t n;
};

static bool has_foreign(const struct wire_down *d)
{
        for (uint32_t i = 0; i < d->n_locked; i++)
                if (d->locked[i].foreign)
                        return true;
        return false;
}

/* Is this the end of an instruction that such a module has?  Those from `first` on are by address. */
static bool ends_foreign(const struct wire_down *d, uint32_t first, uint32_t n, uint64_t end)
{
        const struct wire_locked *l = &d->locked[first];
        uint32_t at = SEARCH(i, n, l[i].addr + l[i].length < end);

        return at < n && l[at].addr + l[at].length == end && l[at].foreign;
}

static bool is_update(const struct wire_down *d, const struct wire_event *e)
{
        uint32_t n = d->n_later ? d->later[0].first : d->n_locked;

        if (!op_has(e->op, OPF_ATOMIC) || op_mode(e->op) != WIRE_MODE_WRITE || e->op == OP_STORE || !e->size)
                return false;
        if (ends_foreign(d, 0, n, e->site))
                return true;
        for (uint32_t i = 0; i < d->n_later; i++)
                if (ends_foreign(d, d->later[i].first, d->later[i].n, e->site))
                        return true;
        return false;
}

static bool known(const struct words *w, const struct wire_event *e, bool by_site)
{
        for (uint32_t i = 0; i < w->n; i++)
                if (w->at[i].addr == e->obj || (by_site && w->site[i] == e->site))
                        return true;
        return false;
}

/* Does another thread update it later? */
static bool is_shared(const struct trace *t, const struct wire_down *d, uint32_t from)
{
        const struct wire_event *e = &t->events[from];

        for (uint32_t i = from + 1; i < t->n_events && i < EVENTS; i++)
                if (t->events[i].obj == e->obj && t->events[i].actor != e->actor && is_update(d, &t->events[i]))
                        return true;
        return false;
}

static void choose(struct words *w, const struct trace *t, const struct wire_down *d, bool shared)
{
        for (uint32_t i = 0; i < t->n_events && i < EVENTS && w->n < MAX_WORDS; i++) {
                const struct wire_event *e = &t->events[i];

                if (!is_update(d, e) || known(w, e, !shared) || (shared && !is_shared(t, d, i)))
                        continue;
                w->at[w->n] = (struct watched_word){e->obj, e->size};
                w->site[w->n++] = e->site;
        }
}

/* The first schedule, until nothing more is found to be shared. */
static int run(struct run *r, uint32_t flags)
{
        int e = RUN_GREW;

        r->schedule = (struct schedule){0};
        run_attach(r);
        for (uint32_t i = 0; i < GROWTHS && e == RUN_GREW; i++)
                e = run_schedule(r, flags, 0);
        return e;
}

static int take(struct program *p, uint64_t end)
{
        const struct facts *f = p->facts;
        const struct wire_module *m = NULL;

        for (uint32_t i = 0; i < f->n_modules; i++)
                if (f->modules[i].base < end && (!m || f->modules[i].base > m->base))
                        m = &f->modules[i];
        if (!m)
                return RUN_OK;
        for (uint32_t i = 0; i < p->touched.n; i++)
                if (p->touched.at[i].offset == end - m->base && strcmp(p->touched.at[i].path, m->path) == 0)
                        return RUN_OK;
        vec_need(&p->touched, 1);
        *vec_push(&p->touched) = (struct touched){strdup(m->path), end - m->base};
        return p->touched.at[p->touched.n - 1].path ? RUN_OK : error_memory(p->why);
}

static int watch(struct run *r, const struct words *w)
{
        struct target *t = &r->program->target;
        int e = RUN_OK;

        for (uint32_t i = 0; i < w->n && e == RUN_OK && !t->unwatchable; i += WATCHPOINTS) {
                t->watched = &w->at[i];
                t->n_watched = w->n - i < WATCHPOINTS ? w->n - i : WATCHPOINTS;
                e = run(r, WIRE_WATCH);
                for (uint32_t k = 0; e == RUN_OK && k < t->up->n_touched && k < WIRE_MAX_TOUCHED; k++)
                        e = take(r->program, t->up->touched[k]);
        }
        t->n_watched = 0;
        if (t->unwatchable)
                log_note("debug registers are not available: plain accesses through pointers are not searched for "
                         "words that "
                         "locked instructions update");
        return e;
}

int plain_words_find(struct run *r)
{
        struct program *p = r->program;
        struct words w = {.n = 0};
        uint32_t before = p->target.down->n_locked;
        int e;

        if (!has_foreign(p->target.down))
                return RUN_OK;
        e = run(r, 0);
        if (e == RUN_OK) {
                choose(&w, &r->trace, p->target.down, true);
                choose(&w, &r->trace, p->target.down, false);
                e = watch(r, &w);
        }
        if (e == RUN_OK && w.n)
                e = program_start_moved(p);
        if (e == RUN_OK && p->target.down->n_locked != before)
                log_note("found in first executions: plain accesses of words that locked instructions update: %u",
                         p->target.down->n_locked - before);
        r->schedule = (struct schedule){0};
        run_attach(r);
        return e == RUN_GREW || e == RUN_DIED ? RUN_OK : e;
}

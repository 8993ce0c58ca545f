/*
 * Finding out about the program once its modules are loaded.
 *
 * Where addresses stay random, a target that is started again has everything at another place, and all this is found again.
 */
#include "program/start.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "program/assembly.h"
#include "program/invariants.h"
#include "program/irrelevant.h"
#include "program/loops.h"
#include "program/preemption_points.h"

static int find_observed(struct program *p)
{
        struct facts *f = p->facts;

        for (uint32_t i = 0; i < p->config->n_observe; i++) {
                struct observed *more = NULL, *all;
                uint32_t n = 0;

                if (symbols_observe(p->symbols, p->config->observe[i], &more, &n, p->why))
                        return ERROR_USAGE;
                all = realloc(f->observed, (f->n_observed + n) * sizeof *all);
                if (!all)
                        return error_memory(p->why);
                memcpy(all + f->n_observed, more, n * sizeof *all);
                free(more);
                f->observed = all;
                f->n_observed += n;
        }
        if (f->n_observed > WIRE_MAX_CELLS)
                return error_set(p->why, ERROR_USAGE, "--observe: too many values; at most 4096 can be observed");
        for (uint32_t i = 0; i < f->n_observed; i++)
                p->target.down->cells[i] = (struct wire_cell){.addr = f->observed[i].addr, .size = f->observed[i].size};
        p->target.down->n_cells = f->n_observed;
        return RUN_OK;
}

int program_find_irrelevant(struct program *p)
{
        int e = p->config->analyser && !p->irrelevant ? irrelevant_read(&p->irrelevant, p->config->analyser, p->why)
                                                      : RUN_OK;

        return p->config->dependences == STATIC_AUTO ? RUN_OK : e;
}

/* What must be known of the program before main runs. */
static int find_all(struct program *p)
{
        const struct wire_up *up = p->target.up;
        struct facts *f = p->facts;
        uint32_t n = up->n_modules <= WIRE_MAX_MODULES ? up->n_modules : WIRE_MAX_MODULES;
        int e;

        f->modules = malloc((n + 1) * sizeof *f->modules);
        if (!f->modules)
                return error_memory(p->why);
        memcpy(f->modules, up->modules, n * sizeof *f->modules);
        for (uint32_t i = 0; i < n; i++)
                f->modules[i].path[sizeof f->modules[i].path - 1] = 0;
        f->n_modules = n;
        p->symbols = symbols_create(f->modules, n);
        if (!p->symbols)
                return error_memory(p->why);
        e = points_find(p);
        if (e == RUN_OK)
                e = assembly_find(p);
        if (e == RUN_OK)
                e = watch_find(p);
        if (e == RUN_OK)
                e = p->config->analysed ? program_find_irrelevant(p) : RUN_OK;
        return e == RUN_OK ? find_observed(p) : e;
}

static bool is_known(const struct facts *f, const struct wire_module *m)
{
        for (uint32_t i = 0; i < f->n_modules; i++)
                if (f->modules[i].base == m->base && strcmp(f->modules[i].path, m->path) == 0)
                        return true;
        return false;
}

/* Modules that the program has loaded. */
static int look_at_loaded(struct program *p)
{
        struct wire_down *d = p->target.down;
        struct facts *f = p->facts;
        int e = RUN_OK;

        for (uint32_t i = 0; i < p->target.up->n_modules && i < WIRE_MAX_MODULES && e == RUN_OK; i++) {
                struct wire_module m = p->target.up->modules[i], *all;

                m.path[sizeof m.path - 1] = 0;
                if (is_known(f, &m) || d->n_later == WIRE_MAX_LATER)
                        continue;
                all = realloc(f->modules, (f->n_modules + 1) * sizeof *all);
                if (!all || !symbols_add(p->symbols, &m))
                        return error_set(&p->target.why, TARGET_FAIL, "out of memory");
                f->modules = all;
                f->modules[f->n_modules++] = m;
                e = assembly_find_later(p, &m);
        }
        return e == RUN_OK ? TARGET_OK : error_set(&p->target.why, TARGET_FAIL, "%s", p->why->text);
}

/* The target waits for us. */
static int serve(void *program)
{
        struct target *t = &((struct program *)program)->target;

        if (t->down->flags & WIRE_WATCH)
                t->unwatchable |= !watchpoints_set((int)t->up->pid, t->pid, t->watched, t->n_watched);
        return look_at_loaded(program);
}

/* `failed`: what it means that it cannot be started. */
static int start(struct program *p, int failed)
{
        int e = target_start(&p->target);

        if (e == TARGET_OK)
                return RUN_OK;
        return error_set(p->why, e == TARGET_INTR ? (int)RUN_INTR : failed, "%s", p->target.why.text);
}

/* How the program is run here, for --verbose. */
static void note_world(const struct target *t)
{
        log_note("executions are undone by %s (--isolate)",
                 t->isolate == WIRE_ISOLATE_FORK ? "a child process each" : "a snapshot in the same process");
        log_note(t->spawn.aslr ? "addresses stay random: personality() is not permitted here"
                               : "the randomisation of addresses is switched off");
}

int program_start(struct program *p)
{
        int e = start(p, ERROR_USAGE);

        if (e != RUN_OK)
                return e;
        note_world(&p->target);
        p->target.serve = serve;
        p->target.serve_arg = p;
        return find_all(p);
}

int program_start_moved(struct program *p)
{
        int e = start(p, ERROR_FAIL);

        if (e != RUN_OK)
                return e;
        p->target.down->n_shared = p->target.down->n_loops = 0;
        loops_forget_wasted(p->target.down);
        symbols_destroy(p->symbols);
        p->symbols = NULL;
        if (p->irrelevant)
                irrelevant_forget(p->irrelevant);
        facts_forget_addresses(p->facts);
        return find_all(p);
}

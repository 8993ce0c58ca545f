/*
 * Of modules whose accesses are watched (binary/instrumentation.h), accesses and fences that no hook announces become operations.
 * Where no module is of this kind, atomics are noticed when they are executed: the verdict is about thread calls, and a program
 * with atomics of its own has more than these.  Modules that are loaded later (dlopen) are not known here.
 */
#include "program/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "program/coverage.h"
#include "binary/asm_scan.h"
#include "binary/instrumentation.h"

struct search {
        struct program *p;
        bool full;
        bool notice;  /* the module's accesses are not watched */
        bool library; /* ... and its calls are recorded as not covered (coverage.c) */
        int status;
};

/* The instruction and its place, in words. */
static void describe(const struct search *f, const struct locked *l, char text[WIRE_TEXT])
{
        const struct program *p = f->p;
        struct symbols_frame at = symbols_place(p->symbols, l->at.addr + 1);
        char line[16] = "";

        if (at.line)
                snprintf(line, sizeof line, ":%u", at.line);
        if (symbols_function(p->symbols, l->at.addr))
                snprintf(text, WIRE_TEXT, "%s in %.110s()%s%.80s%s", l->name, at.function, at.file ? " " : "",
                         at.file ? at.file : "", line);
        else
                snprintf(text, WIRE_TEXT, "%s in a function without a name", l->name);
        strncat(text,
                f->notice     ? " (not built by heddle cc)"
                : l->assembly ? " (inline assembly)"
                              : " (not instrumented)",
                WIRE_TEXT - strlen(text) - 1);
}

/* Whether it is executed cannot be known. */
static int leave_out(struct search *f, const char *text, bool assembly)
{
        struct program *p = f->p;

        if (f->library)
                return RUN_OK;
        if (p->config->memory != WIRE_MEMORY_SC && assembly)
                return error_set(p->why, ERROR_USAGE, "--memory does not see %s", text);
        reasons_add(&p->unwatched, REASON_UNWATCHED, text);
        return RUN_OK;
}

static void add(void *arg, const struct locked *l)
{
        struct search *f = arg;
        struct wire_down *d = f->p->target.down;
        bool unseen = l->at.kind == WIRE_LOCKED_UNSEEN;
        char text[WIRE_TEXT] = "";

        if (f->status != RUN_OK)
                return;
        if (unseen || !l->known || d->n_locked == WIRE_MAX_LOCKED)
                describe(f, l, text);
        if (!l->known || d->n_locked == WIRE_MAX_LOCKED || (unseen && d->n_unseen == WIRE_MAX_UNSEEN)) {
                f->full |= l->known;
                f->status = leave_out(f, text, l->assembly && !f->notice);
                return;
        }
        if (unseen)
                snprintf(d->unseen[d->n_unseen], WIRE_TEXT,
                         l->at.writes || l->at.plain ? "%.230s" : "heddle does not see %.230s", text);
        d->locked[d->n_locked] = l->at;
        if (unseen)
                d->locked[d->n_locked].immediate = d->n_unseen++;
        d->n_locked++;
}

static int by_address(const void *a, const void *b)
{
        const struct wire_locked *x = a, *y = b;

        return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int look(struct search *f, const char *path, uint64_t base)
{
        enum watched watched = watched_module(path);
        bool stripped = false;
        char text[WIRE_TEXT];

        f->notice = watched == WATCHED_CALLS && !f->p->config->instrumented;
        if (watched != WATCHED_ACCESSES && !f->notice)
                return RUN_OK;
        if (locked_find(path, base, f->notice, &stripped, add, f))
                return ERROR_FAIL;
        if (f->status != RUN_OK || !stripped)
                return f->status;
        snprintf(text, sizeof text,
                 "the inline assembly of %.120s, which is stripped: link it without -s and --strip-debug", path);
        return leave_out(f, text, true);
}

int assembly_find(struct program *p)
{
        struct search f = {.p = p, .status = RUN_OK};
        struct wire_down *d = p->target.down;
        const struct facts *facts = p->facts;

        d->n_locked = d->n_unseen = 0;
        p->unwatched = (struct reasons){0};
        for (uint32_t i = 0; i < facts->n_modules && f.status == RUN_OK; i++) {
                f.library = !p->config->instrumented && i > 0;
                f.status = look(&f, facts->modules[i].path, facts->modules[i].base);
        }
        if (f.status == RUN_OK)
                f.status = outside_find(p);
        if (p->config->instrumented && facts->n_modules && watched_module(facts->modules[0].path) == WATCHED_CALLS)
                reasons_add(&p->unwatched, REASON_UNWATCHED,
                            "memory accesses of the program itself, which was not built by heddle cc");
        qsort(d->locked, d->n_locked, sizeof *d->locked, by_address);
        if (f.status == ERROR_FAIL)
                return error_memory(p->why);
        if (d->n_locked)
                log_note("%u accesses and fences that no compiler announces are covered%s", d->n_locked,
                         f.full ? ", and more are not" : "");
        return f.status;
}

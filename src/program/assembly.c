/*
 * Of modules whose accesses are watched (binary/instrumentation.h), accesses and fences that no hook announces become
 * operations.  Whole functions without hooks come from objects that were built without instrumentation; they are named, because a
 * plain access of theirs looks like an atomic one.  Of all others, libc and the compilers' libraries excepted, these are atomics, fences and system calls; their plain
 * accesses are not watched, which is reported once one of these instructions is executed while several threads run.  Those of a
 * module that is loaded later (dlopen) come behind the others.
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
        bool foreign;     /* the module's accesses are not watched */
        uint16_t text;    /* ... and its name is text `text` - 1 of `unseen`; 0: not yet */
        bool library;     /* calls into it can be recorded as not covered (coverage.c) ... */
        bool *left;       /* ... which is so for each module of these */
        const char *path; /* of the module */
        char bare[192];   /* what was built without instrumentation and is part of an instrumented module, by name */
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
                f->foreign    ? " (not built by heddle cc)"
                : l->assembly ? " (inline assembly)"
                              : " (not instrumented)",
                WIRE_TEXT - strlen(text) - 1);
}

/* Whether it is executed cannot be known. */
static int leave_out(struct search *f, const char *text, bool assembly)
{
        struct program *p = f->p;

        if (f->library) {
                *f->left = true;
                return RUN_OK;
        }
        if (p->config->memory != WIRE_MEMORY_SC && assembly)
                return error_set(p->why, ERROR_USAGE, "--memory does not see %s", text);
        reasons_add(&p->unwatched, REASON_UNWATCHED, text);
        return RUN_OK;
}

/* The name of the module is the text for all of its instructions; false: the room is used up. */
static bool name_module(struct search *f)
{
        struct wire_down *d = f->p->target.down;
        const char *slash = strrchr(f->path, '/');

        if (!f->foreign || f->text)
                return true;
        if (d->n_unseen == WIRE_MAX_UNSEEN)
                return false;
        snprintf(d->unseen[d->n_unseen], WIRE_TEXT, "%.200s", slash ? slash + 1 : f->path);
        f->text = (uint16_t)++d->n_unseen;
        return true;
}

/* Notes the source, or else the function, of an access that is in a function without hooks: it may be meant to be atomic. */
static void note_bare(struct search *f, uint64_t pc)
{
        const char *source = symbols_source(f->p->symbols, pc);
        const char *function = source ? NULL : symbols_function(f->p->symbols, pc);
        char name[96];
        size_t n = strlen(f->bare);

        snprintf(name, sizeof name, ", %.80s%s",
                 source     ? source
                 : function ? function
                            : "a function without a name",
                 function ? "()" : "");
        for (const char *at = f->bare; (at = strstr(at, name)); at++)
                if (!at[strlen(name)] || at[strlen(name)] == ',')
                        return;
        if (n + strlen(name) + 1 > sizeof f->bare)
                strcpy(name, strstr(f->bare, ", ...") ? "" : ", ...");
        if (n + strlen(name) + 1 <= sizeof f->bare)
                strcpy(f->bare + n, name);
}

static void add(void *arg, const struct locked *l)
{
        struct search *f = arg;
        struct wire_down *d = f->p->target.down;
        bool unseen = l->at.kind == WIRE_LOCKED_UNSEEN, known = l->known && name_module(f);
        char text[WIRE_TEXT] = "";

        if (f->status != RUN_OK)
                return;
        if (!f->foreign && !l->assembly && !l->at.plain)
                note_bare(f, l->at.addr);
        if (unseen || !known || d->n_locked == WIRE_MAX_LOCKED)
                describe(f, l, text);
        if (!known || d->n_locked == WIRE_MAX_LOCKED || (unseen && d->n_unseen == WIRE_MAX_UNSEEN)) {
                f->full |= l->known;
                f->status = leave_out(f, text, l->assembly && !f->foreign);
                return;
        }
        if (unseen)
                snprintf(d->unseen[d->n_unseen], WIRE_TEXT,
                         l->at.writes || l->at.plain ? "%.230s" : "heddle does not see %.230s", text);
        d->locked[d->n_locked] = l->at;
        d->locked[d->n_locked].foreign =
                l->at.kind == WIRE_LOCKED_CLOCK || l->at.kind == WIRE_LOCKED_ABORTS || l->at.kind == WIRE_LOCKED_PAUSE
                        ? 0
                        : f->text;
        if (unseen)
                d->locked[d->n_locked].immediate = d->n_unseen++;
        d->n_locked++;
}

static int by_address(const void *a, const void *b)
{
        const struct wire_locked *x = a, *y = b;

        return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int by_value(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return x < y ? -1 : x > y;
}

/* Those of this module, by address. */
static uint32_t take_touched(const struct program *p, const char *path, uint64_t base,
                             uint64_t touched[WIRE_MAX_TOUCHED])
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < p->touched.n && n < WIRE_MAX_TOUCHED; i++)
                if (strcmp(p->touched.at[i].path, path) == 0)
                        touched[n++] = base + p->touched.at[i].offset;
        qsort(touched, n, sizeof *touched, by_value);
        return n;
}

static int look(struct search *f, const char *path, uint64_t base)
{
        uint64_t touched[WIRE_MAX_TOUCHED];
        struct locked_module m = {.path = path, .base = base, .touched = touched};
        enum watched watched = watched_module(path);
        bool stripped = false;
        char text[WIRE_TEXT];

        f->foreign = watched == WATCHED_CALLS;
        f->text = 0;
        f->path = path;
        if ((watched != WATCHED_ACCESSES && !f->foreign) || outside_is_plugin(f->p, path))
                return RUN_OK;
        m.foreign = f->foreign;
        m.n_touched = f->foreign ? take_touched(f->p, path, base, touched) : 0;
        if (locked_find(&m, &stripped, add, f))
                return ERROR_FAIL;
        if (f->status != RUN_OK || !stripped)
                return f->status;
        snprintf(text, sizeof text,
                 "the inline assembly of %.120s, which is stripped: link it without -s and --strip-debug", path);
        return leave_out(f, text, true);
}

static int find(struct search *f, bool *left)
{
        struct program *p = f->p;
        const struct facts *facts = p->facts;

        for (uint32_t i = 0; i < facts->n_modules && f->status == RUN_OK; i++) {
                f->library = i > 0 && watched_module(facts->modules[i].path) == WATCHED_CALLS;
                f->left = &left[i];
                f->status = look(f, facts->modules[i].path, facts->modules[i].base);
        }
        return f->status == RUN_OK ? outside_find(p, left) : f->status;
}

int assembly_find(struct program *p)
{
        struct search f = {.p = p, .status = RUN_OK};
        struct wire_down *d = p->target.down;
        const struct facts *facts = p->facts;
        bool *left = calloc(facts->n_modules + 1, sizeof *left);

        d->n_locked = d->n_unseen = d->n_later = 0;
        p->unwatched = (struct reasons){0};
        f.status = left ? find(&f, left) : ERROR_FAIL;
        free(left);
        if (p->config->instrumented && facts->n_modules && watched_module(facts->modules[0].path) == WATCHED_CALLS)
                reasons_add(&p->unwatched, REASON_UNWATCHED,
                            "memory accesses of the program itself, which was not built by heddle cc");
        qsort(d->locked, d->n_locked, sizeof *d->locked, by_address);
        if (f.bare[0] && f.status == RUN_OK &&
            facts_exclude(p->facts, "data races of code that was not instrumented: %s", f.bare + 2))
                f.status = ERROR_FAIL;
        if (f.status == ERROR_FAIL)
                return error_memory(p->why);
        if (d->n_locked)
                log_note("%u accesses and fences that no compiler announces are covered%s", d->n_locked,
                         f.full ? ", and more are not" : "");
        return f.status;
}

int assembly_find_later(struct program *p, const struct wire_module *m)
{
        bool left = false;
        struct search f = {.p = p,
                           .left = &left,
                           .library = watched_module(m->path) ==
                                      WATCHED_CALLS, /* it is listed anyway (rt/world/loaded.c) */
                           .status = RUN_OK};
        struct wire_down *d = p->target.down;
        uint32_t first = d->n_locked;

        f.status = look(&f, m->path, m->base);
        qsort(&d->locked[first], d->n_locked - first, sizeof *d->locked, by_address);
        d->later[d->n_later++] = (struct wire_later){*m, first, d->n_locked - first};
        if (f.status == ERROR_FAIL)
                return error_memory(p->why);
        log_note("%s was loaded: %u accesses and fences in it that no compiler announces are covered%s", m->path,
                 d->n_locked - first, f.full ? ", and more are not" : "");
        return f.status;
}

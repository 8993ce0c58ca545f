/*
 * Only modules whose accesses are seen are looked through (trace/watched.h): of others atomics are not seen either, inline
 * assembly or not.  Modules that are loaded later (dlopen) are not known here.
 */
#include "explore/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "explore/points.h"
#include "trace/locked.h"
#include "trace/watched.h"

#define MAX_LINES 16u /* of the result; one more says that there is more */

struct search {
        struct session *s;
        bool full;
        uint32_t n_lines;
        int status;
        char last[WIRE_TEXT]; /* the line of the result that was added last: neighbours are often alike */
};

/* The instruction and its place, in words. */
static void describe(const struct session *s, const struct locked *l, char text[WIRE_TEXT])
{
        struct symbols_frame at = symbols_place(s->symbols, l->at.addr + 1);
        char line[16] = "";

        if (at.line)
                snprintf(line, sizeof line, ":%u", at.line);
        if (symbols_function(s->symbols, l->at.addr))
                snprintf(text, WIRE_TEXT, "%s in %.110s()%s%.80s%s", l->name, at.function, at.file ? " " : "",
                         at.file ? at.file : "", line);
        else
                snprintf(text, WIRE_TEXT, "%s in a function without a name", l->name);
        strncat(text, l->assembly ? " (inline assembly)" : " (not instrumented)", WIRE_TEXT - strlen(text) - 1);
}

/* Nobody can tell whether it is executed. */
static int leave_out(struct search *f, const char *text)
{
        struct session *s = f->s;

        if (s->config->memory != WIRE_MEMORY_SC) {
                snprintf(s->why, 512, "--memory does not see %s", text);
                return SESSION_USAGE;
        }
        reasons_add(&s->unwatched, REASON_UNWATCHED, text);
        if (strcmp(text, f->last) == 0)
                return SESSION_OK;
        memcpy(f->last, text, sizeof f->last);
        if (++f->n_lines <= MAX_LINES)
                return points_leave_out(s, "%s", text);
        return f->n_lines == MAX_LINES + 1 ? points_leave_out(s, "more of this kind") : SESSION_OK;
}

static void add(void *arg, const struct locked *l)
{
        struct search *f = arg;
        struct wire_down *d = f->s->target.down;
        bool unseen = l->at.kind == WIRE_LOCKED_UNSEEN;
        char text[WIRE_TEXT] = "";

        if (f->status != SESSION_OK)
                return;
        if (unseen || !l->known || d->n_locked == WIRE_MAX_LOCKED)
                describe(f->s, l, text);
        if (!l->known || d->n_locked == WIRE_MAX_LOCKED || (unseen && d->n_unseen == WIRE_MAX_UNSEEN)) {
                f->full |= l->known;
                f->status = leave_out(f, text);
                return;
        }
        if (unseen)
                snprintf(d->unseen[d->n_unseen], WIRE_TEXT, l->at.writes ? "%.230s" : "heddle does not see %.230s",
                         text);
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
        bool stripped = false;
        char text[WIRE_TEXT];

        if (watched_module(path) != WATCHED_ACCESSES)
                return SESSION_OK;
        if (locked_find(path, base, &stripped, add, f))
                return SESSION_FAIL;
        if (f->status != SESSION_OK || !stripped)
                return f->status;
        snprintf(text, sizeof text,
                 "the inline assembly of %.120s, which is stripped: link it without -s and --strip-debug", path);
        return leave_out(f, text);
}

int assembly_find(struct session *s)
{
        struct search f = {.s = s, .status = SESSION_OK};
        struct wire_down *d = s->target.down;
        const struct result *r = s->result;

        d->n_locked = d->n_unseen = 0;
        s->unwatched = (struct reasons){0};
        for (uint32_t i = 0; i < r->n_modules && f.status == SESSION_OK; i++)
                f.status = look(&f, r->modules[i].path, r->modules[i].base);
        qsort(d->locked, d->n_locked, sizeof *d->locked, by_address);
        if (f.status == SESSION_FAIL)
                snprintf(s->why, 512, "out of memory");
        if (d->n_locked)
                log_note("%u accesses and fences that no compiler announces are watched%s", d->n_locked,
                         f.full ? ", and more are not" : "");
        return f.status;
}

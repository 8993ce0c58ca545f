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
        char last[256]; /* the line of the result that was added last: neighbours are often alike */
};

static void add(void *arg, const struct locked *l)
{
        struct search *f = arg;
        struct session *s = f->s;
        struct wire_down *d = s->target.down;
        char text[256], line[16] = "";
        struct symbols_frame at;

        if (f->status != SESSION_OK)
                return;
        if (l->known && d->n_locked < WIRE_MAX_LOCKED) {
                d->locked[d->n_locked++] = l->at;
                return;
        }
        f->full |= l->known;
        at = symbols_place(s->symbols, l->at.addr + 1);
        if (at.line)
                snprintf(line, sizeof line, ":%u", at.line);
        if (symbols_function(s->symbols, l->at.addr))
                snprintf(text, sizeof text, "%s in %.120s()%s%.80s%s", l->name, at.function, at.file ? " " : "",
                         at.file ? at.file : "", line);
        else
                snprintf(text, sizeof text, "%s in a function without a name", l->name);
        if (s->config->memory != WIRE_MEMORY_SC) {
                snprintf(s->why, 512,
                         "--memory does not see %s, inline assembly; write it with the atomics of C11 (stdatomic.h) or "
                         "the "
                         "__atomic builtins",
                         text);
                f->status = SESSION_USAGE;
                return;
        }
        strncat(text, " (inline assembly)", sizeof text - strlen(text) - 1);
        if (strcmp(text, f->last) == 0)
                return;
        memcpy(f->last, text, sizeof f->last);
        if (++f->n_lines <= MAX_LINES)
                f->status = points_leave_out(s, "%s", text);
        else if (f->n_lines == MAX_LINES + 1)
                f->status = points_leave_out(s, "more of this kind");
}

static int by_address(const void *a, const void *b)
{
        const struct wire_locked *x = a, *y = b;

        return x->addr < y->addr ? -1 : x->addr > y->addr;
}

int assembly_find(struct session *s)
{
        struct search f = {.s = s, .status = SESSION_OK};
        struct wire_down *d = s->target.down;
        const struct result *r = s->result;

        d->n_locked = 0;
        for (uint32_t i = 0; i < r->n_modules && f.status == SESSION_OK; i++)
                if (watched_module(r->modules[i].path) == WATCHED_ACCESSES &&
                    locked_find(r->modules[i].path, r->modules[i].base, add, &f))
                        f.status = SESSION_FAIL;
        qsort(d->locked, d->n_locked, sizeof *d->locked, by_address);
        if (f.status == SESSION_FAIL)
                snprintf(s->why, 512, "out of memory");
        if (d->n_locked)
                log_note("%u atomic updates and fences of inline assembly are watched%s", d->n_locked,
                         f.full ? ", and more are not" : "");
        return f.status;
}

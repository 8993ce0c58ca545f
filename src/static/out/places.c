/* See places.h. */
#include "static/out/places.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "static/external.h"
#include "static/names.h"
#include "static/values.h"

/* An access, with the kind of event that the runtime reports there. */
struct place {
        const struct site *site;
        char what;
        bool relevant;
};

/* Accesses of one kind in one place. */
struct group {
        FILE *f;
        struct program *program;
        const struct place *at;
        uint32_t n;
};

static int by_place(const void *a, const void *b)
{
        const struct place *x = a, *y = b;
        uint32_t n = x->site->length < y->site->length ? x->site->length : y->site->length;
        int file = memcmp(x->site->file, y->site->file, n);

        if (file)
                return file;
        if (x->site->length != y->site->length)
                return x->site->length < y->site->length ? -1 : 1;
        if (x->site->line != y->site->line)
                return x->site->line < y->site->line ? -1 : 1;
        if (x->site->column != y->site->column)
                return x->site->column < y->site->column ? -1 : 1;
        return x->what < y->what ? -1 : x->what > y->what;
}

/* Where the access may go. */
static const struct node *targets(struct program *p, const struct place *is, uint32_t *size)
{
        const struct access *a = &p->accesses.at[is->site->access];

        *size = a->size;
        return &p->points.nodes.at[values_node(p, a->source && is->what == 'r' ? a->source : a->address)];
}

/*
 * May a call access the object?  Functions of libc access what their arguments point to, the others what unknown code reaches, and
 * an argument by value is copied.  All of this is reported in the place of the call.
 */
static bool call_reaches(struct program *p, LLVMValueRef call, uint32_t object)
{
        const struct cells *c = &p->points.cells;
        uint32_t at = program_index(&p->calls, call);

        if (at == UINT32_MAX || (p->each_call.at[at].unknown && c->objects.at[object].escaped))
                return true;
        for (unsigned i = 0; i < external_arguments(call); i++) {
                const struct node *n = &p->points.nodes.at[values_node(p, LLVMGetOperand(call, i))];
                for (uint32_t k = 0; k < n->locs.n; k++) {
                        uint32_t is = c->locs.at[n->locs.at[k]].object;
                        if (is == CELLS_UNKNOWN ? c->objects.at[object].escaped : is == object)
                                return true;
                }
        }
        return false;
}

/* May a relevant access of the group go to these bytes? */
static bool matters(const struct group *g, struct loc bytes, uint32_t length)
{
        const struct cells *c = &g->program->points.cells;
        uint32_t size;

        for (uint32_t i = 0; i < g->n; i++) {
                if (g->at[i].site->kind == SITE_CALL) {
                        if (call_reaches(g->program, g->at[i].site->value, bytes.object))
                                return true;
                        continue;
                }
                const struct node *n = g->at[i].relevant ? targets(g->program, &g->at[i], &size) : NULL;
                if (n && !n->locs.n)
                        return true;
                for (uint32_t k = 0; n && k < n->locs.n; k++) {
                        struct loc l = c->locs.at[n->locs.at[k]];
                        if (l.object == CELLS_UNKNOWN
                                    ? c->objects.at[bytes.object].escaped
                                    : l.object == bytes.object && cells_overlap(l, size, bytes, length))
                                return true;
                }
        }
        return false;
}

/* The bytes of a variable that an irrelevant access may go to: all of it, if they are not known. */
static void print_bytes(const struct group *g, struct loc l, uint32_t size)
{
        const struct object *o = &g->program->points.cells.objects.at[l.object];
        const char *name = o->kind == OBJECT_GLOBAL ? names_unique(g->program->ir, o->value) : NULL;
        uint64_t whole = name ? values_size(g->program, LLVMGlobalGetValueType(o->value)) : 0;
        const struct site *s = g->at->site;

        if (!whole || whole >= CELLS_FAR)
                return;
        if (l.stride || size == CELLS_WHOLE || l.offset < 0 || (uint64_t)l.offset + size > whole) {
                l.offset = 0;
                l.stride = 0;
                size = (uint32_t)whole;
        }
        if (!matters(g, l, size))
                fprintf(g->f, "%c %u %u %d %u %s %.*s\n", toupper((unsigned char)g->at->what), s->line, s->column,
                        l.offset, size, name, (int)s->length, s->file);
}

static void print_group(const struct group *g)
{
        const struct site *s = g->at->site;
        uint32_t relevant = 0, size;

        for (uint32_t i = 0; i < g->n; i++)
                relevant += g->at[i].relevant;
        if (!relevant)
                fprintf(g->f, "%c %u %u %.*s\n", g->at->what, s->line, s->column, (int)s->length, s->file);
        for (uint32_t i = 0; i < g->n && relevant; i++) {
                const struct node *n = g->at[i].relevant ? NULL : targets(g->program, &g->at[i], &size);
                for (uint32_t k = 0; n && k < n->locs.n; k++)
                        print_bytes(g, g->program->points.cells.locs.at[n->locs.at[k]], size);
        }
}

void places_print(FILE *f, struct graph *g)
{
        VEC(struct place) all = {0};
        static const char *const what[] = {[SITE_READ] = "r",  [SITE_WRITE] = "w", [SITE_UPDATE] = "u",
                                           [SITE_COPY] = "rw", [SITE_SET] = "w",   [SITE_CALL] = "rwu"};

        for (uint32_t i = 0; i < g->sites.n && g->program->whole; i++) { /* else code without IR may share its lines */
                const struct site *s = &g->sites.at[i];
                if (s->kind > SITE_CALL || !s->line || !s->column)
                        continue;
                for (const char *w = what[s->kind]; *w; w++) {
                        vec_need(&all, 1);
                        *vec_push(&all) = (struct place){s, *w, s->relevant};
                }
        }
        if (all.n)
                qsort(all.at, all.n, sizeof *all.at, by_place);
        for (uint32_t i = 0, next; i < all.n; i = next) {
                for (next = i; next < all.n && by_place(&all.at[i], &all.at[next]) == 0;)
                        next++;
                print_group(&(struct group){f, g->program, &all.at[i], next - i});
        }
        vec_fini(&all);
}

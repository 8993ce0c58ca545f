/* See cells.h. */
#include "static/cells.h"

#include <string.h>

static uint64_t gcd(uint64_t a, uint64_t b)
{
        while (b) {
                uint64_t rest = a % b;
                a = b;
                b = rest;
        }
        return a;
}

void cells_init(struct cells *c)
{
        memset(c, 0, sizeof *c);
        cells_object(c, OBJECT_UNKNOWN, NULL);
        c->objects.at[CELLS_UNKNOWN].escaped = true;
        cells_loc(c, CELLS_UNKNOWN, 0, 1);
}

void cells_fini(struct cells *c)
{
        for (uint32_t i = 0; i < c->objects.n; i++) {
                vec_fini(&c->objects.at[i].locs);
                vec_fini(&c->objects.at[i].cells);
        }
        vec_fini(&c->objects);
        vec_fini(&c->locs);
        vec_fini(&c->cells);
}

uint32_t cells_object(struct cells *c, enum object_kind kind, LLVMValueRef value)
{
        vec_need(&c->objects, 1);
        *vec_push(&c->objects) = (struct object){.value = value, .kind = (uint8_t)kind};
        return c->objects.n - 1;
}

static uint32_t find_loc(const struct cells *c, const struct object *o, struct loc l)
{
        for (uint32_t i = 0; i < o->locs.n; i++) {
                const struct loc *is = &c->locs.at[o->locs.at[i]];
                if (is->offset == l.offset && is->stride == l.stride)
                        return o->locs.at[i];
        }
        return UINT32_MAX;
}

uint32_t cells_loc(struct cells *c, uint32_t object, int64_t offset, uint64_t stride)
{
        struct object *o = &c->objects.at[object];
        struct loc l = {object, 0, 1};

        if (object != CELLS_UNKNOWN && o->kind != OBJECT_FUNCTION && offset > -CELLS_FAR && offset < CELLS_FAR &&
            stride < CELLS_FAR) {
                l.stride = (uint32_t)stride;
                l.offset =
                        (int32_t)(stride ? ((offset % (int64_t)stride) + (int64_t)stride) % (int64_t)stride : offset);
        }
        uint32_t at = find_loc(c, o, l);
        if (at != UINT32_MAX)
                return at;
        if (o->locs.n >= CELLS_MAX) {
                l = (struct loc){object, 0, 1};
                at = find_loc(c, o, l);
                if (at != UINT32_MAX)
                        return at;
        }
        vec_need(&c->locs, 1);
        *vec_push(&c->locs) = l;
        vec_need(&o->locs, 1);
        *vec_push(&o->locs) = c->locs.n - 1;
        return c->locs.n - 1;
}

uint32_t cells_shift(struct cells *c, uint32_t loc, int64_t offset, uint64_t stride)
{
        struct loc l = c->locs.at[loc];

        if (l.object == CELLS_UNKNOWN || (!offset && !stride))
                return loc;
        return cells_loc(c, l.object, l.offset + offset, gcd(l.stride, stride));
}

uint32_t cells_cell(struct cells *c, uint32_t loc, uint32_t size, bool *made)
{
        struct loc l = c->locs.at[loc];
        struct object *o = &c->objects.at[l.object];

        if (size == CELLS_WHOLE || o->cells.n >= CELLS_MAX) {
                l = (struct loc){l.object, 0, 1};
                size = 1;
        }
        for (uint32_t i = 0; i < o->cells.n; i++) {
                const struct cell *is = &c->cells.at[o->cells.at[i]];
                if (is->at.offset == l.offset && is->at.stride == l.stride && is->size == size) {
                        *made = false;
                        return o->cells.at[i];
                }
        }
        vec_need(&c->cells, 1);
        *vec_push(&c->cells) = (struct cell){.at = l, .size = size};
        vec_need(&o->cells, 1);
        *vec_push(&o->cells) = c->cells.n - 1;
        *made = true;
        return c->cells.n - 1;
}

bool cells_overlap(struct loc a, uint32_t size, struct loc b, uint32_t other)
{
        int64_t g = (int64_t)gcd(a.stride, b.stride), far;

        if (size == CELLS_WHOLE || other == CELLS_WHOLE)
                return true;
        if (!g)
                return a.offset < (int64_t)b.offset + other && b.offset < (int64_t)a.offset + size;
        far = ((b.offset - (int64_t)a.offset) % g + g) %
              g; /* b begins so far behind a, and g - far before the next a */
        return far < size || g - far < other || far == 0;
}

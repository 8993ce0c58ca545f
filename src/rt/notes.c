/* See notes.h. */
#include "rt/notes.h"

#include "rt/util.h"

void rt_name_object(const void *p, const char *name)
{
        struct wire_up *up = rt.up;
        uint32_t i = 0;

        while (i < up->n_labels && up->labels[i].addr != (uint64_t)(uintptr_t)p)
                i++;
        if (i == WIRE_MAX_LABELS) /* further names are not kept */
                return;
        up->labels[i].addr = (uint64_t)(uintptr_t)p;
        rt_text(up->labels[i].name, sizeof up->labels[i].name, name);
        if (i == up->n_labels)
                up->n_labels = i + 1;
}

void rt_note_incomplete(enum reason reason, const char *detail)
{
        reasons_add(&rt.up->reasons, reason, detail);
}

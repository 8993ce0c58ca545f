/* What is known of the program.  Invariant: every text in it ends, whatever the target wrote. */
#include "program/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void facts_forget_addresses(struct facts *f)
{
        for (uint32_t i = 0; i < f->n_observed; i++)
                free(f->observed[i].name);
        f->n_observed = 0;
        free(f->modules);
        f->modules = NULL;
        f->n_modules = 0;
}

void facts_forget_excluded(struct facts *f)
{
        for (uint32_t i = 0; i < f->n_excluded; i++)
                free(f->excluded[i]);
        f->n_excluded = 0;
}

int facts_exclude(struct facts *f, const char *format, ...)
{
        char **all = realloc(f->excluded, (f->n_excluded + 1) * sizeof *all);
        char text[256];
        va_list ap;

        if (!all)
                return ERROR_FAIL;
        f->excluded = all;
        va_start(ap, format);
        vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        f->excluded[f->n_excluded] = strdup(text);
        return f->excluded[f->n_excluded++] ? 0 : ERROR_FAIL;
}

/* What the verdict takes for granted. */
static void take_assumed(struct facts *f, const struct wire_up *up)
{
        uint32_t n = up->n_assumed;

        f->unfiltered = up->unfiltered != 0;
        f->n_assumed = n < WIRE_MAX_ASSUMED ? n : WIRE_MAX_ASSUMED;
        memcpy(f->assumed, up->assumed, sizeof f->assumed);
        for (uint32_t i = 0; i < f->n_assumed; i++)
                f->assumed[i][WIRE_ASSUMED_TEXT - 1] = 0;
}

void facts_take(struct facts *f, const struct wire_up *up)
{
        uint32_t n = up->n_labels;

        take_assumed(f, up);
        if (!n || n > WIRE_MAX_LABELS || f->labels)
                return;
        f->labels = malloc(n * sizeof *f->labels);
        if (!f->labels)
                return;
        memcpy(f->labels, up->labels, n * sizeof *f->labels);
        for (uint32_t i = 0; i < n; i++)
                f->labels[i].name[sizeof f->labels[i].name - 1] = 0;
        f->n_labels = n;
}

void facts_fini(struct facts *f)
{
        facts_forget_addresses(f);
        facts_forget_excluded(f);
        free(f->observed);
        free(f->labels);
        free(f->excluded);
        memset(f, 0, sizeof *f);
}

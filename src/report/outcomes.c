/* The table of outcomes, sorted by their values so that two runs can be compared. */
#include "report/outcomes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/wording.h"

#define ERROR_LINES 5

struct row {
        const struct outcome *o;
        const struct result *r;
};

static int by_values(const void *a, const void *b)
{
        const struct row *p = a, *q = b;

        for (uint32_t i = 0; i < p->r->facts.n_observed; i++) {
                const struct observed *v = &p->r->facts.observed[i];
                uint64_t x = phrase_masked(p->o->values[i], v->size), y = phrase_masked(q->o->values[i], v->size);
                if (x != y && v->is_signed)
                        return phrase_signed(x, v->size) < phrase_signed(y, v->size) ? -1 : 1;
                if (x != y)
                        return x < y ? -1 : 1;
        }
        return 0;
}

/* Where the outputs differ first: the beginning of that line. */
static size_t common_lines(const struct result *r)
{
        const char *first = r->printed[0].text;
        size_t n = strlen(first);

        for (uint32_t i = 1; i < r->n_printed; i++) {
                size_t k = 0;
                while (k < n && first[k] == r->printed[i].text[k])
                        k++;
                n = k;
        }
        while (n > 0 && first[n - 1] != '\n')
                n--;
        return n;
}

/* The first line of an output that differs from others; `from`: it begins there. */
static void put_output(const struct style *style, const struct printed *o, size_t from)
{
        FILE *f = style->f;
        const char *line = o->text + from;
        size_t n = strcspn(line, "\n"), all = strlen(line);
        size_t shown = n < 127 ? n : 127;

        fprintf(f, "%8" PRIu64 " execution%s: %s", o->executions, o->executions == 1 ? "" : "s", from ? "... " : "");
        if (all)
                style_put(style, STYLE_BOLD, line, (uint32_t)shown, 0);
        else
                fputs(from ? "ends" : "nothing", f);
        fputs(shown + 1 < all || o->bytes > PRINTED_TEXT ? " ..." : "", f);
        if (o->bytes > PRINTED_TEXT)
                fprintf(f, " (%" PRIu64 " bytes)", o->bytes);
        if (o->status)
                fprintf(f, ", exit status %d", o->status);
        fputs("; replay '", f);
        style_put(style, STYLE_DIM, o->schedule, (uint32_t)strlen(o->schedule), 0);
        fputs("'\n", f);
}

void outputs_put(const struct style *style, const struct result *r)
{
        bool all = r->printed_all && r->stats.complete && r->n_printed < PRINTED_MAX;

        if (r->n_printed < 2)
                return;
        size_t from = common_lines(r);
        fprintf(style->f, "\nThe program printed %s%u different outputs:\n", all ? "" : "at least ", r->n_printed);
        for (uint32_t i = 0; i < r->n_printed; i++)
                put_output(style, &r->printed[i], from);
        if (!r->printed_all)
                fputs("  (--outputs on finds all of them, --outputs off does not compare them)\n", style->f);
}

void outcomes_put(const struct style *style, struct symbols *symbols, const struct result *r)
{
        struct row *rows = malloc((r->n_outcomes + 1) * sizeof(*rows));
        FILE *f = style->f;

        fprintf(f, "\nOutcomes: %u\n", r->n_outcomes);
        if (!rows)
                return;
        for (uint32_t i = 0; i < r->n_outcomes; i++)
                rows[i] = (struct row){&r->outcomes[i], r};
        qsort(rows, r->n_outcomes, sizeof(*rows), by_values);
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                const struct outcome *o = rows[i].o;
                fprintf(f, "%8" PRIu64 " :> ", o->executions);
                for (uint32_t k = 0; k < r->facts.n_observed; k++) {
                        char value[160];
                        phrase_observed(value, sizeof(value), symbols, &r->facts.observed[k], o->values[k]);
                        fputs(r->facts.observed[k].name, f);
                        fputc('=', f);
                        style_put(style, STYLE_BOLD, value, (uint32_t)strlen(value), 0);
                        fputs("; ", f);
                }
                if (o->schedule)
                        style_put(style, STYLE_DIM, o->schedule, (uint32_t)strlen(o->schedule), 0);
                fputc('\n', f);
        }
        free(rows);
}

void errors_put(const struct style *style, const struct finding *fd)
{
        const char *all = fd->trace->errors ? fd->trace->errors : "", *at = all + strlen(all);

        for (int lines = 0; at > all && lines < ERROR_LINES; lines++) {
                at -= at > all && at[-1] == '\n';
                while (at > all && at[-1] != '\n')
                        at--;
        }
        if (*at)
                fputs("\n  Last lines of the program on standard error:\n", style->f);
        while (*at) {
                int n = (int)strcspn(at, "\n");
                fputs("    ", style->f);
                style_put(style, STYLE_PLAIN, at, (uint32_t)n, 0);
                fputc('\n', style->f);
                at += n + (at[n] == '\n');
        }
}

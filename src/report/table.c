/*
 * The layout of stretches.  Every cell is wrapped to its column, never cut, so that nothing is lost at 80 columns; the
 * fill and the colour are added when a line is written, so they never count as text.
 */
#include "report/table.h"

#include <stdio.h>
#include <string.h>

#include "report/wording.h"

#define MIN_COLUMN 18u
#define MAX_COLUMN 60u
#define KEEP_FIRST 12u /* rows of a long table */
#define KEEP_LAST  36u

static enum style_color color_of(enum stretch_style style)
{
        switch (style) {
        case STRETCH_PLACE: return STYLE_BOLD;
        case STRETCH_MORE: return STYLE_DIM;
        case STRETCH_STOP: return STYLE_YELLOW;
        case STRETCH_FAIL: return STYLE_RED;
        default: return STYLE_PLAIN;
        }
}

static const char *mark_of(const struct style *style, enum stretch_style kind)
{
        if (kind == STRETCH_STOP)
                return style->unicode ? "» " : "> ";
        if (kind == STRETCH_FAIL)
                return style->unicode ? "✗ " : "! ";
        return kind == STRETCH_PLACE ? "" : "  ";
}

struct layout {
        const struct style *style;
        uint32_t column[WIRE_MAX_THREADS];  /* of each thread that has stretches */
        uint32_t threads[WIRE_MAX_THREADS]; /* the thread of each column */
        uint32_t n, width, indent;
};

/* A line of the table with text in one column. */
static void put_in_column(const struct layout *l, uint32_t column, enum style_color color, const char *mark,
                          const char *text, uint32_t bytes)
{
        const struct style *s = l->style;
        const char *bar = s->unicode ? "│" : "|";
        uint32_t mark_width = style_columns(mark, (uint32_t)strlen(mark));

        fprintf(s->f, "%*s", (int)l->indent, "");
        for (uint32_t i = 0; i < l->n; i++) {
                bool last = i + 1 == l->n;
                if (i)
                        fputs(bar, s->f);
                if (i != column) {
                        style_put(s, STYLE_PLAIN, "", 0, last ? 0 : l->width + (i > 0));
                        continue;
                }
                fputs(i ? " " : "", s->f);
                style_put(s, color, mark, (uint32_t)strlen(mark), 0);
                style_put(s, color, text, bytes, last ? 0 : l->width - mark_width);
        }
        fputc('\n', s->f);
}

static void put_line(const struct layout *l, uint32_t column, const struct stretch_line *line)
{
        const char *text = line->text, *mark = mark_of(l->style, line->style);
        uint32_t room = l->width - 1 - style_columns(mark, (uint32_t)strlen(mark));

        do {
                uint32_t n = style_break(text, room);
                put_in_column(l, column, color_of(line->style), mark, text, n);
                text += n;
                while (*text == ' ')
                        text++;
                mark = "    "; /* the rest of a long line is indented a little further */
                room = l->width - 1 - 4;
        } while (*text);
}

static void put_rule(const struct layout *l)
{
        const struct style *s = l->style;

        fputs("  ", s->f);
        for (uint32_t i = 0; i < l->n; i++) {
                if (i)
                        fputs(s->unicode ? "┼─" : "+-", s->f);
                for (uint32_t k = 0; k < l->width; k++)
                        fputs(s->unicode ? "─" : "-", s->f);
        }
        fputc('\n', s->f);
}

static void put_list(const struct layout *l, struct symbols *symbols, const struct trace *t, const struct stretch *st)
{
        const struct style *s = l->style;
        struct layout one = {.style = s, .n = 1, .width = s->width - 6, .indent = 6};
        char name[160], head[200];

        phrase_thread_name(name, sizeof(name), symbols, t, st->actor);
        int n = snprintf(head, sizeof(head), "T%u%s%s", trace_owner(t, st->actor), name[0] ? " " : "", name);
        fputs("  ", s->f);
        style_put(s, STYLE_BOLD, head, (uint32_t)n, 0);
        fputc('\n', s->f);
        for (uint32_t i = 0; i < st->n; i++)
                put_line(&one, 0, &st->lines[i]);
}

static void put_head(const struct layout *l, struct symbols *symbols, const struct trace *t)
{
        const struct style *s = l->style;

        fputs("  ", s->f);
        for (uint32_t i = 0; i < l->n; i++) {
                char name[160], head[200];
                phrase_thread_name(name, sizeof(name), symbols, t, l->threads[i]);
                uint32_t n = (uint32_t)snprintf(head, sizeof(head), "T%u%s%s", trace_owner(t, l->threads[i]),
                                                name[0] ? " " : "", name);
                if (n >= l->width)
                        n = l->width - 1;
                if (i)
                        fputs(s->unicode ? "│ " : "| ", s->f);
                style_put(s, STYLE_BOLD, head, n, i + 1 == l->n ? 0 : l->width);
        }
        fputc('\n', s->f);
        put_rule(l);
}

static void lay_out(struct layout *l, const struct stretches *s)
{
        bool used[WIRE_MAX_THREADS] = {false};

        for (uint32_t i = 0; i < s->n; i++)
                used[s->all[i].actor] = true;
        for (uint32_t i = 0; i < WIRE_MAX_THREADS; i++) {
                if (!used[i])
                        continue;
                l->column[i] = l->n;
                l->threads[l->n++] = i;
        }
        uint32_t room = l->style->width - 2;
        l->width = l->n ? (room - 2 * (l->n - 1 < room / 2 ? l->n - 1 : room / 2)) / l->n : room;
        if (l->width > MAX_COLUMN)
                l->width = MAX_COLUMN;
}

void table_put(const struct style *style, struct symbols *symbols, const struct trace *t, const struct stretches *s,
               bool verbose)
{
        struct layout l = {.style = style, .indent = 2};

        lay_out(&l, s);
        bool list = l.width < MIN_COLUMN;
        if (!list)
                put_head(&l, symbols, t);
        for (uint32_t i = 0; i < s->n; i++) {
                const struct stretch *st = &s->all[i];
                if (!verbose && s->n > KEEP_FIRST + KEEP_LAST && i == KEEP_FIRST) {
                        uint32_t skip = s->n - KEEP_FIRST - KEEP_LAST;
                        fprintf(style->f, "  ... %u more stretches, shown by --verbose ...\n", skip);
                        i += skip - 1;
                        continue;
                }
                if (list) {
                        put_list(&l, symbols, t, st);
                        continue;
                }
                for (uint32_t k = 0; k < st->n; k++)
                        put_line(&l, l.column[st->actor], &st->lines[k]);
        }
        if (s->failed)
                fputs("  (out of memory: rows are missing here)\n", style->f);
}

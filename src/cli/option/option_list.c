/*
 * Lists of options.  The short list holds what a newcomer needs, at 80 columns, with the first clause of each text, so that
 * the help of a command fits a screen; the other lists hold everything.
 */
#include "cli/option/option_list.h"

#include <stdbool.h>
#include <string.h>

#include "cli/option/value.h"

#define WIDTH  80
#define INDENT 23

/* What the short list of a command holds, in the order of the table. */
static const char main_options[] = "strategy memory preempt bound depth executions time jobs keep-going spurious "
                                   "invariant observe seed json html trace "
                                   "steps text batch ex execution compiler quiet verbose help";

static bool listed(const struct options_row *row, enum options_command command)
{
        return (row->commands & command) && row->kind != OPTIONS_LATER;
}

/* Prints the first `length` characters of a text in lines that leave room for INDENT columns. */
static void wrap(FILE *f, const char *text, size_t length)
{
        const char *end = text + length;
        int column = INDENT;

        while (text < end) {
                int n = (int)strcspn(text, " ");
                if (n > end - text)
                        n = (int)(end - text);
                if (column + n > WIDTH && column > INDENT) {
                        fprintf(f, "\n%*s", INDENT, "");
                        column = INDENT;
                } else if (column > INDENT) {
                        fputc(' ', f);
                }
                fprintf(f, "%.*s", n, text);
                column += n + 1;
                text += n;
                text += strspn(text, " ");
        }
        fputc('\n', f);
}

/* How much of the text says what the option is for, without the details. */
static size_t clause_of(const struct options_row *row)
{
        size_t n = strcspn(row->help, ";:(");

        while (n > 0 && row->help[n - 1] == ' ')
                n--;
        return n;
}

/* One option with so much of its text and, if `brief`, the values it can have. */
static void put(FILE *f, const struct options_row *row, size_t length, bool brief)
{
        char left[64], text[512], values[VALUE_WORDS];

        snprintf(left, sizeof left, "--%s %s", row->name, row->argument ? row->argument : "");
        fprintf(f, "  %-*s ", INDENT - 3, left);
        if (strlen(left) > INDENT - 3)
                fprintf(f, "\n%*s", INDENT, "");
        if (brief && row->kind == OPTIONS_WORD && strchr(row->words, ' ')) {
                value_spell(values, row->words);
                snprintf(text, sizeof text, "%.*s: %s", (int)length, row->help, values);
                wrap(f, text, strlen(text));
        } else {
                wrap(f, row->help, length);
        }
}

unsigned optlist_main(FILE *f, enum options_command command)
{
        unsigned others = 0;
        size_t n;
        const struct options_row *rows = options_rows(&n);

        for (size_t i = 0; i < n; i++) {
                if (!listed(&rows[i], command))
                        continue;
                if (value_word(main_options, rows[i].name) < 0) {
                        others++;
                        continue;
                }
                put(f, &rows[i], clause_of(&rows[i]), true);
        }
        return others;
}

void optlist_all(FILE *f, enum options_command command)
{
        size_t n;
        const struct options_row *rows = options_rows(&n);

        for (size_t i = 0; i < n; i++)
                if (listed(&rows[i], command))
                        put(f, &rows[i], strlen(rows[i].help), false);
}

static void roff_word(FILE *f, const char *text)
{
        if (*text == '.' || *text == '\'')
                fputs("\\&", f);
        for (; *text; text++)
                fprintf(f, "%s%c", *text == '-' || *text == '\\' ? "\\" : "", *text);
}

void optlist_roff(FILE *f, enum options_command command)
{
        size_t n;
        const struct options_row *rows = options_rows(&n);

        for (size_t i = 0; i < n; i++) {
                if (!listed(&rows[i], command))
                        continue;
                fputs(".TP\n.B \\-\\-", f);
                roff_word(f, rows[i].name);
                if (rows[i].argument) {
                        fputs(" \\fI", f);
                        roff_word(f, rows[i].argument);
                        fputs("\\fR", f);
                }
                fputc('\n', f);
                roff_word(f, rows[i].help);
                fputs(".\n", f);
        }
}

/*
 * Lists of words.  A command line is read once and its words are wanted until the end, so nothing here is ever freed: it
 * hangs on a chain, which is how a leak checker knows that it is not lost.  A list that has words ends with a NULL, and so
 * serves as an argument vector as it is.
 */
#include "cli/list.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "cli/status.h"

/* Everything that lives as long as the process. */
static struct kept {
        struct kept *next;
        max_align_t bytes[];
} * kept;

void *list_alloc(size_t bytes)
{
        struct kept *k = calloc(1, sizeof *k + bytes);

        if (!k) {
                fputs("heddle: out of memory\n", stderr);
                exit(STATUS_INTERNAL);
        }
        k->next = kept;
        kept = k;
        return k->bytes;
}

void list_release(void)
{
        while (kept) {
                struct kept *next = kept->next;
                free(kept);
                kept = next;
        }
}

void list_add(struct list *l, const char *word)
{
        if (l->n + 2 > l->room) {
                char **old = l->words;

                l->room = l->room ? 2 * l->room : 16;
                l->words = list_alloc(l->room * sizeof *l->words);
                if (l->n)
                        memcpy(l->words, old, l->n * sizeof *old);
        }
        l->words[l->n++] = (char *)word;
        l->words[l->n] = NULL;
}

static char *format_words(const char *format, va_list ap)
{
        va_list again;
        int n;

        va_copy(again, ap);
        n = vsnprintf(NULL, 0, format, again);
        va_end(again);
        char *s = list_alloc(n > 0 ? (size_t)n + 1 : 1);
        if (n > 0)
                vsnprintf(s, (size_t)n + 1, format, ap);
        return s;
}

char *list_format(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        char *s = format_words(format, ap);
        va_end(ap);
        return s;
}

char *list_path(const char *path)
{
        char *real = realpath(path, NULL), *copy = real ? list_format("%s", real) : NULL;

        free(real);
        return copy;
}

void list_addf(struct list *l, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        list_add(l, format_words(format, ap));
        va_end(ap);
}

void list_add_all(struct list *l, const struct list *more)
{
        for (size_t i = 0; i < more->n; i++)
                list_add(l, more->words[i]);
}

/* Is there something in it that a terminal does not show? */
static bool is_hidden(const char *word)
{
        uint32_t code;
        bool shown = true;

        while (*word && shown)
                word += shown_next(word, &code, &shown);
        return !shown;
}

/* In the shell's $'...', byte by byte where it must be. */
static char *quote_bytes(char *out, const char *word)
{
        out = stpcpy(out, "$'");
        for (; *word; word++)
                if (*word == '\'' || *word == '\\')
                        out += sprintf(out, "\\%c", *word);
                else if ((unsigned char)*word < ' ' || (unsigned char)*word >= 0x7f)
                        out += sprintf(out, "\\%03o", (unsigned char)*word);
                else
                        *out++ = *word;
        return stpcpy(out, "'");
}

static char *quote_word(char *out, const char *word)
{
        const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";

        if (*word && word[strspn(word, plain)] == '\0')
                return stpcpy(out, word);
        if (is_hidden(word))
                return quote_bytes(out, word);
        *out++ = '\'';
        for (; *word; word++) {
                if (*word == '\'')
                        out = stpcpy(out, "'\\''");
                else
                        *out++ = *word;
        }
        *out++ = '\'';
        *out = '\0';
        return out;
}

char *list_quote(const struct list *l)
{
        size_t bytes = 1;

        for (size_t i = 0; i < l->n; i++)
                bytes += 4 * strlen(l->words[i]) + 4;
        char *line = list_alloc(bytes), *end = line;
        for (size_t i = 0; i < l->n; i++) {
                if (i > 0)
                        *end++ = ' ';
                end = quote_word(end, l->words[i]);
        }
        return line;
}

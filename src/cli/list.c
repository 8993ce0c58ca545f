/*
 * Lists of words.  A command line is read once and its words are wanted until the end, so nothing here is ever freed;
 * a list that has words ends with a NULL, and so serves as an argument vector as it is.
 */
#include "cli/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/status.h"

static void *check(void *p)
{
        if (!p) {
                fputs("heddle: out of memory\n", stderr);
                exit(STATUS_INTERNAL);
        }
        return p;
}

void *list_alloc(size_t bytes)
{
        return check(calloc(1, bytes ? bytes : 1));
}

void list_add(struct list *l, const char *word)
{
        if (l->n + 2 > l->room) {
                l->room = l->room ? 2 * l->room : 16;
                l->words = check(realloc(l->words, l->room * sizeof *l->words));
        }
        l->words[l->n++] = (char *)word;
        l->words[l->n] = NULL;
}

static char *format_words(const char *format, va_list ap)
{
        char *s;

        if (vasprintf(&s, format, ap) < 0)
                s = NULL;
        return check(s);
}

char *list_format(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        char *s = format_words(format, ap);
        va_end(ap);
        return s;
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

static char *quote_word(char *out, const char *word)
{
        const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";

        if (*word && word[strspn(word, plain)] == '\0')
                return stpcpy(out, word);
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
                bytes += 4 * strlen(l->words[i]) + 3;
        char *line = list_alloc(bytes), *end = line;
        for (size_t i = 0; i < l->n; i++) {
                if (i > 0)
                        *end++ = ' ';
                end = quote_word(end, l->words[i]);
        }
        return line;
}

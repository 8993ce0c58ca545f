/*
 * Lines of words.  The file is not trusted: nothing is used before its bounds are known, and a line that
 * holds a zero byte is refused so that a word is always all of itself.
 */
#include "base/words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int words_fail(struct words *w, const char *format, ...)
{
        char where[64];
        va_list ap;

        snprintf(where, sizeof where, "%s, line %u: ", w->name, w->number);
        va_start(ap, format);
        error_set_at(w->why, -1, where, format, ap);
        va_end(ap);
        return -1;
}

int words_line(struct words *w)
{
        ssize_t n = getline(&w->line, &w->room, w->f);

        if (n < 0)
                return 0;
        w->number++;
        if (n && w->line[n - 1] == '\n')
                w->line[--n] = 0;
        if (strlen(w->line) != (size_t)n)
                return words_fail(w, "a zero byte");
        w->at = w->line;
        return 1;
}

void words_fini(struct words *w)
{
        free(w->line);
        w->line = w->at = NULL;
}

char *words_next(struct words *w)
{
        char *word = w->at;

        w->at += strcspn(w->at, " ");
        if (*w->at)
                *w->at++ = 0;
        return word;
}

int words_number(struct words *w, uint64_t limit, uint64_t *out)
{
        const char *s = words_next(w);
        size_t n = strlen(s);

        if (!n || n > 16 || strspn(s, "0123456789abcdef") != n)
                return words_fail(w, "`%.20s' is not a hexadecimal number", s);
        *out = strtoull(s, NULL, 16);
        return *out <= limit ? 0 : words_fail(w, "%s is too large", s);
}

int words_u32(struct words *w, uint32_t *out)
{
        uint64_t n;

        if (words_number(w, UINT32_MAX, &n))
                return -1;
        *out = (uint32_t)n;
        return 0;
}

int words_u64(struct words *w, uint64_t *out)
{
        return words_number(w, UINT64_MAX, out);
}

static int hex(char c)
{
        const char *digits = "0123456789abcdef";
        const char *p = c ? strchr(digits, c) : NULL;

        return p ? (int)(p - digits) : -1;
}

char *words_text(struct words *w)
{
        char *s = words_next(w), *to = s;

        if (!*s) {
                words_fail(w, "a word is missing");
                return NULL;
        }
        if (strcmp(s, "%") == 0) {
                *s = 0;
                return s;
        }
        for (const char *p = s; *p; p++) {
                if (*p != '%') {
                        *to++ = *p;
                        continue;
                }
                int high = hex(p[1]), low = high >= 0 ? hex(p[2]) : -1;
                if (low < 0 || (high | low) == 0) {
                        words_fail(w, "a broken %%XX");
                        return NULL;
                }
                *to++ = (char)(high << 4 | low);
                p += 2;
        }
        *to = 0;
        return s;
}

int words_copy(struct words *w, char *to, size_t size)
{
        const char *s = words_text(w);

        if (!s)
                return -1;
        if (strlen(s) >= size)
                return words_fail(w, "a text that is too long");
        memset(to, 0, size);
        memcpy(to, s, strlen(s));
        return 0;
}

void words_put(FILE *f, const char *text)
{
        fputc(' ', f);
        if (!*text)
                fputc('%', f);
        for (; *text; text++) {
                unsigned char c = (unsigned char)*text;
                if (c <= ' ' || c >= 0x7f || c == '%')
                        fprintf(f, "%%%02x", c);
                else
                        fputc(c, f);
        }
}

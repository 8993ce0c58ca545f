/* A string that grows: `len` < `cap` whenever there is memory, and s[len] is 0. */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct strbuf *b, size_t more)
{
        if (b->failed)
                return false;
        if (b->cap - b->len > more)
                return true;
        size_t cap = b->cap ? b->cap : 64;
        while (cap - b->len <= more)
                cap *= 2;
        char *s = realloc(b->s, cap);
        if (!s) {
                b->failed = true;
                return false;
        }
        b->s = s;
        b->cap = cap;
        return true;
}

void strbuf_add(struct strbuf *b, const char *s, size_t n)
{
        if (!reserve(b, n))
                return;
        if (n)
                memcpy(b->s + b->len, s, n);
        b->len += n;
        b->s[b->len] = 0;
}

void strbuf_puts(struct strbuf *b, const char *s)
{
        strbuf_add(b, s, strlen(s));
}

void strbuf_printf(struct strbuf *b, const char *format, ...)
{
        va_list ap;
        va_start(ap, format);
        int n = vsnprintf(NULL, 0, format, ap);
        va_end(ap);
        if (n < 0 || !reserve(b, (size_t)n))
                return;
        va_start(ap, format);
        vsnprintf(b->s + b->len, (size_t)n + 1, format, ap);
        va_end(ap);
        b->len += (size_t)n;
}

const char *strbuf_str(const struct strbuf *b)
{
        return b->s ? b->s : "";
}

char *strbuf_take(struct strbuf *b)
{
        if (!b->s)
                strbuf_add(b, "", 0);
        char *s = b->s;
        if (b->failed) {
                free(s);
                s = NULL;
        }
        *b = (struct strbuf)STRBUF_INIT;
        return s;
}

void strbuf_fini(struct strbuf *b)
{
        free(b->s);
        *b = (struct strbuf)STRBUF_INIT;
}

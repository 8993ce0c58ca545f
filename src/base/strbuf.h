/*
 * A string that grows.  Out of memory is remembered, not reported at once: appending keeps doing nothing, and
 * strbuf_take() answers NULL.
 */
#ifndef HEDDLE_BASE_STRBUF_H
#define HEDDLE_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf {
        char *s; /* terminated when not NULL */
        size_t len, cap;
        bool failed; /* memory ran out: the content is cut */
};

#define STRBUF_INIT \
        {           \
                0   \
        }

void strbuf_add(struct strbuf *b, const char *s, size_t n);
void strbuf_puts(struct strbuf *b, const char *s);
void strbuf_printf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The content so far, never NULL. */
const char *strbuf_str(const struct strbuf *b);

/* Hands the content over to the caller, which frees it; NULL when memory ran out.  The buffer is empty afterwards. */
char *strbuf_take(struct strbuf *b);
void strbuf_fini(struct strbuf *b);

#endif

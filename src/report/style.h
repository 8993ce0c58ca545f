/*
 * How text is laid out on this terminal: width, character set, colour.
 */
#ifndef HEDDLE_REPORT_STYLE_H
#define HEDDLE_REPORT_STYLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum style_color { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW };

struct style {
        FILE *f;
        uint32_t width; /* columns */
        bool unicode, color;
};

/* From COLUMNS or the terminal behind f, and from LC_ALL, LC_CTYPE, LANG. */
void style_init(struct style *s, FILE *f, bool color);

/* Is this a terminal that understands escape sequences?  Not if TERM is empty or `dumb`. */
bool style_terminal(int fd);

/* Writes text in a colour and fills up to `width` columns (0: no filling). */
void style_put(const struct style *s, enum style_color color, const char *text, uint32_t bytes, uint32_t width);

/* How many columns the first `bytes` bytes take. */
uint32_t style_columns(const char *text, uint32_t bytes);

/* How many bytes of `text` fit in a line of `width` columns: up to a space where there is one.  At least one. */
uint32_t style_break(const char *text, uint32_t width);

#endif

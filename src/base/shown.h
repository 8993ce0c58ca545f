/*
 * Text that others wrote, on a terminal: names of files, functions and threads, messages of programs.
 */
#ifndef HEDDLE_BASE_SHOWN_H
#define HEDDLE_BASE_SHOWN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The length of the UTF-8 sequence at s, 0 if it is not one (overlong forms and surrogates are not). */
int shown_utf8(const char *s);

/* The character at s, which is not empty: how many bytes it has, and in *code its number.  May it be shown?  Not if it is a control
 * character (also of C1), changes the direction of text, breaks lines, or is malformed (one byte, code 0xfffd). */
uint32_t shown_next(const char *s, uint32_t *code, bool *shown);

/* Writes the first `bytes` bytes of text; what may not be shown is a question mark. */
void shown_put(FILE *f, const char *text, uint32_t bytes);

/* "heddle: ", the text, the end of the line: always one. */
void shown_line(FILE *f, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

#endif

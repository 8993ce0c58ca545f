/*
 * Writing JSON.  What is written is valid and in UTF-8 whatever bytes a string holds.
 */
#ifndef HEDDLE_BASE_JSON_H
#define HEDDLE_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string with its quotes; NULL is written as null. */
void json_string(FILE *f, const char *s);

/* "true" or "false". */
const char *json_bool(bool b);

/* A number, or null where there is none. */
void json_optional(FILE *f, bool is, uint64_t n);

/* A number; what is none (NaN, infinite) is written as 0. */
void json_double(FILE *f, double d);
/* The same, with so many digits behind the point, and null for what is not a number: a guess beyond all measure. */
void json_guess(FILE *f, double d, int digits);

#endif

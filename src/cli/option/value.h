/*
 * The values of options: numbers, times, words.
 */
#ifndef HEDDLE_CLI_OPTION_VALUE_H
#define HEDDLE_CLI_OPTION_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define VALUE_WORDS 256 /* room for the words of an option, spelled out */

/* A whole number from `low` to `high`, decimal or 0x...  0, or -1 with a reason that follows the option's name. */
int value_number(uint64_t *out, const char *text, uint64_t low, uint64_t high, struct error *why);

/* A time: a number with ms, s, m, h or d.  0, or -1 with a reason. */
/* "A..B", at most 65,536 values. */
struct wire_values;
int value_range(struct wire_values *out, const char *text, struct error *why);
int value_time(double *seconds, const char *text, struct error *why);

/* The position of `text` in `words` (separated by blanks), or -1. */
int value_word(const char *words, const char *text);

/* The word that is nearest to `text`, copied to `out`; empty when none is near. */
void value_nearest(char out[64], const char *words, const char *text);

/* "auto, dfs or dpor". */
void value_spell(char out[VALUE_WORDS], const char *words);

#endif

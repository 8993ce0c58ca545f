/* How far apart two words are: for "did you mean". */
#ifndef HEDDLE_BASE_DISTANCE_H
#define HEDDLE_BASE_DISTANCE_H

#include <stddef.h>

/* How many letters must change to make one out of the other; of the second only the first 64 count. */
size_t distance_words(const char *a, const char *b);

#endif

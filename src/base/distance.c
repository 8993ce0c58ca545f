/* Levenshtein's distance, one row at a time. */
#include "base/distance.h"

#include <string.h>

size_t distance_words(const char *a, const char *b)
{
        size_t row[65], n = strnlen(b, 64);

        for (size_t j = 0; j <= n; j++)
                row[j] = j;
        for (size_t i = 1; *a; i++, a++) {
                size_t corner = row[0];
                row[0] = i;
                for (size_t j = 1; j <= n; j++) {
                        size_t best = corner + (*a != b[j - 1]);
                        if (row[j] + 1 < best)
                                best = row[j] + 1;
                        if (row[j - 1] + 1 < best)
                                best = row[j - 1] + 1;
                        corner = row[j];
                        row[j] = best;
                }
        }
        return row[n];
}

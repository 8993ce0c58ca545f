/* Binary search. */
#ifndef HEDDLE_BASE_SEARCH_H
#define HEDDLE_BASE_SEARCH_H

#include <stdint.h>

/* The first index i of [0, n) for which `before`, an expression of i, is false; n if it is always true.  `before` must be
 * true up to some index and false from there on. */
#define SEARCH(i, n, before)                                \
        __extension__({                                     \
                uint32_t lo_ = 0, hi_ = (n);                \
                while (lo_ < hi_) {                         \
                        uint32_t i = lo_ + (hi_ - lo_) / 2; \
                        if (before)                         \
                                lo_ = i + 1;                \
                        else                                \
                                hi_ = i;                    \
                }                                           \
                lo_;                                        \
        })

#endif

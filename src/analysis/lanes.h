/* Clocks four entries at a time: their number is a multiple of that, and no entry has its highest bit set. */
#ifndef HEDDLE_ANALYSIS_LANES_H
#define HEDDLE_ANALYSIS_LANES_H

#include <stdbool.h>
#include <stdint.h>

#define LANES 4u

typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static inline bool lanes_any(lanes l)
{
        typedef int64_t halves __attribute__((vector_size(16)));
        halves h = (halves)l;

        return h[0] | h[1];
}

/* Has either an entry that is greater than the other's? */
static inline void lanes_compare(const uint32_t *x, const uint32_t *y, uint32_t n, bool *x_more, bool *y_more)
{
        lanes a = {0}, b = {0};

        for (uint32_t i = 0; i < n; i += LANES) {
                lanes p = *(const lanes *)&x[i], q = *(const lanes *)&y[i];
                a |= p > q;
                b |= q > p;
        }
        *x_more = lanes_any(a);
        *y_more = lanes_any(b);
}

static inline void lanes_join(uint32_t *to, const uint32_t *x, const uint32_t *y, uint32_t n)
{
        for (uint32_t i = 0; i < n; i += LANES) {
                lanes p = *(const lanes *)&x[i], q = *(const lanes *)&y[i], more = q > p;
                *(lanes *)&to[i] = (q & more) | (p & ~more);
        }
}

#endif

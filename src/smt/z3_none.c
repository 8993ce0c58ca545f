/* See solver.h: for machines without the headers of Z3. */
#include <stddef.h>

#include "smt/solver.h"

const char *smt_version(void)
{
        return NULL;
}

struct smt *smt_create(uint32_t milliseconds)
{
        (void)milliseconds;
        return NULL;
}

void smt_destroy(struct smt *s)
{
        (void)s;
}

void smt_limit(struct smt *s, uint32_t milliseconds)
{
        (void)s;
        (void)milliseconds;
}

void smt_reset(struct smt *s)
{
        (void)s;
}

smt_term smt_time(struct smt *s)
{
        (void)s;
        return 0;
}

smt_term smt_before(struct smt *s, smt_term a, smt_term b)
{
        (void)s;
        return a < b ? a : b;
}

smt_term smt_and(struct smt *s, uint32_t n, const smt_term *terms)
{
        (void)s;
        return n ? terms[0] : 0;
}

smt_term smt_or(struct smt *s, uint32_t n, const smt_term *terms)
{
        (void)s;
        return n ? terms[0] : 0;
}

void smt_assert(struct smt *s, smt_term t)
{
        (void)s;
        (void)t;
}

enum smt_answer smt_check(struct smt *s)
{
        (void)s;
        return SMT_UNKNOWN;
}

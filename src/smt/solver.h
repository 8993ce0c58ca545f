/*
 * An SMT solver, for questions of order: points in time, which of two comes first, and combinations of that (difference logic).
 * It is Z3, by its C API.  The library is loaded at the first question, so nothing else pays for it.
 */
#ifndef HEDDLE_SMT_SOLVER_H
#define HEDDLE_SMT_SOLVER_H

#include <stdint.h>

struct smt;

typedef uint32_t smt_term; /* valid until smt_reset() */

enum smt_answer { SMT_UNKNOWN, SMT_POSSIBLE, SMT_IMPOSSIBLE };

/* "4.8.12"; NULL: heddle was built without it, or the library is not there. */
const char *smt_version(void);

/* A solver that gives up on a question after so many milliseconds.  NULL: there is none. */
struct smt *smt_create(uint32_t milliseconds);
void smt_destroy(struct smt *s);
/* Another limit for the questions from now on. */
void smt_limit(struct smt *s, uint32_t milliseconds);
/* Drops all terms and all that was asserted. */
void smt_reset(struct smt *s);

/* A point in time. */
smt_term smt_time(struct smt *s);
smt_term smt_before(struct smt *s, smt_term a, smt_term b);
smt_term smt_and(struct smt *s, uint32_t n, const smt_term *terms);
smt_term smt_or(struct smt *s, uint32_t n, const smt_term *terms);
void smt_assert(struct smt *s, smt_term t);
/* Can all that was asserted be true? */
enum smt_answer smt_check(struct smt *s);

#endif

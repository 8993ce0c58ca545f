/* Failures that the target noticed by itself: assertions, crashes, aborts, exit statuses, loops without an operation. */
#include "analysis/observers.h"

static bool find(const struct trace *t, uint32_t k, enum finding_kind *kind, uint32_t *failure)
{
        if (k >= t->n_failures)
                return false;
        *kind = finding_kind_of(t->failures[k].kind);
        *failure = k;
        return true;
}

const struct observer failure_observer = {.name = "failure", .find = find};

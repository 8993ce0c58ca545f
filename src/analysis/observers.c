/* The list of observers. */
#include "analysis/observers.h"

const struct observer *const observers[] = {
        &nondeterminism_observer,
        &deadlock_observer,
        &failure_observer,
        NULL,
};

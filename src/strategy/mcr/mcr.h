/* Maximal causality (mcr.c). */
#ifndef HEDDLE_STRATEGY_MCR_MCR_H
#define HEDDLE_STRATEGY_MCR_MCR_H

#include "strategy/makers.h"

/* One that verifies beside another strategy: it ends (`unmodelled`) where it is not likely to be the faster one.  NULL: out of
 * memory, or the options are not modelled. */
struct strategy *mcr_create_beside(const struct config *config, bool blocks);

/* An option that the machine does not model, or NULL. */
const char *mcr_not_modelled(const struct config *config);

#endif

/*
 * What is known, in a stream (--save): the tries, and which classes and races were run.  States that were entered are not
 * kept: the search over what is known restarts, and needs no execution for it.
 */
#ifndef HEDDLE_STRATEGY_MCR_STATE_H
#define HEDDLE_STRATEGY_MCR_STATE_H

#include "base/stream.h"
#include "strategy/mcr/search.h"

void state_save(const struct search *s, struct stream *out);
/* Into a search that has just been made.  false: the input is malformed; the search is to be made again. */
bool state_load(struct search *s, struct stream *in);

#endif

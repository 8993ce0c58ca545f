/*
 * The shadow call stack: where a function begins and ends.
 */
#ifndef HEDDLE_INSTRUMENT_FRAME_H
#define HEDDLE_INSTRUMENT_FRAME_H

#include "instrument/pass.h"

/* Announces the entry of the function under way and each of its exits. */
void frame_announce(struct pass *p, bool itself);

#endif

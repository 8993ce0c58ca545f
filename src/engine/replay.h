/* A schedule text as what the target runs next. */
#ifndef HEDDLE_ENGINE_REPLAY_H
#define HEDDLE_ENGINE_REPLAY_H

#include "engine/session.h"
#include "trace/schedule.h"

/* Writes the text into the wire and the flags of the schedule.  SESSION_OK, or SESSION_USAGE with s->why. */
int replay_load(struct session *s, const struct schedule_text *text);

#endif

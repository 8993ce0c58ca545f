/* What failures do not depend on, for their stories (report/explanation.h). */
#ifndef HEDDLE_ENGINE_DEPENDENCES_H
#define HEDDLE_ENGINE_DEPENDENCES_H

#include "engine/session.h"

/* Marks the accesses of each finding's trace that nothing depends on, if the program has kept its IR. */
void dependences_mark(struct session *s);

#endif

/* Whose an exploration is: parts of one are put together, and stored ones resumed, only where these agree. */
#ifndef HEDDLE_ENGINE_IDENTITY_H
#define HEDDLE_ENGINE_IDENTITY_H

#include "engine/session.h"

/* Hashes of: heddle with the runtime and the libraries; the program, the length of its path and its arguments; the options
 * that decide what is explored; the environment that the program gets. */
struct identity {
        uint64_t heddle, program, options, environment;
};

struct identity identity_of_session(const struct session *s);

/* What differs, in words; NULL: nothing. */
const char *identity_differs(const struct identity *a, const struct identity *b);

#endif

/* The C++ exception that a thread has thrown last: what is said of it when it is not caught. */
#ifndef HEDDLE_RT_CALLS_EXCEPTION_H
#define HEDDLE_RT_CALLS_EXCEPTION_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Writes "_ZTS<type>", and behind a newline what() of a std::exception, into text[WIRE_TEXT].  *site becomes the place of the
 * throw if it is known.  false: no exception is being handled. */
bool exception_tell(char *text, uintptr_t *site);

#pragma GCC visibility pop

#endif

/*
 * Why something failed, in one line for the user.
 *
 * A function that can fail takes a `struct error *` and answers with a status, which its caller must look at (MUST_CHECK).
 * The text means something only after such an answer.
 */
#ifndef HEDDLE_BASE_ERROR_H
#define HEDDLE_BASE_ERROR_H

#include <stdarg.h>

#define ERROR_TEXT 512

/* The compiler refuses callers that drop the answer. */
#define MUST_CHECK __attribute__((warn_unused_result))

enum error_status {                   /* failures; what else there is to answer is 0 or above */
                    ERROR_USAGE = -2, /* the user can mend it: the command line, the program or its surroundings */
                    ERROR_FAIL = -3,  /* heddle failed, or out of memory */
};

struct error {
        char text[ERROR_TEXT]; /* ends in a zero; longer lines are cut */
};

/* Sets the text and returns `status`, so that a function can fail in one line. */
__attribute__((format(printf, 3, 4))) int error_set(struct error *e, int status, const char *format, ...);

/* The same, behind a text that says where; `where` may be empty. */
__attribute__((format(printf, 4, 0))) int error_set_at(struct error *e, int status, const char *where,
                                                       const char *format, va_list args);

/* "out of memory", and ERROR_FAIL. */
int error_memory(struct error *e);

#endif

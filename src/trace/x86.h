/* The code of x86-64, as far as inline assembly needs it (trace/locked.h). */
#ifndef HEDDLE_TRACE_X86_H
#define HEDDLE_TRACE_X86_H

#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

enum x86_kind {
        X86_PLAIN,   /* nothing that matters here */
        X86_KNOWN,   /* an update or fence that the runtime can perform */
        X86_UNKNOWN, /* one that it cannot */
};

#define X86_NAME 32 /* "lock cmpxchg16b" */

/* Looks at the instruction at `code`, which the program has at `addr`.  The result is its length, 0 if there is none.
 * X86_KNOWN fills `at`; X86_KNOWN and X86_UNKNOWN fill `name`. */
size_t x86_look(const uint8_t *code, size_t size, uint64_t addr, enum x86_kind *kind, struct wire_locked *at,
                char name[X86_NAME]);

#endif
